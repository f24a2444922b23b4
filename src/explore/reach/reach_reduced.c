/* --reduce: reachability testing up to an equivalence (reach_class.c). From every sequence that was
 * exercised the variants with *one* changed receiving event are derived; one of each class is run, and
 * whatever the program then does is allowed.
 *
 * Operations that the equivalence does not order (reads of a variable; posts; posts and waits that the
 * initial tokens were enough for; a message that is like all others and who receives it) do not happen
 * before each other here (reach_seq.c). So what is in the future of an event follows from the class alone,
 * and equivalent variants have equivalent prefixes. Nothing is missed: take a sequence Q* and of all
 * sequences exercised one, Q, that has the longest prefix P in common with one equivalent to Q*. If that is
 * not all of it, let c be what Q* does next. There is an operation r in Q, not in P, that is ordered with
 * c and comes before it (otherwise c could be added to P). The variant with c in the place of r has P and
 * c, with fewer operations in front of c that are not in P; it, or an equivalent one, has been run; and so
 * on until there are none, which contradicts the choice of Q. The same holds if the variant was a prefix of
 * something exercised otherwise: of the prefixes of a sequence those are remembered that a variant of
 * another one could be, all but what happens after one of its events. The classes are kept, so memory
 * grows with their number.
 *
 * The reductions of the paper (section VII.D, VIII) leave races out of the tables instead. That loses
 * behaviours: what is left out may be the only way to a sequence in which other races occur. */
#include "explore/reach/reach.h"
#include "explore/reach/reach_reduced.h"

#include "explore/keyset.h"
#include "object/object.h"

#include <string.h>

struct reach_reduced {
    struct reach_equivalence same;
    struct keyset queued;  /* classes of variants that were ever to be run */
    struct keyset covered; /* … of prefixes of what was exercised */
    struct reach_table table; /* of the sequence being looked at */
};

int reach_reduced_setup(struct engine *e, struct reach *st)
{
    struct reach_reduced *r = st->reduced = arena_alloc(e->arena, sizeof *r);
    uint32_t room = st->record.room;
    if (!r)
        return -1;
    st->size = st->size / 2 & ~(size_t)15; /* a quarter for each of the two sets */
    struct reach_table *t = &r->table;
    t->heading = arena_alloc(e->arena, room * sizeof *t->heading);
    t->row = arena_alloc(e->arena, room * sizeof *t->row);
    t->changed = arena_alloc(e->arena, room * sizeof *t->changed);
    t->state = arena_alloc(e->arena, room);
    t->order = arena_alloc(e->arena, room * sizeof *t->order);
    r->same = (struct reach_equivalence){
        .pv = reach_option(e, "pv") != NULL,
        .messages = reach_option(e, "messages") != NULL,
        .symmetry = reach_option(e, "symmetry") != NULL,
        .uniform = st->record.uniform,
        .map = arena_alloc(e->arena, EVENT_MAX_THREADS * sizeof *r->same.map),
        .state = arena_alloc(e->arena, 2 * REACH_NAMES * sizeof *r->same.state)};
    return t->heading && t->row && t->changed && t->state && t->order && r->same.map &&
                   r->same.state
               ? keyset_init(&r->queued, e->arena, st->size / 2) |
                     keyset_init(&r->covered, e->arena, st->size / 2)
               : -1;
}

void reach_reduced_forget(struct reach *st)
{
    keyset_clear(&st->reduced->queued);
    keyset_clear(&st->reduced->covered);
}

/* Threads are interchangeable if they are declared to be, and were created by the same thread at the same
 * point; those that create threads themselves are not. */
static void group_threads(struct reach *st)
{
    const struct reach_record *r = &st->record;
    for (uint32_t t = 0; t < r->threads; t++) {
        const struct reach_thread *th = &r->thread[t];
        uint64_t origin = (uint64_t)r->children[t].parent << 32 | th->born;
        st->reduced->same.group[t] =
            th->symmetry && !th->children ? (uint64_t)th->symmetry << 48 ^ (origin + 1) : 0;
    }
}

static enum reach_part part_of(const struct reach_op *op, bool pv, uint64_t waits)
{
    if (op->kind == EV_LOAD || op->kind == EV_READ || op->kind == EV_CAS_FAIL ||
        (pv && operation_posts(op->kind)))
        return REACH_LIGHT;
    return pv && operation_waits_for_post(op->kind) && waits + 1 < op->choices ? REACH_RESERVED : REACH_HEAVY;
}

