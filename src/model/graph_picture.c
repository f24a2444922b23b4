/* A small graph drawn in layers (base/layers.h): a state's layer is its distance from the initial state.
 * Edges within a layer or back to an earlier one bend to the side. */
#include "model/graph.h"

#include "base/layers.h"

enum { COLUMN = 62, LAYER = 74, RADIUS = 15, MARGIN = 30 };

struct drawing {
    const struct small_graph *g;
    struct layers at;
};

static void assign_layers(struct layers *l)
{
    size_t far = 0;
    for (size_t i = 1; i < l->nodes; i++)
        l->layer[i] = l->nodes; /* not reached yet */
    for (size_t now = 0, more = 1; more; now++) {
        more = 0;
        for (size_t k = 0; k < l->edge_count; k++) {
            const struct layers_edge *e = &l->edges[k];
            if (l->layer[e->from] != now || l->layer[e->to] != l->nodes)
                continue;
            l->layer[e->to] = now + 1;
            more = 1;
        }
        far = now;
    }
    for (size_t i = 0; i < l->nodes; i++)
        l->layer[i] = l->layer[i] == l->nodes ? far : l->layer[i];
}

static int x_of(const struct drawing *d, size_t state)
{
    return MARGIN + (int)(layers_spot(&d->at, state) * (double)d->at.widest * COLUMN);
}

static int y_of(const struct drawing *d, size_t state)
{
    return MARGIN + (int)d->at.layer[state] * LAYER;
}

static void put_edge(const struct drawing *d, const struct graph_edge *e, struct sbuf *out)
{
    int x1 = x_of(d, e->from), y1 = y_of(d, e->from), x2 = x_of(d, e->to), y2 = y_of(d, e->to);
    sbuf_puts(out, "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"");
    if (e->from == e->to)
        sbuf_printf(out, "M%d %dc30 -20 30 20 2 6", x1 + RADIUS - 2, y1 - 6);
    else if (d->at.layer[e->to] > d->at.layer[e->from])
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
    int width = (int)d->at.widest * COLUMN + 2 * MARGIN,
        height = (int)(d->at.layers - 1) * LAYER + 2 * MARGIN;
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
    struct drawing d = {.g = g};
    layers_init(&d.at, n, g->edges.count);
    for (size_t k = 0; k < g->edges.count; k++)
        d.at.edges[k] = (struct layers_edge){g->edges.items[k].from, g->edges.items[k].to};
    assign_layers(&d.at);
    layers_settle(&d.at);
    draw(&d, out);
    layers_free(&d.at);
}
