#include "model/node_set.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int node_find(const struct node_set *l, const uint8_t *bytes, const uint8_t *state, int len,
              uint64_t hash)
{
    for (size_t i = hash & l->mask; l->table && l->table[i]; i = (i + 1) & l->mask) {
        const struct node *n = &l->items[l->table[i] - 1];
        if (n->hash == hash && (int)n->len == len && !memcmp(bytes + n->off, state, (size_t)len))
            return (int)l->table[i] - 1;
    }
    return -1;
}

static void index_node(struct node_set *l, size_t k)
{
    size_t i = l->items[k].hash & l->mask;
    while (l->table[i])
        i = (i + 1) & l->mask;
    l->table[i] = (uint32_t)k + 1;
}

void node_push(struct node_set *l, struct node n)
{
    vec_push(l, n);
    if (l->count * 2 <= l->mask) {
        index_node(l, l->count - 1);
        return;
    }
    free(l->table);
    l->mask = l->mask ? l->mask * 4 + 3 : 15;
    l->table = mem_alloc((l->mask + 1) * sizeof *l->table);
    for (size_t i = 0; i < l->count; i++)
        index_node(l, i);
}

void node_clear(struct node_set *l)
{
    free(l->table);
    l->table = NULL;
    l->mask = 0;
    l->count = 0;
}

void node_free(struct node_set *l)
{
    node_clear(l);
    free(l->items);
    l->items = NULL;
    l->room = 0;
}
