/* SARIF 2.1.0 (OASIS): a rule per kind of finding, a result per finding with the threads' steps as a code
 * flow. Code flows are cut to the last steps: viewers become slow with more. */
#include "report/formats.h"
#include "report/identity.h"
#include "report/steps.h"

#include <stdlib.h>
#include <string.h>

#define FLOW_STEPS 1000u

static const struct {
    const char *name, *words;
} kinds[] = {
#define FINDING(kind, name, words) {name, words},
#include "trace/finding.def"
#undef FINDING
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static size_t kind_of(const struct report_finding *f)
{
    for (size_t i = 0; i < KINDS; i++)
        if (f->schedule.kind && !strcmp(kinds[i].name, f->schedule.kind))
            return i;
    return 0;
}

static void put_rules(struct sbuf *out)
{
    format_key(out, "rules");
    for (size_t i = 0; i < KINDS; i++) {
        sbuf_puts(out, i ? ",{\"id\":" : "[{\"id\":");
        sbuf_json(out, kinds[i].name);
        sbuf_puts(out, ",\"shortDescription\":{\"text\":");
        sbuf_json(out, kinds[i].words);
        sbuf_puts(out, "}}");
    }
    sbuf_putc(out, ']');
}

static int is_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("/._-~", c));
}

/* A path as a URI reference. */
static void put_uri(struct sbuf *out, const char *path, size_t n)
{
    sbuf_puts(out, n && *path == '/' ? "\"file://" : "\"");
    for (size_t i = 0; i < n; i++)
        if (is_plain((unsigned char)path[i]))
            sbuf_putc(out, path[i]);
        else
            sbuf_printf(out, "%%%02X", (unsigned char)path[i]);
    sbuf_putc(out, '"');
}

/* "physicalLocation" of "file:line"; nothing if it is none. Returns whether it wrote. */
static int put_physical(struct sbuf *out, const char *location)
{
    unsigned line;
    size_t n = steps_place(location, &line);
    if (!n)
        return 0;
    sbuf_puts(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    put_uri(out, location, n);
    sbuf_printf(out, "},\"region\":{\"startLine\":%u}}", line);
    return 1;
}

static void put_flow_step(struct names *n, const struct told_step *s, size_t order, struct sbuf *out)
{
    sbuf_puts(out, "{\"location\":{");
    if (s->pc && put_physical(out, steps_relative(names_path_location(n, s->pc))))
        sbuf_putc(out, ',');
    sbuf_puts(out, "\"message\":{\"text\":");
    sbuf_json(out, s->text);
    sbuf_printf(out, "}},\"executionOrder\":%zu}", order + 1);
}

static void put_thread_flow(struct names *n, const struct told_steps *all, size_t from, int thread,
                            struct sbuf *out)
{
    const char *comma = "";
    sbuf_puts(out, "{\"id\":");
    sbuf_json(out, names_thread_full(n, thread));
    sbuf_puts(out, ",\"locations\":[");
    for (size_t i = from; i < all->count; i++) {
        if (all->items[i].thread != thread)
            continue;
        sbuf_puts(out, comma);
        put_flow_step(n, &all->items[i], i, out);
        comma = ",";
    }
    sbuf_puts(out, "]}");
}

static void put_flows(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    struct told_steps all;
    struct tset seen = {{0}};
    steps_tell(n, f, &all);
    size_t from = all.count > FLOW_STEPS ? all.count - FLOW_STEPS : 0;
    for (size_t i = from; i < all.count; i++)
        tset_add(&seen, all.items[i].thread);
    const char *open = ",\"codeFlows\":[{\"threadFlows\":[";
    TSET_FOR(t, &seen) {
        sbuf_puts(out, open);
        put_thread_flow(n, &all, from, t, out);
        open = ",";
    }
    if (all.count)
        sbuf_puts(out, "]}]");
    steps_free(&all);
}

static void put_result(const struct report_finding *f, struct sbuf *out)
{
    struct names n;
    size_t kind = kind_of(f);
    names_init(&n, &f->tale);
    sbuf_puts(out, "{\"ruleId\":");
    sbuf_json(out, kinds[kind].name);
    sbuf_printf(out, ",\"ruleIndex\":%zu,\"level\":\"error\",\"message\":{\"text\":", kind);
    sbuf_json(out, report_message(&n, f));
    sbuf_puts(out, "},\"locations\":[");
    struct sbuf place = {0};
    if (put_physical(&place, steps_relative(f->schedule.location)))
        sbuf_printf(out, "{%s}", sbuf_str(&place));
    sbuf_free(&place);
    sbuf_printf(out, "],\"partialFingerprints\":{\"raddle/v1\":\"%016llx\"}",
                (unsigned long long)identity_hash(&n, f));
    put_flows(&n, f, out);
    sbuf_puts(out, ",\"properties\":{\"preemptions\":");
    sbuf_printf(out, "%llu", (unsigned long long)f->schedule.preemptions);
    if (f->file)
        format_text(out, "schedule", f->file);
    sbuf_puts(out, "}}");
    names_free(&n);
}

static void put_invocation(const struct report *r, struct sbuf *out)
{
    struct sbuf command = {0};
    for (size_t i = 0; i < r->command.count; i++)
        sbuf_printf(&command, "%s%s", i ? " " : "", r->command.items[i]);
    sbuf_puts(out, ",\"invocations\":[{\"executionSuccessful\":true");
    format_text(out, "commandLine", sbuf_str(&command));
    if (r->incomplete) {
        sbuf_puts(out, ",\"toolExecutionNotifications\":[{\"level\":\"warning\",\"message\":{\"text\":");
        sbuf_json(out, r->incomplete);
        sbuf_puts(out, "}}]");
    }
    sbuf_puts(out, "}]");
    sbuf_free(&command);
}

void report_sarif(const struct report *r, struct sbuf *out)
{
    sbuf_puts(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
                   "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"raddle\",\"version\":\"" RADDLE_VERSION
                   "\"");
    put_rules(out);
    sbuf_puts(out, "}}");
    put_invocation(r, out);
    sbuf_puts(out, ",\"results\":[");
    for (size_t i = 0; i < r->findings.count; i++) {
        if (i)
            sbuf_putc(out, ',');
        put_result(&r->findings.items[i], out);
    }
    sbuf_puts(out, "],\"properties\":{\"verdict\":");
    sbuf_json(out, r->verdict ? r->verdict : "incomplete");
    sbuf_puts(out, "}}]}\n");
}
