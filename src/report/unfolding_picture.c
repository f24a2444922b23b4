/* A small unfolding as a picture: conditions are circles, events boxes in the colour of their thread,
 * in layers (base/layers.h) from top to bottom; below it the same as a table. */
#include "report/unfolding.h"

#include "base/layers.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 104, LAYER = 46, MARGIN = 60, RADIUS = 6, HALF = 48, TALL = 10, LETTERS = 15 };

struct unfolding_drawing {
    const struct unfolding *u;
    struct layers at; /* events first, then conditions */
};

static size_t node_of_condition(const struct unfolding *u, size_t c)
{
    return u->events.count + c;
}

/* From, to; what an event takes and reads is above it, what it puts below. */
static struct layers_edge edge_of(const struct unfolding *u, const struct unfolding_arc *a)
{
    if (a->kind == ARC_AFTER)
        return (struct layers_edge){a->other, a->event};
    size_t c = node_of_condition(u, a->other);
    return a->kind == ARC_PUTS ? (struct layers_edge){a->event, c} : (struct layers_edge){c, a->event};
}

/* The longest way from a condition that is there from the start. There are no circles, but a damaged file
 * could have one: no layer is deeper than there are nodes. */
static void assign_layers(struct layers *l)
{
    for (size_t more = 1, round = 0; more && round < l->nodes; round++) {
        more = 0;
        for (size_t k = 0; k < l->edge_count; k++) {
            size_t least = l->layer[l->edges[k].from] + 1;
            if (l->layer[l->edges[k].to] < least && least < l->nodes) {
                l->layer[l->edges[k].to] = least;
                more = 1;
            }
        }
    }
}

/* What is there from the start stands right above those who use it first. */
static void lower_roots(struct layers *l)
{
    size_t *first = mem_alloc(l->nodes * sizeof *first);
    for (size_t k = 0; k < l->edge_count; k++) {
        size_t from = l->edges[k].from, to = l->layer[l->edges[k].to];
        if (l->layer[from] == 0 && (!first[from] || to < first[from]))
            first[from] = to;
    }
    for (size_t i = 0; i < l->nodes; i++)
        if (first[i])
            l->layer[i] = first[i] - 1;
    free(first);
}

static int x_of(const struct unfolding_drawing *d, size_t node)
{
    return MARGIN + (int)(layers_spot(&d->at, node) * (double)d->at.widest * COLUMN);
}

static int y_of(const struct unfolding_drawing *d, size_t node)
{
    return MARGIN / 2 + (int)d->at.layer[node] * LAYER;
}

static void put_arc(const struct unfolding_drawing *d, const struct unfolding_arc *a, struct sbuf *out)
{
    struct layers_edge e = edge_of(d->u, a);
    int down = a->kind == ARC_PUTS ? RADIUS : TALL;
    int from = a->kind == ARC_PUTS || a->kind == ARC_AFTER ? TALL : RADIUS;
    sbuf_printf(out, "<path class=\"edge%s\"%s d=\"M%d %dL%d %d\"/>",
                a->kind == ARC_READS ? " reads" : a->kind == ARC_AFTER ? " after" : "",
                a->kind == ARC_READS ? "" : " marker-end=\"url(#tip)\"", x_of(d, e.from),
                y_of(d, e.from) + from, x_of(d, e.to), y_of(d, e.to) - down);
}

/* What fits into a box; the whole text is its title. */
static void put_short(struct sbuf *out, const char *text)
{
    size_t n = 0, at = 0;
    for (; text[at] && n < LETTERS; n++)
        do
            at++;
        while ((text[at] & 0xc0) == 0x80);
    char *part = mem_strndup(text, at);
    sbuf_html(out, part);
    sbuf_puts(out, text[at] ? "…" : "");
    free(part);
}

static void put_event(const struct unfolding_drawing *d, size_t i, struct sbuf *out)
{
    const struct unfolding_event *e = &d->u->events.items[i];
    int x = x_of(d, i), y = y_of(d, i);
    sbuf_printf(out, "<g class=\"event s%u%s\"><title>", e->thread % 8, e->done ? "" : " open");
    sbuf_html(out, e->words);
    sbuf_puts(out, *e->place ? " at " : "");
    sbuf_html(out, e->place);
    sbuf_puts(out, e->done ? "" : ": possible, not performed");
    sbuf_printf(out, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>", x - HALF,
                y - TALL, 2 * HALF, 2 * TALL);
    sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", x, y + 4);
    put_short(out, e->words);
    sbuf_puts(out, "</text></g>\n");
}

