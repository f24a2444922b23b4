/* A set of states on the way to a blocking point (bsra.c), in order of arrival and found by hash. The
 * states' bytes and the steps that lead to them lie in buffers of the caller. */
#ifndef MODEL_NODE_SET_H
#define MODEL_NODE_SET_H

#include <stddef.h>
#include <stdint.h>

struct node {
    uint64_t hash;
    uint32_t off, len;    /* the state, in the caller's bytes */
    uint32_t path, npath; /* the steps, in the caller's paths */
    int reaches;          /* a blocking point of the process that moves is in reach */
};

struct node_set {
    struct node *items;
    size_t count, room;
    uint32_t *table; /* index + 1 */
    size_t mask;
};

/* The index of the node with this state, or -1. */
int node_find(const struct node_set *l, const uint8_t *bytes, const uint8_t *state, int len,
              uint64_t hash);
void node_push(struct node_set *l, struct node n);
void node_clear(struct node_set *l);
void node_free(struct node_set *l);

#endif
