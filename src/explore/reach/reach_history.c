/* Reachability testing as it was before (001_*.txt, section 3.5, figure 3.6): all variants of every
 * sequence are generated (reach_tails.c), all exercised sequences are kept in a tree (SR_Tree), and a
 * variant is run only if it is not a prefix of one of them. Memory grows with the number of sequences.
 * The tests compare the algorithm with it: --set history=on.
 *
 * A sequence enters the tree in its canonical form: layer by layer the operations whose predecessors
 * are in earlier layers, by thread. An operation is a pair: the place that is filled (a position on an
 * object, a receive of a thread, …) and what it is filled with. A variant is a prefix of a sequence if
 * all its places are filled alike there; branches of the tree that fill one of them differently are not
 * entered. */
#include "explore/reach/reach.h"
#include "base/ensure.h"
#include "explore/reach/reach_canonical.h"
#include "explore/reach/reach_tails.h"

#include <string.h>

struct history_node {
    uint64_t place, filling;
    uint32_t child, sibling; /* number + 1 */
};

struct history_slot {
    uint64_t place, filling;
};

struct reach_history {
    struct arena *arena;
    struct history_node *nodes; /* [0] is the root */
    uint32_t count, room;
    struct history_slot *slots; /* the variant looked for: the places that are filled in it */
    struct htable slot_of; /* by place */
    uint32_t *positions; /* scratch: [op] position on its object; [object] next position */
    uint32_t *next_position;
    uint32_t *order, *scratch; /* [op] */
    struct history_slot *canonical;
    size_t top; /* of what is kept: above lies scratch memory */
    bool failed;
};

enum { HISTORY_NODES = 1 << 28, FIRST_SLOTS = 64 };

int reach_history_setup(struct engine *e, struct reach *st)
{
    struct reach_history *h = st->history = arena_alloc(e->arena, sizeof *h);
    uint32_t room = st->record.room;
    if (!h || htable_init(&h->slot_of, e->arena, FIRST_SLOTS))
        return -1;
    st->size = st->size / 2 & ~(size_t)15; /* half of the memory for each of the two */
    h->room = st->size / sizeof *h->nodes < HISTORY_NODES ? (uint32_t)(st->size / sizeof *h->nodes)
                                                          : HISTORY_NODES;
    h->nodes = arena_alloc(e->arena, (size_t)h->room * sizeof *h->nodes);
    h->slots = arena_alloc(e->arena, room * sizeof *h->slots);
    h->positions = arena_alloc(e->arena, room * sizeof *h->positions);
    h->next_position = arena_alloc(e->arena, REACH_NAMES * sizeof *h->next_position);
    h->canonical = arena_alloc(e->arena, room * sizeof *h->canonical);
    h->order = arena_alloc(e->arena, room * sizeof *h->order);
    h->scratch = arena_alloc(e->arena, room * sizeof *h->scratch);
    h->count = 1;
    return h->nodes && h->slots && h->positions && h->next_position && h->canonical && h->order &&
                   h->scratch
               ? 0
               : -1;
}

void reach_history_forget(struct reach *st)
{
    st->history->nodes[0] = (struct history_node){0};
    st->history->count = 1;
}

static uint64_t pair(uint64_t high, uint64_t low)
{
    return high << 32 | low;
}

static uint64_t place_of(const struct reach_history *h, const struct reach_seq *q, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    return op->class == REACH_OBJECT ? 1ull << 63 | pair(op->object, h->positions[k])
                                     : pair((uint64_t)op->thread + 1, op->index);
}

static uint64_t filled_with(const struct reach_seq *q, const struct reach_op *r, uint32_t s)
{
    if (r->class == REACH_BRANCH || s >= q->count)
        return s;
    return pair((uint64_t)q->ops[s].thread + 1, q->ops[s].index);
}

static uint64_t filling_of(const struct reach_seq *q, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->class == REACH_SEND)
        return op->object;
    return filled_with(q, op, op->class == REACH_OBJECT ? k : op->partner);
}

static void number_positions(struct reach_history *h, const struct reach_seq *q)
{
    memset(h->next_position, 0, q->objects * sizeof *h->next_position);
    for (uint32_t k = 0; k < q->count; k++)
        if (q->ops[k].class == REACH_OBJECT && q->ops[k].flags & REACH_DONE)
            h->positions[k] = h->next_position[q->ops[k].object]++;
}

static uint32_t canonical_form(struct reach_history *h, const struct reach_seq *q)
{
    uint32_t n = reach_canonical(q, h->order, h->scratch);
    for (uint32_t i = 0; i < n; i++)
        h->canonical[i] = (struct history_slot){place_of(h, q, h->order[i]), filling_of(q, h->order[i])};
    return n;
}

static uint32_t child_of(struct reach_history *h, uint32_t parent, struct history_slot s)
{
    ensure(parent < h->count);
    uint32_t c = h->nodes[parent].child;
    for (; c; c = h->nodes[c - 1].sibling)
        if (h->nodes[c - 1].place == s.place && h->nodes[c - 1].filling == s.filling)
            return c - 1;
    if (h->count == h->room) {
        h->failed = true;
        return parent;
    }
    h->nodes[h->count] = (struct history_node){s.place, s.filling, 0, h->nodes[parent].child};
    h->nodes[parent].child = h->count + 1;
    return h->count++;
}

static void add_sequence(struct reach_history *h, const struct reach_seq *q)
{
    uint32_t n = canonical_form(h, q), at = 0;
    for (uint32_t i = 0; i < n && !h->failed; i++)
        at = child_of(h, at, h->canonical[i]);
}

