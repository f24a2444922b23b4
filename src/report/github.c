/* For pull requests: GitHub's annotations and a Markdown summary, GitLab's code quality report. */
#include "base/foreign.h"
#include "report/formats.h"
#include "report/identity.h"
#include "report/steps.h"

#include <stdlib.h>
#include <string.h>

#define SUMMARY_LINES 120u /* of the text: a summary has a limit of size */

/* ---- annotations: ::error file=…,line=…,title=…::message ---- */

static void put_command_text(struct sbuf *out, const char *text, size_t n, const char *special)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(special, text[i]) || (unsigned char)text[i] < 0x20)
            sbuf_printf(out, "%%%02X", (unsigned char)text[i]);
        else
            sbuf_putc(out, text[i]);
}

static void put_message(struct sbuf *out, const char *text)
{
    put_command_text(out, text, strlen(text), "%");
    sbuf_putc(out, '\n');
}

static void put_annotation(const struct report_finding *f, struct sbuf *out)
{
    struct names n;
    unsigned line;
    const char *location = steps_relative(f->schedule.location);
    size_t path = steps_place(location, &line);
    names_init(&n, &f->tale);
    sbuf_puts(out, "::error ");
    if (path) {
        sbuf_puts(out, "file=");
        put_command_text(out, location, path, "%,:");
        sbuf_printf(out, ",line=%u,", line);
    }
    sbuf_printf(out, "title=raddle%%3A %s::", f->schedule.kind ? f->schedule.kind : "bug");
    put_message(out, report_message(&n, f));
    names_free(&n);
}

void report_annotations(const struct report *r, struct sbuf *out)
{
    for (size_t i = 0; i < r->findings.count; i++)
        put_annotation(&r->findings.items[i], out);
    if (r->findings.count)
        return;
    char *verdict = report_verdict_line(r);
    int safe = r->verdict && !strcmp(r->verdict, "safe");
    sbuf_puts(out, safe ? "::notice title=raddle::" : "::warning title=raddle::");
    put_message(out, verdict);
    free(verdict);
}

/* ---- Markdown ---- */

/* In a block of code nothing but the fence itself means anything: it is longer than any run of backticks. */
static size_t longest_run(const char *text, char c)
{
    size_t longest = 0;
    for (; *text; text++) {
        size_t n = 0;
        while (text[n] == c)
            n++;
        longest = n > longest ? n : longest;
        text += n ? n - 1 : 0;
    }
    return longest;
}

static void cut_lines(char *text, unsigned lines)
{
    for (; *text; text++)
        if (*text == '\n' && --lines == 0) {
            text[1] = 0;
            return;
        }
}

void report_markdown(const struct report *r, struct sbuf *out)
{
    struct style plain = {.colour = 0, .width = 100};
    struct sbuf text = {0};
    report_text(r, plain, &text);
    if (text.s)
        cut_lines(text.s, SUMMARY_LINES);
    size_t fence = longest_run(sbuf_str(&text), '`') + 1;
    fence = fence < 3 ? 3 : fence;
    sbuf_printf(out, "### raddle: %s\n\n", r->verdict ? r->verdict : "incomplete");
    sbuf_pad(out, '`', fence);
    sbuf_puts(out, "text\n");
    foreign_put(out, sbuf_str(&text), FOREIGN_PLAIN);
    sbuf_pad(out, '`', fence);
    sbuf_putc(out, '\n');
    sbuf_free(&text);
}

/* ---- code quality ---- */

static void put_issue(const struct report_finding *f, struct sbuf *out)
{
    struct names n;
    unsigned line;
    const char *location = steps_relative(f->schedule.location);
    size_t path = steps_place(location, &line);
    char *file = mem_printf("%.*s", (int)path, path ? location : "");
    names_init(&n, &f->tale);
    sbuf_puts(out, "{\"description\":");
    sbuf_json(out, report_message(&n, f));
    format_text(out, "check_name", f->schedule.kind ? f->schedule.kind : "bug");
    sbuf_printf(out, ",\"fingerprint\":\"%016llx\",\"severity\":\"%s\"",
                (unsigned long long)identity_hash(&n, f),
                finding_find(f->schedule.kind) == FINDING_RACE ? "critical" : "blocker");
    sbuf_puts(out, ",\"location\":{\"path\":");
    sbuf_json(out, file);
    sbuf_printf(out, ",\"lines\":{\"begin\":%u}}}", path ? line : 1);
    names_free(&n);
    free(file);
}

void report_quality(const struct report *r, struct sbuf *out)
{
    sbuf_putc(out, '[');
    for (size_t i = 0; i < r->findings.count; i++) {
        if (i)
            sbuf_putc(out, ',');
        put_issue(&r->findings.items[i], out);
    }
    sbuf_puts(out, "]\n");
}
