/* One run as one test: JUnit XML and TAP. A bug is a failure; a search that is not complete is skipped
 * with the reason, since neither "passed" nor "failed" would be true. */
#include "base/foreign.h"
#include "report/junit.h"

#include "report/formats.h"

#include <stdlib.h>
#include <string.h>

/* ---- JUnit ---- */

enum junit_outcome junit_outcome(int status)
{
    return status == EXIT_SAFE         ? JUNIT_PASSED
           : status == EXIT_BUG        ? JUNIT_FAILED
           : status == EXIT_INCOMPLETE ? JUNIT_SKIPPED
                                       : JUNIT_ERROR;
}

static void put_outcome(struct sbuf *out, const struct junit_case *c)
{
    static const char *const names[] = {NULL, "failure", "skipped", "error"};
    const char *text = c->text ? c->text : "";
    if (names[c->outcome]) {
        char *line = mem_strndup(c->message, strcspn(c->message, "\n"));
        sbuf_printf(out, "<%s message=\"", names[c->outcome]);
        sbuf_html(out, line);
        sbuf_puts(out, "\">");
        if (c->outcome != JUNIT_SKIPPED)
            sbuf_html(out, text);
        sbuf_printf(out, "</%s>", names[c->outcome]);
        free(line);
    }
    if (*text && (c->outcome == JUNIT_PASSED || c->outcome == JUNIT_SKIPPED)) {
        sbuf_puts(out, "<system-out>");
        sbuf_html(out, text);
        sbuf_puts(out, "</system-out>");
    }
}

void junit_case(struct sbuf *cases, const struct junit_case *c)
{
    sbuf_puts(cases, "    <testcase classname=\"");
    sbuf_html(cases, c->class);
    sbuf_puts(cases, "\" name=\"");
    sbuf_html(cases, c->name);
    sbuf_printf(cases, "\" time=\"%.3f\">", c->seconds);
    put_outcome(cases, c);
    sbuf_puts(cases, "</testcase>\n");
}

void junit_suite(struct sbuf *suites, const char *name, const struct sbuf *cases,
                 const int counts[JUNIT_OUTCOMES], double seconds)
{
    int all = 0;
    for (int i = 0; i < JUNIT_OUTCOMES; i++)
        all += counts[i];
    sbuf_puts(suites, "  <testsuite name=\"");
    sbuf_html(suites, name);
    sbuf_printf(suites, "\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n", all,
                counts[JUNIT_FAILED], counts[JUNIT_ERROR], counts[JUNIT_SKIPPED], seconds);
    sbuf_puts(suites, sbuf_str(cases));
    sbuf_puts(suites, "  </testsuite>\n");
}

void junit_document(struct sbuf *out, const struct sbuf *suites)
{
    sbuf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    sbuf_puts(out, sbuf_str(suites));
    sbuf_puts(out, "</testsuites>\n");
}

void junit_one(struct sbuf *out, const struct junit_case *c)
{
    struct sbuf cases = {0}, suites = {0};
    int counts[JUNIT_OUTCOMES] = {0};
    counts[c->outcome] = 1;
    junit_case(&cases, c);
    junit_suite(&suites, c->class, &cases, counts, c->seconds);
    junit_document(out, &suites);
    sbuf_free(&cases);
    sbuf_free(&suites);
}

/* ---- a report ---- */

static int is_bug(const struct report *r)
{
    return r->findings.count > 0 || (r->verdict && !strcmp(r->verdict, "bug"));
}

static int is_safe(const struct report *r)
{
    return r->verdict && !strcmp(r->verdict, "safe");
}

static void put_whole_text(const struct report *r, struct sbuf *out)
{
    struct style plain = {.colour = 0, .width = 100};
    report_text(r, plain, out);
}

char *report_verdict_line(const struct report *r)
{
    struct style plain = {.colour = 0, .width = 100000};
    struct sbuf line = {0};
    report_verdict(r, plain, &line);
    char *text = mem_strdup(sbuf_str(&line));
    text[strcspn(text, "\n")] = 0;
    sbuf_free(&line);
    return text;
}

void report_junit(const struct report *r, struct sbuf *out)
{
    struct sbuf text = {0};
    char *verdict = report_verdict_line(r);
    put_whole_text(r, &text);
    junit_one(out, &(struct junit_case){.class = "raddle",
                                        .name = r->program ? r->program : "?",
                                        .seconds = r->seconds,
                                        .outcome = is_bug(r)    ? JUNIT_FAILED
                                                   : is_safe(r) ? JUNIT_PASSED
                                                                : JUNIT_SKIPPED,
                                        .message = verdict,
                                        .text = sbuf_str(&text)});
    free(verdict);
    sbuf_free(&text);
}

/* Lines of TAP: what a program is called cannot break one, nor be taken for a directive. */
static void put_tap_text(struct sbuf *out, const char *text)
{
    struct sbuf shown = {0};
    foreign_put(&shown, text, FOREIGN_PLAIN);
    for (const char *c = sbuf_str(&shown); *c; c++)
        if (*c == '#' || *c == '\\')
            sbuf_printf(out, "\\%c", *c);
        else
            sbuf_putc(out, *c == '\n' ? ' ' : *c);
    sbuf_free(&shown);
}

void report_tap(const struct report *r, struct sbuf *out)
{
    char *verdict = report_verdict_line(r);
    struct sbuf text = {0}, raw = {0};
    sbuf_printf(out, "TAP version 13\n1..1\n%s 1 - ", is_bug(r) ? "not ok" : "ok");
    put_tap_text(out, r->program ? r->program : "?");
    if (!is_bug(r) && !is_safe(r)) {
        sbuf_puts(out, " # SKIP ");
        put_tap_text(out, verdict);
    }
    sbuf_putc(out, '\n');
    put_whole_text(r, &raw);
    foreign_put(&text, sbuf_str(&raw), FOREIGN_PLAIN);
    sbuf_free(&raw);
    for (char *line = text.s; is_bug(r) && line && *line;) {
        size_t n = strcspn(line, "\n");
        sbuf_puts(out, "# ");
        sbuf_add(out, line, n);
        sbuf_putc(out, '\n');
        line += n + (line[n] == '\n');
    }
    sbuf_free(&text);
    free(verdict);
}
