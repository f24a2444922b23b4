/* How the search went, for the HTML report: counts and remarks, executions per bound, the growth of
 * states and traces, the estimate against time, which lines were reached and which pairs of them
 * interleaved. Charts are as wide as a telephone, several beside each other where there is room. */
#include "base/progress.h"
#include "report/html_parts.h"
#include "report/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 340,
    HEIGHT = 190,
    LEFT = 8,
    RIGHT = 14,
    TOP = 24,
    BOTTOM = 30,
    POINTS = 1100,
    ROWS = 300
};

/* ---- charts ---- */

struct curve {
    const char *name;
    int class; /* colour */
    size_t count;
    double x[POINTS], y[POINTS];
};

static void open_chart(struct sbuf *out, const char *title)
{
    sbuf_printf(
        out,
        "<figure><figcaption>%s</figcaption><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
        "aria-label=\"%s\">",
        title, WIDTH, HEIGHT, WIDTH, title);
}

static void close_chart(struct sbuf *out)
{
    sbuf_puts(out, "</svg></figure>\n");
}

static double most(const struct curve *c, int curves, int y)
{
    double m = 0;
    for (int i = 0; i < curves; i++)
        for (size_t k = 0; k < c[i].count; k++) {
            double v = y ? c[i].y[k] : c[i].x[k];
            m = v > m ? v : m;
        }
    return m > 0 ? m : 1;
}

static const char *number(double v)
{
    static char text[2][32];
    static int next;
    if (v >= 10 && v < 1e7)
        return progress_number((uint64_t)(v + .5));
    snprintf(text[next ^= 1], sizeof text[0], "%.3g", v);
    return text[next];
}

/* Lines from (0, 0), the largest value of each axis written beside it. */
static void put_curves(struct sbuf *out, const char *title, const char *across,
                       const struct curve *c, int curves)
{
    double right = most(c, curves, 0), top = most(c, curves, 1);
    int base = HEIGHT - BOTTOM;
    open_chart(out, title);
    sbuf_printf(out, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/><text x=\"%d\" y=\"14\">%s</text>",
                LEFT, TOP - 4, base, WIDTH - RIGHT, LEFT, number(top));
    sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s %s</text>", WIDTH - RIGHT,
                HEIGHT - 10, number(right), across);
    for (int i = 0; i < curves; i++) {
        sbuf_printf(out, "<path class=\"curve s%d\" d=\"", c[i].class);
        for (size_t k = 0; k < c[i].count; k++)
            sbuf_printf(out, "%c%.1f %.1f", k ? 'L' : 'M',
                        LEFT + c[i].x[k] / right * (WIDTH - LEFT - RIGHT),
                        base - c[i].y[k] / top * (base - TOP));
        sbuf_printf(out, "\"/><text class=\"i%d\" x=\"%d\" y=\"%d\">%s</text>", c[i].class,
                    LEFT + i * 90, HEIGHT - 10, c[i].name);
    }
    close_chart(out);
}

/* "6 66 328": a bar for each bound. */
static void put_bounds(const struct report *r, struct sbuf *out)
{
    double counts[64], highest = 1;
    int n = 0;
    for (const char *c = r->per_bound; c && *c && n < 64;) {
        char *end;
        counts[n] = (double)strtoull(c, &end, 10);
        highest = counts[n] > highest ? counts[n] : highest;
        n += end > c;
        c = end > c ? end + strspn(end, " ") : "";
    }
    if (n < 2)
        return;
    int each = (WIDTH - LEFT - RIGHT) / n, base = HEIGHT - BOTTOM;
    open_chart(out, "executions per bound");
    for (int i = 0; i < n; i++) {
        int height = (int)((base - TOP) * counts[i] / highest) + 1,
            middle = LEFT + i * each + each / 2;
        sbuf_printf(out,
                    "<rect class=\"i0\" fill=\"currentColor\" x=\"%d\" y=\"%d\" width=\"%d\" "
                    "height=\"%d\"/>",
                    LEFT + i * each + each / 8, base - height, each * 3 / 4 + 1, height);
        if (n <= 8)
            sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", middle,
                        base - height - 5, number(counts[i]));
        sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>", middle,
                    HEIGHT - 14, i);
    }
    sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%ss</text>", WIDTH - RIGHT,
                HEIGHT - 2, r->bound_unit ? r->bound_unit : "");
    close_chart(out);
}

static void put_growth(const struct report *r, struct sbuf *out)
{
    struct curve *c = mem_alloc(2 * sizeof *c);
    c[0].name = "states";
    c[1].name = "traces";
    c[1].class = 1;
    c[0].count = c[1].count = 1; /* they begin with nothing */
    for (size_t i = 0; i < r->growth.count && i + 1 < POINTS; i++) {
        double executions, bound, states, traces;
        if (sscanf(r->growth.items[i], "%lf %lf %lf %lf", &executions, &bound, &states, &traces) !=
            4)
            continue;
        c[0].x[c[0].count] = c[1].x[c[1].count] = executions;
        c[0].y[c[0].count++] = states;
        c[1].y[c[1].count++] = traces;
    }
    if (c[0].count > 1)
        put_curves(out, "distinct states and traces", "executions", c, 2);
    free(c);
}