static void want(struct reach_history *h, struct history_slot s)
{
    struct htable_entry *e = htable_find(&h->slot_of, s.place);
    uint32_t i = htable_has(&h->slot_of, e) ? e->value : h->slot_of.count;
    h->slots[i] = s;
    h->failed |= !htable_has(&h->slot_of, e) && !htable_put(&h->slot_of, e, s.place, i);
}

/* NULL: the variant does not say what fills it. */
static const struct history_slot *wanted(const struct reach_history *h, uint64_t place)
{
    const struct htable_entry *e = htable_find(&h->slot_of, place);
    return htable_has(&h->slot_of, e) ? &h->slots[e->value] : NULL;
}

/* Does a path below the node fill the remaining places of the variant? */
static bool leads_to(const struct reach_history *h, uint32_t node, uint64_t remaining)
{
    ensure(node < h->count);
    for (uint32_t c = h->nodes[node].child; c; c = h->nodes[c - 1].sibling) {
        const struct history_node *n = &h->nodes[c - 1];
        const struct history_slot *s = wanted(h, n->place);
        if (s && s->filling != n->filling)
            continue;
        uint64_t left = remaining - (s != NULL);
        if (left == 0 || leads_to(h, c - 1, left))
            return true;
    }
    return false;
}

static void append(struct reach_plan *p, const struct reach_seq *q, const struct reach_op *op,
                   const struct reach_op *r, uint32_t s)
{
    struct reach_plan_op *o = &p->ops[p->count++];
    *o = (struct reach_plan_op){.thread = op->thread,
                                .class = (uint8_t)op->class,
                                .kind = op->kind,
                                .index = op->index};
    if (r->class == REACH_RECEIVE && s < q->count) {
        o->sender = q->ops[s].thread;
        o->value = q->ops[s].index;
    } else {
        o->value = s;
    }
}

/* A send that happens after an exchanged event is not in the variant. */
static bool gone(const struct reach_seq *q, const uint8_t *alive, const uint32_t *partner, uint32_t k)
{
    if (!alive[k])
        return true;
    for (uint32_t r = 0; q->ops[k].class == REACH_SEND && r < q->count; r++)
        if (alive[r] && partner[r] != REACH_NONE && reach_controls_call(q, &q->ops[r], k))
            return true;
    return false;
}

/* A variant as a plan, and its places in the table. */
static void describe(struct reach *st, const struct reach_seq *q, const uint8_t *alive,
                     const uint32_t *partner)
{
    struct reach_history *h = st->history;
    struct reach_plan *p = &st->plan;
    p->count = p->left_count = 0;
    htable_clear(&h->slot_of);
    for (int late = 0; late < 2; late++)
        for (uint32_t k = 0; k < q->count; k++) {
            const struct reach_op *op = &q->ops[k];
            bool changed = partner[k] != REACH_NONE;
            if (gone(q, alive, partner, k) || (late != (changed && op->class != REACH_BRANCH)))
                continue;
            uint32_t s = changed ? partner[k] : op->class == REACH_OBJECT ? k : op->partner;
            append(p, q, changed && op->class == REACH_OBJECT ? &q->ops[s] : op, op, s);
            want(h, (struct history_slot){place_of(h, q, k),
                                          changed ? filled_with(q, op, s) : filling_of(q, k)});
        }
}

/* Pending variants lie on the stack, each followed by its number of operations. */
static void keep_variant(void *context, const struct reach_seq *q, const uint8_t *alive,
                         const uint32_t *partner)
{
    struct reach *st = context;
    struct reach_history *h = st->history;
    describe(st, q, alive, partner);
    uint32_t count = h->slot_of.count;
    if (leads_to(h, 0, count))
        return;
    size_t bytes = st->plan.count * sizeof *st->plan.ops, slots = count * sizeof *h->slots;
    size_t total = (bytes + slots + 3 * sizeof(uint64_t) + 15) & ~(size_t)15;
    if (total > h->top - st->used) {
        h->failed = true;
        return;
    }
    char *to = st->stack + st->used;
    memcpy(to, st->plan.ops, bytes);
    memcpy(to + bytes, h->slots, slots);
    uint64_t *end = (uint64_t *)(to + total) - 3;
    end[0] = st->plan.count;
    end[1] = count;
    end[2] = st->used;
    st->used += total;
}

void reach_history_collect(struct reach *st, struct reach_seq *q)
{
    struct reach_history *h = st->history;
    number_positions(h, q);
    add_sequence(h, q);
    size_t half = (st->size - st->used) / 2 & ~(size_t)15;
    bool cut;
    h->top = st->used + half;
    reach_tails(q, UINT64_MAX, st->stack + h->top, half, keep_variant, st, &cut);
    st->record.full |= h->failed || cut;
}

/* Takes the next variant that is not a prefix of an exercised sequence. */
bool reach_history_next(struct reach *st)
{
    struct reach_history *h = st->history;
    while (st->used) {
        const uint64_t *end = (const uint64_t *)(st->stack + st->used) - 3;
        uint64_t ops = end[0], count = end[1];
        st->used = end[2];
        const char *from = st->stack + st->used;
        memcpy(st->plan.ops, from, ops * sizeof *st->plan.ops);
        const struct history_slot *slots = (const struct history_slot *)(from + ops * sizeof *st->plan.ops);
        st->plan.count = (uint32_t)ops;
        st->plan.left_count = 0;
        htable_clear(&h->slot_of);
        for (uint64_t i = 0; i < count; i++)
            want(h, slots[i]);
        if (!leads_to(h, 0, count))
            return true;
    }
    st->plan.count = 0;
    return false;
}