static void put_condition(const struct unfolding_drawing *d, size_t i, struct sbuf *out)
{
    const struct unfolding_condition *c = &d->u->conditions.items[i];
    char *text = unfolding_condition_text(d->u, c);
    size_t node = node_of_condition(d->u, i);
    int x = x_of(d, node), y = y_of(d, node);
    sbuf_puts(out, "<g><title>");
    sbuf_html(out, text);
    sbuf_printf(out, "</title><circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>", x, y, RADIUS);
    sbuf_printf(out, "<text class=\"dim\" x=\"%d\" y=\"%d\">", x + RADIUS + 3, y + 4);
    if (!unfolding_slot(d->u, c->slot)->thread || !c->event)
        put_short(out, text);
    sbuf_puts(out, "</text></g>\n");
    free(text);
}

static void draw(const struct unfolding_drawing *d, struct sbuf *out)
{
    int width = (int)d->at.widest * COLUMN + 2 * MARGIN, height = (int)(d->at.layers - 1) * LAYER + MARGIN;
    sbuf_printf(out,
                "<div class=\"wide\"><svg class=\"graph net\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" "
                "aria-label=\"the unfolding; the table below says the same\"><defs>"
                "<marker id=\"tip\" markerWidth=\"8\" markerHeight=\"7\" refX=\"7\" refY=\"3.5\" "
                "orient=\"auto\">"
                "<path d=\"M0 0L8 3.5L0 7z\"/></marker></defs>\n",
                width, height, width, height);
    for (size_t k = 0; k < d->u->arcs.count; k++)
        put_arc(d, &d->u->arcs.items[k], out);
    for (size_t i = 0; i < d->u->conditions.count; i++)
        put_condition(d, i, out);
    for (size_t i = 0; i < d->u->events.count; i++)
        put_event(d, i, out);
    sbuf_puts(out, "</svg></div>\n");
}

static void put_needs(const struct unfolding *u, size_t event, int kind, struct sbuf *out)
{
    const char *comma = "";
    for (size_t k = 0; k < u->arcs.count; k++) {
        const struct unfolding_arc *a = &u->arcs.items[k];
        if (a->event != event || a->kind != kind)
            continue;
        const struct unfolding_condition *c = &u->conditions.items[a->other];
        char *text = unfolding_condition_text(u, c);
        sbuf_puts(out, comma);
        sbuf_html(out, text);
        if (c->event)
            sbuf_printf(out, " of %u", c->event);
        comma = ", ";
        free(text);
    }
}

static void put_table(const struct unfolding *u, struct sbuf *out)
{
    sbuf_puts(out, "<details><summary>the events</summary><div class=\"wide\"><table><thead><tr>"
                   "<th class=n>event<th>thread<th>does<th>where<th>takes<th>reads</thead><tbody>\n");
    for (size_t i = 0; i < u->events.count; i++) {
        const struct unfolding_event *e = &u->events.items[i];
        sbuf_printf(out, "<tr%s><td class=n>%u<td class=i%u>%u<td>", e->done ? "" : " class=plain", e->number,
                    e->thread % 8, e->thread);
        sbuf_html(out, e->words);
        sbuf_puts(out, e->done ? "<td>" : " (not performed)<td>");
        sbuf_html(out, e->place);
        sbuf_puts(out, "<td>");
        put_needs(u, i, ARC_TAKES, out);
        sbuf_puts(out, "<td>");
        put_needs(u, i, ARC_READS, out);
        sbuf_putc(out, '\n');
    }
    sbuf_puts(out, "</tbody></table></div></details>\n");
}

static void put_picture(const struct unfolding *u, struct sbuf *out)
{
    struct unfolding_drawing d = {.u = u};
    layers_init(&d.at, u->events.count + u->conditions.count, u->arcs.count);
    for (size_t k = 0; k < u->arcs.count; k++)
        d.at.edges[k] = edge_of(u, &u->arcs.items[k]);
    assign_layers(&d.at);
    lower_roots(&d.at);
    layers_settle(&d.at);
    draw(&d, out);
    layers_free(&d.at);
}

void html_unfolding(const struct report *r, struct sbuf *out)
{
    struct unfolding u;
    if (!unfolding_read(&u, r)) {
        sbuf_printf(out, "<h2>The unfolding <span class=dim>%llu events of all executions",
                    (unsigned long long)u.performed);
        if (u.performed <= UNFOLDING_PAGE) {
            sbuf_puts(out, "; boxes in the colour of their thread, circles are what they take and put, "
                           "dashed lines only read, dotted boxes were possible and not "
                           "performed</span></h2>");
            put_picture(&u, out);
            put_table(&u, out);
        } else {
            sbuf_puts(out, ", too many for a picture (--dot writes the first of them)</span></h2>\n");
        }
    }
    unfolding_free(&u);
}
