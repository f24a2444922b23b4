/* One run as one test: JUnit XML and TAP. A bug is a failure; a search that is not complete is skipped
 * with the reason, since neither "passed" nor "failed" would be true. */
#include "report/formats.h"

#include <stdlib.h>
#include <string.h>

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

static void put_outcome(const struct report *r, struct sbuf *out)
{
    struct sbuf text = {0};
    char *verdict = report_verdict_line(r);
    put_whole_text(r, &text);
    if (is_bug(r) || !is_safe(r)) {
        sbuf_puts(out, is_bug(r) ? "<failure message=\"" : "<skipped message=\"");
        sbuf_html(out, verdict);
        sbuf_puts(out, is_bug(r) ? "\">" : "\"/>");
    }
    if (is_bug(r)) {
        sbuf_html(out, sbuf_str(&text));
        sbuf_puts(out, "</failure>");
    } else {
        sbuf_puts(out, "<system-out>");
        sbuf_html(out, sbuf_str(&text));
        sbuf_puts(out, "</system-out>");
    }
    free(verdict);
    sbuf_free(&text);
}

void report_junit(const struct report *r, struct sbuf *out)
{
    const char *program = r->program ? r->program : "?";
    sbuf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"raddle\" "
                   "tests=\"1\"");
    sbuf_printf(out, " failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n", is_bug(r),
                !is_bug(r) && !is_safe(r), r->seconds);
    sbuf_puts(out, "    <testcase classname=\"raddle\" name=\"");
    sbuf_html(out, program);
    sbuf_printf(out, "\" time=\"%.3f\">", r->seconds);
    put_outcome(r, out);
    sbuf_puts(out, "</testcase>\n  </testsuite>\n</testsuites>\n");
}

/* Lines of TAP: what a program is called cannot break one, nor be taken for a directive. */
static void put_tap_text(struct sbuf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '#' || *text == '\\')
            sbuf_printf(out, "\\%c", *text);
        else
            sbuf_putc(out, (unsigned char)*text < 0x20 ? ' ' : *text);
}

void report_tap(const struct report *r, struct sbuf *out)
{
    char *verdict = report_verdict_line(r);
    struct sbuf text = {0};
    sbuf_printf(out, "TAP version 13\n1..1\n%s 1 - ", is_bug(r) ? "not ok" : "ok");
    put_tap_text(out, r->program ? r->program : "?");
    if (!is_bug(r) && !is_safe(r)) {
        sbuf_puts(out, " # SKIP ");
        put_tap_text(out, verdict);
    }
    sbuf_putc(out, '\n');
    put_whole_text(r, &text);
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
