#include "report/html_parts.h"

#include "base/progress.h"
#include "report/words.h"

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

/* ---- why ---- */

enum { BOX_WIDTH = 340, BOX_HEIGHT = 58, GAP = 46 };

static void put_text(struct sbuf *out, int x, int y, const char *class, const char *text)
{
    char *cut = mem_strdup(text);
    if (strlen(cut) > 56) { /* at the start of a character */
        size_t end = 55;
        while (end && ((unsigned char)cut[end] & 0xc0) == 0x80)
            end--;
        cut[end] = 0;
    }
    sbuf_printf(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, class);
    sbuf_html(out, cut);
    sbuf_puts(out, strlen(text) > strlen(cut) ? "…</text>" : "</text>");
    free(cut);
}

static void put_box(struct names *n, const struct tale_finding *t, const struct fact *f, int x, int y,
                    struct sbuf *out)
{
    char *where = f->pc ? mem_printf("%s %s", names_location(n, f->pc), names_function(n, f->pc))
                        : mem_strdup("");
    sbuf_printf(out, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>", x, y,
                BOX_WIDTH, BOX_HEIGHT);
    put_text(out, x + 10, y + 17, " font-weight=\"600\"", names_thread_full(n, f->thread));
    put_text(out, x + 10, y + 34, "", words_about(n, f->text, f->object, t->at));
    put_text(out, x + 10, y + 50, " opacity=\".7\"", where);
    free(where);
}

/* Two accesses side by side, and between them what is not there. */
static void put_race(struct names *n, const struct tale_finding *t, struct sbuf *out)
{
    int middle = BOX_WIDTH + GAP, y = BOX_HEIGHT / 2 + 10;
    sbuf_printf(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"the two accesses\">",
                2 * BOX_WIDTH + 2 * GAP, BOX_HEIGHT + 20, 2 * BOX_WIDTH + 2 * GAP);
    put_box(n, t, &t->finding.facts[0], 1, 10, out);
    put_box(n, t, &t->finding.facts[1], BOX_WIDTH + 2 * GAP - 1, 10, out);
    sbuf_printf(out, "<path class=\"edge waits\" d=\"M%d %dH%d\"/>", BOX_WIDTH + 4, y,
                BOX_WIDTH + 2 * GAP - 6);
    sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">no order</text></svg>", middle, y - 8);
}

/* A column of threads, each with what it waits for or holds. */
static void put_column(struct names *n, const struct tale_finding *t, struct sbuf *out)
{
    uint32_t count = t->finding.fact_count;
    int step = BOX_HEIGHT + 16;
    sbuf_printf(out, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"who waits\">",
                BOX_WIDTH + 2 * GAP, (int)count * step + 4, BOX_WIDTH + 2 * GAP);
    for (uint32_t i = 0; i < count; i++) {
        const struct fact *f = &t->finding.facts[i];
        int y = 2 + (int)i * step;
        put_box(n, t, f, GAP, y, out);
        for (uint32_t k = i + 1; k < count && f->object; k++) {
            if (t->finding.facts[k].object != f->object)
                continue;
            sbuf_printf(out, "<path class=\"edge waits\" d=\"M%d %dC%d %d %d %d %d %d\"/>", GAP,
                        y + BOX_HEIGHT / 2, 4, y + BOX_HEIGHT / 2, 4, 2 + (int)k * step + BOX_HEIGHT / 2, GAP,
                        2 + (int)k * step + BOX_HEIGHT / 2);
        }
    }
    sbuf_puts(out, "</svg>");
}

void html_why_picture(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    const struct tale_finding *t = report_told(f);
    if (!t || t->finding.fact_count < 2)
        return;
    sbuf_puts(out, "<div class=\"picture\">");
    if (t->finding.kind == FINDING_RACE && t->finding.fact_count == 2)
        put_race(n, t, out);
    else
        put_column(n, t, out);
    sbuf_puts(out, "</div>");
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
    sbuf_printf(out, "<p class=\"dim\">%s: %s executions, ", r->engine ? r->engine : "?",
                progress_number(r->executions));
    sbuf_printf(out, "%s events in %.2f s", progress_number(r->events), r->seconds);
    if (r->blocked)
        sbuf_printf(out, ", %s abandoned as redundant", progress_number(r->blocked));
    sbuf_printf(out, ", at most %s steps and %llu threads, seed %llu</p>\n", progress_number(r->longest),
                (unsigned long long)r->threads, (unsigned long long)r->seed);
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