void reach_reduced_parts(struct reach *st, struct reach_seq *q)
{
    struct reach_equivalence *e = &st->reduced->same;
    q->parts = true;
    q->uniform = e->messages ? e->uniform : NULL;
    for (uint32_t o = 0; o < q->objects; o++)
        e->state[o] = 0;
    for (uint32_t k = 0; k < q->count; k++) {
        struct reach_op *op = &q->ops[k];
        if (op->class != REACH_OBJECT)
            continue;
        op->part = (uint8_t)part_of(op, e->pv, e->state[op->object]);
        e->state[op->object] += op->flags & REACH_DONE && op->part != REACH_LIGHT;
    }
}

/* Are there tokens left for the wait that comes last? (An attempt may have failed or not.) */
static bool tokens_left(const struct reach_seq *q, const struct reach_table *t)
{
    const struct reach_change *c = &t->changed[0];
    const struct reach_op *wait = &q->ops[c->partner < q->count ? c->partner : c->event];
    int64_t tokens = (int64_t)wait->choices - 1;
    if (q->ops[c->event].class != REACH_OBJECT || !operation_waits_for_post(wait->kind) || tokens < 0)
        return true;
    for (uint32_t i = 0; i < t->ordered; i++) {
        const struct reach_op *op = &q->ops[t->order[i]];
        if (op->class == REACH_OBJECT && op->component == wait->component && t->order[i] != c->event)
            tokens += operation_posts(op->kind) - operation_waits_for_post(op->kind);
    }
    return tokens > 0;
}

/* The variant in which the operation has this partner; false: there is none. */
static bool arrange_with(struct reach_reduced *r, const struct reach_seq *q, uint32_t event,
                         uint32_t partner)
{
    r->table.changes = 1;
    r->table.changed[0] = (struct reach_change){event, partner};
    return reach_arrange(&r->table, q) && tokens_left(q, &r->table);
}

static void cover(struct reach_reduced *r, const struct reach_seq *q)
{
    for (uint32_t k = 0; k < q->count; k++) {
        const struct reach_op *op = &q->ops[k];
        if (op->flags & REACH_DONE && op->class != REACH_SEND &&
            arrange_with(r, q, k, op->class == REACH_OBJECT ? k : op->partner))
            keyset_add(&r->covered, reach_class_of(&r->same, q, &r->table));
    }
}

/* Pending variants lie on the stack, each followed by its class, its number of operations and where it
 * begins. */
static void keep(struct reach *st, uint64_t class)
{
    size_t bytes = st->plan.count * sizeof *st->plan.ops, begin = st->used;
    char *to = reach_push(st, bytes + 3 * sizeof(uint64_t));
    if (!to)
        return;
    memcpy(to, st->plan.ops, bytes);
    uint64_t *end = (uint64_t *)(st->stack + st->used) - 3;
    end[0] = class;
    end[1] = st->plan.count;
    end[2] = begin;
}

void reach_reduced_collect(struct reach *st, struct reach_seq *q)
{
    struct reach_reduced *r = st->reduced;
    struct reach_table *t = &r->table;
    group_threads(st);
    cover(r, q);
    reach_table_begin(t, q);
    for (uint32_t i = 0; i < t->columns; i++) {
        const struct reach_op *op = &q->ops[t->heading[i]];
        for (uint32_t v = 0; v < op->race_count; v++) {
            if (!arrange_with(r, q, t->heading[i], q->races[op->race + v]))
                continue;
            uint64_t class = reach_class_of(&r->same, q, t);
            if (keyset_has(&r->covered, class) || !keyset_add(&r->queued, class))
                continue;
            reach_derive(q, t, &st->plan);
            keep(st, class);
        }
    }
    st->record.full |= keyset_full(&r->queued) || keyset_full(&r->covered);
}

bool reach_reduced_next(struct reach *st)
{
    st->plan.count = st->plan.left_count = 0;
    while (st->used) {
        const uint64_t *end = (const uint64_t *)(st->stack + st->used) - 3;
        st->used = end[2];
        if (keyset_has(&st->reduced->covered, end[0]))
            continue;
        memcpy(st->plan.ops, st->stack + st->used, end[1] * sizeof *st->plan.ops);
        st->plan.count = (uint32_t)end[1];
        return true;
    }
    return false;
}
