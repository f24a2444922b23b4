#include "base/layers.h"

#include "base/mem.h"

#include <stdlib.h>

enum { PASSES = 8 };

void layers_init(struct layers *l, size_t nodes, size_t edges)
{
    *l = (struct layers){.nodes = nodes,
                         .edge_count = edges,
                         .edges = mem_alloc((edges + 1) * sizeof *l->edges),
                         .layer = mem_alloc(nodes * sizeof *l->layer),
                         .place = mem_alloc(nodes * sizeof *l->place),
                         .wish = mem_alloc(nodes * sizeof *l->wish)};
}

void layers_free(struct layers *l)
{
    free(l->edges);
    free(l->layer);
    free(l->place);
    free(l->wish);
    free(l->width);
}

double layers_spot(const struct layers *l, size_t node)
{
    return ((double)l->place[node] + .5) / (double)l->width[l->layer[node]];
}

static void count_layers(struct layers *l)
{
    for (size_t i = 0; i < l->nodes; i++)
        l->layers = l->layer[i] >= l->layers ? l->layer[i] + 1 : l->layers;
    l->width = mem_alloc((l->layers + 1) * sizeof *l->width);
    for (size_t i = 0; i < l->nodes; i++)
        l->place[i] = l->width[l->layer[i]]++;
    for (size_t k = 0; k < l->layers; k++)
        l->widest = l->width[k] > l->widest ? l->width[k] : l->widest;
}

/* Average of the neighbours in the layer `towards`; where it is now if it has none there. */
static void make_wish(struct layers *l, size_t node, size_t towards)
{
    double sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < l->edge_count; k++) {
        const struct layers_edge *e = &l->edges[k];
        size_t other = e->from == node ? e->to : e->to == node ? e->from : node;
        if (other == node || l->layer[other] != towards)
            continue;
        sum += layers_spot(l, other);
        count++;
    }
    l->wish[node] = count ? sum / (double)count : layers_spot(l, node);
}

/* Places in a layer follow the wishes: each gets the number of those that wish to be before it. */
static void settle(struct layers *l, size_t layer, size_t towards)
{
    for (size_t i = 0; i < l->nodes; i++)
        if (l->layer[i] == layer)
            make_wish(l, i, towards);
    for (size_t i = 0; i < l->nodes; i++) {
        if (l->layer[i] != layer)
            continue;
        l->place[i] = 0;
        for (size_t k = 0; k < l->nodes; k++)
            l->place[i] += l->layer[k] == layer &&
                           (l->wish[k] < l->wish[i] || (l->wish[k] == l->wish[i] && k < i));
    }
}

void layers_settle(struct layers *l)
{
    count_layers(l);
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t k = 1; k < l->layers; k++)
            if (pass % 2)
                settle(l, l->layers - 1 - k, l->layers - k);
            else
                settle(l, k, k - 1);
}
