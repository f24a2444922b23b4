#include "report/html_parts.h"

#include "base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void html_script_json(struct sbuf *out, const char *text)
{
    struct sbuf json = {0};
    sbuf_json(&json, text);
    for (const char *c = sbuf_str(&json); *c; c++)
        if (*c == '<')
            sbuf_puts(out, "\\u003c");
        else
            sbuf_putc(out, *c);
    sbuf_free(&json);
}

void html_count(struct sbuf *out, uint64_t n, const char *what)
{
    sbuf_printf(out, "%s %s%s", progress_number(n), what, n == 1 ? "" : "s");
}

/* ---- the search ---- */

static void put_remark(struct sbuf *out, const char *text)
{
    if (!text)
        return;
    sbuf_puts(out, "<li>");
    sbuf_html(out, text);
}

/* "6 66 328": a bar for each bound. */
static void put_bounds(const struct report *r, struct sbuf *out)
{
    double counts[64], most = 1;
    int n = 0;
    for (const char *c = r->per_bound; c && *c && n < 64;) {
        char *end;
        counts[n] = (double)strtoull(c, &end, 10);
        most = counts[n] > most ? counts[n] : most;
        n += end > c;
        c = end > c ? end + strspn(end, " ") : "";
    }
    if (n < 2)
        return;
    sbuf_printf(out, "<h2>Executions per bound <span class=dim>%s</span></h2><div class=\"picture\"><svg "
                     "viewBox=\"0 0 %d 120\" width=\"%d\" role=\"img\" aria-label=\"executions per bound\">",
                r->bound_unit ? r->bound_unit : "", n * 64 + 10, n * 64 + 10);
    for (int i = 0; i < n; i++) {
        int height = (int)(80 * counts[i] / most) + 1;
        sbuf_printf(out, "<rect class=\"i0\" fill=\"currentColor\" x=\"%d\" y=\"%d\" width=\"44\" "
                         "height=\"%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>"
                         "<text x=\"%d\" y=\"116\" text-anchor=\"middle\">%d</text>",
                    10 + i * 64, 100 - height, height, 32 + i * 64, 95 - height,
                    progress_number((uint64_t)counts[i]), 32 + i * 64, i);
    }
    sbuf_puts(out, "</svg></div>");
}

void html_search(const struct report *r, struct sbuf *out)
{
    sbuf_printf(out, "<p class=\"dim\">%s: ", r->engine ? r->engine : "?");
    html_count(out, r->executions, "execution");
    sbuf_puts(out, ", ");
    html_count(out, r->events, "event");
    sbuf_printf(out, " in %.2f s", r->seconds);
    if (r->blocked)
        sbuf_printf(out, ", %s abandoned as redundant", progress_number(r->blocked));
    sbuf_puts(out, ", at most ");
    html_count(out, r->longest, "step");
    sbuf_puts(out, " and ");
    html_count(out, r->threads, "thread");
    sbuf_printf(out, ", seed %llu</p>\n", (unsigned long long)r->seed);
    sbuf_puts(out, "<ul>");
    put_remark(out, r->incomplete);
    put_remark(out, r->divergence);
    for (size_t i = 0; i < r->warnings.count; i++)
        put_remark(out, r->warnings.items[i]);
    for (size_t i = 0; i < r->reductions.count; i++)
        put_remark(out, r->reductions.items[i]);
    sbuf_puts(out, "</ul>\n");
    put_bounds(r, out);
}

/* ---- sources ---- */

/* The text of a file (allocated, "" if it cannot be read or is too large). */
static char *read_source(const char *path, size_t most)
{
    FILE *f = fopen(path, "r");
    char *text = mem_alloc(most + 1);
    size_t n = f ? fread(text, 1, most + 1, f) : 0;
    if (f)
        fclose(f);
    if (n > most || memchr(text, 0, n))
        n = 0;
    text[n] = 0;
    return text;
}

static void put_source_json(struct sbuf *out, const char *path, const char *text)
{
    sbuf_puts(out, "{\"path\":");
    html_script_json(out, path);
    sbuf_puts(out, ",\"text\":");
    html_script_json(out, text);
    sbuf_putc(out, '}');
}

void html_sources(const char *const *files, size_t count, size_t each, size_t all, struct sbuf *out)
{
    struct sbuf json = {0};
    size_t used = 0;
    if (count)
        sbuf_puts(out, "<h2>Sources</h2>");
    for (size_t i = 0; i < count; i++) {
        char *text = read_source(files[i], each);
        if (used + strlen(text) > all)
            *text = 0;
        used += strlen(text);
        sbuf_puts(&json, i ? "," : "");
        put_source_json(&json, files[i], text);
        sbuf_puts(out, "<details><summary class=\"mono\">");
        sbuf_html(out, files[i]);
        sbuf_puts(out, "</summary><pre>");
        sbuf_html(out, *text ? text : "(not shown: it cannot be read, or is too large)");
        sbuf_puts(out, "</pre></details>\n");
        free(text);
    }
    sbuf_printf(out, "<script type=\"application/json\" id=\"sources\">[%s]</script>\n", sbuf_str(&json));
    sbuf_free(&json);
}