/* Executions, and what the search took for all of them, against time. */
static void put_pace(const struct report *r, struct sbuf *out)
{
    struct curve *c = mem_alloc(2 * sizeof *c);
    c[0].name = "executions";
    c[1].name = "estimate of all";
    c[1].class = 1;
    c[0].count = 1; /* at 0 s there was none */
    for (size_t i = 0; i < r->pace.count && i + 1 < POINTS; i++) {
        double seconds, executions, estimate, spread;
        if (sscanf(r->pace.items[i], "%lf %lf %lf %lf", &seconds, &executions, &estimate,
                   &spread) != 4)
            continue;
        c[0].x[c[0].count] = seconds;
        c[0].y[c[0].count++] = executions;
        if (estimate > 0 && estimate < 1e18) {
            c[1].x[c[1].count] = seconds;
            c[1].y[c[1].count++] = estimate;
        }
    }
    if (c[0].count > 3)
        put_curves(out,
                   c[1].count > 1 ? "executions, and the estimate of all of them" : "executions",
                   "s", c, 1 + (c[1].count > 1));
    free(c);
}

/* ---- lines ---- */

static void put_lines(const struct report *r, struct sbuf *out)
{
    size_t reached = 0, shown = 0;
    for (size_t i = 0; i < r->lines.count; i++)
        reached += r->lines.items[i][0] != '0';
    if (!r->lines.count)
        return;
    sbuf_printf(out,
                "<h2>Lines reached</h2><p>%zu of %zu lines that touch shared memory or synchronize "
                "were reached",
                reached, r->lines.count);
    sbuf_puts(out, reached < r->lines.count ? ", not these: <span class=\"mono\">" : ".");
    for (size_t i = 0; i < r->lines.count && shown < ROWS; i++) {
        const char *tab = strchr(r->lines.items[i], '\t');
        if (r->lines.items[i][0] != '0' || !tab)
            continue;
        sbuf_puts(out, shown++ ? ", " : "");
        sbuf_html(out, tab + 1);
    }
    sbuf_puts(out, reached < r->lines.count ? "</span></p>" : "</p>");
    if (shown == ROWS)
        sbuf_puts(out, "<p>… and more: --lcov has them all.</p>");
}

static uint64_t times_of(const struct report *r, const char *first, const char *second)
{
    char *tail = mem_printf("\t%s\t%s", first, second);
    uint64_t times = 0;
    for (size_t i = 0; i < r->pairs.count && !times; i++) {
        const char *tab = strchr(r->pairs.items[i], '\t');
        if (tab && !strcmp(tab, tail))
            times = strtoull(r->pairs.items[i], NULL, 10);
    }
    free(tail);
    return times;
}

static void put_pair(const struct report *r, const struct line_count *l, struct sbuf *out)
{
    uint64_t back = times_of(r, l->other, l->place);
    sbuf_puts(out, "<tr><td>");
    sbuf_html(out, l->place);
    sbuf_puts(out, "<td>");
    sbuf_html(out, l->other);
    sbuf_printf(out, "<td class=n>%s<td class=\"n%s\">", progress_number(l->count),
                back ? "" : " dim");
    sbuf_puts(out, strcmp(l->place, l->other) ? back ? progress_number(back) : "never" : "");
    sbuf_putc(out, '\n');
}

/* A row for both orders of two lines. */
static void put_pairs(const struct report *r, struct sbuf *out)
{
    size_t rows = 0;
    if (!r->pairs.count)
        return;
    sbuf_puts(out, "<h2>Lines interleaved <span class=dim>dependent operations of two threads, one "
                   "right after the "
                   "other on their object</span></h2><div class=\"wide\"><table "
                   "class=\"pairs\"><thead><tr><th>first"
                   "<th>then<th class=n>times<th class=n>the other way round</thead><tbody>\n");
    for (size_t i = 0; i < r->pairs.count && rows < ROWS; i++) {
        char *text = mem_strdup(r->pairs.items[i]);
        struct line_count l;
        if (!lines_take(text, &l) && l.other &&
            (strcmp(l.place, l.other) <= 0 || !times_of(r, l.other, l.place))) {
            put_pair(r, &l, out);
            rows++;
        }
        free(text);
    }
    sbuf_puts(out, "</tbody></table></div>");
    if (rows == ROWS || r->places_lost)
        sbuf_puts(out, "<p>There are more than are shown here.</p>");
}

/* ---- all ---- */

static void put_remark(struct sbuf *out, const char *text)
{
    if (!text)
        return;
    sbuf_puts(out, "<li>");
    sbuf_html(out, text);
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
}

void html_course(const struct report *r, struct sbuf *out)
{
    struct sbuf charts = {0};
    put_bounds(r, &charts);
    put_growth(r, &charts);
    put_pace(r, &charts);
    if (charts.len)
        sbuf_printf(out, "<h2>The search</h2><div class=\"charts\">%s</div>\n", sbuf_str(&charts));
    sbuf_free(&charts);
    put_lines(r, out);
    put_pairs(r, out);
}
