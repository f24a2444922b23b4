/* A small graph drawn in layers (after Sugiyama): a state's layer is its distance from the initial
 * state; within a layer states are put in the order of the average place of their neighbours in the
 * layer before, a few times down and up. Edges within a layer or back to an earlier one bend to the
 * side. */
#include "model/graph.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 62, LAYER = 74, RADIUS = 15, MARGIN = 30, PASSES = 8 };

struct drawing {
    const struct small_graph *g;
    size_t *layer, *place; /* of each state: its layer, and its place in it */
    double *wish;          /* where it would like to be */
    size_t layers, widest;
    size_t *width; /* of each layer */
};

static void assign_layers(struct drawing *d)
{
    size_t n = d->g->states.count;
    for (size_t i = 1; i < n; i++)
        d->layer[i] = n; /* not reached yet */
    for (size_t now = 0, more = 1; more; now++) {
        more = 0;
        for (size_t k = 0; k < d->g->edges.count; k++) {
            const struct graph_edge *e = &d->g->edges.items[k];
            if (d->layer[e->from] != now || d->layer[e->to] != n)
                continue;
            d->layer[e->to] = now + 1;
            more = 1;
        }
        d->layers = now + 1;
    }
    for (size_t i = 0; i < n; i++) {
        d->layer[i] = d->layer[i] == n ? d->layers - 1 : d->layer[i];
        d->place[i] = d->width[d->layer[i]]++;
    }
    for (size_t l = 0; l < d->layers; l++)
        d->widest = d->width[l] > d->widest ? d->width[l] : d->widest;
}

/* The place of a state as a part of the width, so that layers of different width compare. */
static double spot(const struct drawing *d, size_t state)
{
    return ((double)d->place[state] + .5) / (double)d->width[d->layer[state]];
}

/* Average of the neighbours in the layer `towards`; where it is now if it has none there. */
static void make_wish(struct drawing *d, size_t state, size_t towards)
{
    double sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < d->g->edges.count; k++) {
        const struct graph_edge *e = &d->g->edges.items[k];
        size_t other = e->from == state ? e->to : e->to == state ? e->from : state;
        if (other == state || d->layer[other] != towards)
            continue;
        sum += spot(d, other);
        count++;
    }
    d->wish[state] = count ? sum / (double)count : spot(d, state);
}

/* Places in a layer follow the wishes: each gets the number of those that wish to be before it. */
static void settle(struct drawing *d, size_t layer, size_t towards)
{
    size_t n = d->g->states.count;
    for (size_t i = 0; i < n; i++)
        if (d->layer[i] == layer)
            make_wish(d, i, towards);
    for (size_t i = 0; i < n; i++) {
        if (d->layer[i] != layer)
            continue;
        d->place[i] = 0;
        for (size_t k = 0; k < n; k++)
            d->place[i] += d->layer[k] == layer &&
                           (d->wish[k] < d->wish[i] || (d->wish[k] == d->wish[i] && k < i));
    }
}

static int x_of(const struct drawing *d, size_t state)
{
    return MARGIN + (int)(spot(d, state) * (double)d->widest * COLUMN);
}

static int y_of(const struct drawing *d, size_t state)
{
    return MARGIN + (int)d->layer[state] * LAYER;
}

static void put_edge(const struct drawing *d, const struct graph_edge *e, struct sbuf *out)
{
    int x1 = x_of(d, e->from), y1 = y_of(d, e->from), x2 = x_of(d, e->to), y2 = y_of(d, e->to);
    sbuf_puts(out, "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"");
    if (e->from == e->to)
        sbuf_printf(out, "M%d %dc30 -20 30 20 2 6", x1 + RADIUS - 2, y1 - 6);
    else if (d->layer[e->to] > d->layer[e->from])
        sbuf_printf(out, "M%d %dL%d %d", x1, y1 + RADIUS, x2, y2 - RADIUS - 3);
    else
        sbuf_printf(out, "M%d %dC%d %d %d %d %d %d", x1 + RADIUS, y1, x1 + 2 * RADIUS + 25, y1,
                    x2 + 2 * RADIUS + 25, y2, x2 + RADIUS + 3, y2);
    sbuf_puts(out, "\"><title>");
    sbuf_html(out, e->label);
    sbuf_puts(out, "</title></path>");
}

static void put_state(const struct drawing *d, size_t i, struct sbuf *out)
{
    const struct graph_state *s = &d->g->states.items[i];
    int x = x_of(d, i), y = y_of(d, i);
    sbuf_printf(out, "<g class=\"state%s\"><title>", s->deadlock ? " dead" : "");
    sbuf_html(out, s->text);
    sbuf_printf(out, "</title><circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>", x, y, RADIUS);
    if (s->final)
        sbuf_printf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>", x, y, RADIUS - 3);
    sbuf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%zu</text></g>\n", x, y + 4,
                i);
}

static void draw(const struct drawing *d, struct sbuf *out)
{
    int width = (int)d->widest * COLUMN + 2 * MARGIN,
        height = (int)(d->layers - 1) * LAYER + 2 * MARGIN;
    sbuf_printf(
        out,
        "<svg class=\"graph\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
        "aria-label=\"the reachability graph\"><defs><marker id=\"tip\" markerWidth=\"8\" "
        "markerHeight=\"7\" refX=\"7\" refY=\"3.5\" orient=\"auto\"><path d=\"M0 0L8 3.5L0 7z\"/>"
        "</marker></defs>\n",
        width, height, width, height);
    for (size_t k = 0; k < d->g->edges.count; k++)
        put_edge(d, &d->g->edges.items[k], out);
    for (size_t i = 0; i < d->g->states.count; i++)
        put_state(d, i, out);
    sbuf_puts(out, "</svg>\n");
}

void graph_svg(const struct small_graph *g, struct sbuf *out)
{
    size_t n = g->states.count;
    if (!n)
        return;
    struct drawing d = {.g = g,
                        .layer = mem_alloc(n * sizeof(size_t)),
                        .place = mem_alloc(n * sizeof(size_t)),
                        .wish = mem_alloc(n * sizeof(double)),
                        .width = mem_alloc((n + 1) * sizeof(size_t))};
    assign_layers(&d);
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t l = 1; l < d.layers; l++)
            if (pass % 2)
                settle(&d, d.layers - 1 - l, d.layers - l);
            else
                settle(&d, l, l - 1);
    draw(&d, out);
    free(d.layer);
    free(d.place);
    free(d.wish);
    free(d.width);
}
