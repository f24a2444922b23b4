/* See snapshot.h. A node is followed by its branches. What only this machine's workers know of it (SEEN), and
 * what only makes looking faster (IDLE, `first`), is left out; counts follow from the rest. */
#include "farm/snapshot.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "explore/share/grove_impl.h"
#include "farm/bytes.h"

#include <stdlib.h>

enum {
    MOST_DEPTH = 32000,
    KEPT_FLAGS = GROVE_CERTAIN | GROVE_EXECUTED | GROVE_CLAIMED | GROVE_EXACT,
};

struct copy {
    struct passage *p;
    struct grove *g;
    unsigned char *met; /* reading: numbers that were there already */
    uint64_t count;
    uint32_t last; /* number; they mostly follow each other */
};

static bool failed(const struct copy *c)
{
    return !c->p->writing && c->p->bytes->failed;
}

static void refuse(struct copy *c)
{
    ensure(!c->p->writing);
    c->p->bytes->failed = true;
}

/* Numbers of nodes, each once. */
static uint32_t pass_number(struct copy *c, uint32_t n)
{
    int64_t step = (int64_t)n - c->last;
    uint64_t zigzag = (uint64_t)(step < 0 ? -2 * step - 1 : 2 * step);
    pass(c->p, &zigzag, UINT32_MAX);
    step = zigzag & 1 ? -(int64_t)(zigzag / 2) - 1 : (int64_t)(zigzag / 2);
    int64_t number = c->last + step;
    if (!c->p->writing && (number <= GROVE_TOP || number >= c->g->used || c->met[number]))
        refuse(c);
    if (failed(c))
        return 0;
    if (!c->p->writing)
        c->met[number] = 1;
    c->count++;
    return c->last = (uint32_t)number;
}

static void pass_act(struct copy *c, struct act *a)
{
    if (c->p->writing) {
        unsigned char room[96];
        struct work w = {.bytes = room, .room = sizeof room};
        work_put_act(&w, a);
        bytes_add(c->p->bytes, w.bytes, w.length);
    } else {
        *a = work_get_act(c->p->bytes);
    }
}

static void pass_acts(struct copy *c)
{
    struct acts *t = acts_of(c->g);
    uint32_t count = t->count;
    pass_small(c->p, &count, ACTS_ROOM - GROVE_SPARE / 2);
    for (uint32_t i = 0; i < count && !failed(c); i++) {
        struct act a = c->p->writing ? t->items[i] : (struct act){0};
        pass_act(c, &a);
        if (!failed(c) && acts_number(t, &a) != i)
            refuse(c);
    }
}

static void pass_node(struct copy *c, uint32_t n)
{
    struct wakeup_node *node = node_at(c->g, n);
    struct grove_more *m = more_at(c->g, n);
    uint32_t state = m->state, flags = m->flags & KEPT_FLAGS, pick = node->pick, branch = node->branch;
    uint32_t acts = acts_of(c->g)->count;
    pass_small(c->p, &node->act, acts ? acts - 1 : 0);
    pass_small(c->p, &pick, UINT16_MAX);
    pass_small(c->p, &branch, UINT16_MAX);
    pass_small(c->p, &state, GROVE_DONE);
    pass_small(c->p, &flags, KEPT_FLAGS);
    pass(c->p, &m->runs, UINT64_MAX);
    if (flags & GROVE_EXECUTED)
        pass_act(c, &m->performed);
    if (c->p->writing)
        return;
    node->pick = (uint16_t)pick;
    node->branch = (uint16_t)branch;
    m->state = (uint8_t)state;
    m->flags = (uint8_t)flags;
    if (flags & ~(unsigned)KEPT_FLAGS || (!branch && pick >= EVENT_MAX_THREADS))
        refuse(c);
}

static void pass_branches(struct copy *c, uint32_t *list, uint32_t depth);

static void pass_below(struct copy *c, uint32_t n, uint32_t depth)
{
    struct grove_more *m = more_at(c->g, n);
    pass_node(c, n);
    if (m->state == GROVE_INNER || m->state == GROVE_SPLIT)
        pass_branches(c, branches_of(c->g, n), depth + 1);
    c->g->deepest = depth > c->g->deepest ? depth : c->g->deepest;
}

static void pass_branches(struct copy *c, uint32_t *list, uint32_t depth)
{
    if (!c->p->writing && depth > MOST_DEPTH)
        refuse(c);
    while (pass_more(c->p, *list != 0) && !failed(c)) {
        uint32_t n = pass_number(c, *list);
        if (failed(c))
            return;
        if (!c->p->writing) {
            *node_at(c->g, n) = (struct wakeup_node){0};
            *more_at(c->g, n) = (struct grove_more){0};
            *list = n;
        }
        pass_below(c, n, depth);
        list = &node_at(c->g, n)->next;
    }
}

/* In the order in which they are used again. */
static void pass_free(struct copy *c)
{
    uint32_t *list = &c->g->free_list;
    while (pass_more(c->p, *list != 0) && !failed(c)) {
        uint32_t n = pass_number(c, *list);
        if (failed(c))
            return;
        if (!c->p->writing) {
            *list = n;
            node_at(c->g, n)->next = 0;
        }
        list = &node_at(c->g, n)->next;
    }
}

void snapshot_grove(struct passage *p, struct grove *g, uint64_t memory)
{
    struct copy c = {.p = p, .g = g, .last = GROVE_TOP};
    if (!p->writing) {
        grove_init(g, memory);
        acts_of(g)->count = acts_of(g)->used = 0;
        node_at(g, GROVE_TOP)->child = 0;
    }
    pass_small(p, &g->used, GROVE_ROOM);
    pass_small(p, &g->since_sweep, UINT32_MAX);
    pass_small(p, &g->full, 1);
    pass(p, &g->taken, UINT64_MAX);
    pass(p, &g->splits, UINT64_MAX);
    pass(p, &g->inserted, UINT64_MAX);
    pass(p, &g->overlaps, UINT64_MAX);
    if (!p->writing && (g->used <= GROVE_ROOT || g->used > p->bytes->length))
        refuse(&c); /* every number takes a byte */
    if (failed(&c))
        return;
    c.met = p->writing ? NULL : mem_alloc(g->used);
    pass_acts(&c);
    uint32_t deepest = g->deepest;
    pass_small(p, &deepest, MOST_DEPTH);
    pass_branches(&c, &node_at(g, GROVE_TOP)->child, 0);
    pass_free(&c);
    g->deepest = deepest > g->deepest ? deepest : g->deepest;
    bool one_root = node_at(g, GROVE_TOP)->child == GROVE_ROOT && !node_at(g, GROVE_ROOT)->next;
    if (!p->writing && (!one_root || c.count != g->used - GROVE_TOP - 1))
        refuse(&c);
    if (!p->writing && !p->bytes->failed)
        grove_repair(g);
    free(c.met);
}
