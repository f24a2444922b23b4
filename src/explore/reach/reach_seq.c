/* Timestamps (000_*.txt, section IV). Every thread and every object has a vector clock with one entry
 * per thread: the number of that thread's sending events (for message passing also receive events)
 * that are known. The rules of the paper for the different constructs come out as one:
 *
 *   call or send of T:   T.v[T]++; s.ts = T.v
 *   completion on O:     O.v = max(O.v, s.ts); T.v = max(T.v, O.v)
 *   read of O by T:      T.v[T]++; T.v = max(T.v, O.v)
 *   receive by T:        T.v[T]++; T.v = max(T.v, s.ts); a synchronous sender learns T.v
 *   finishing a method, being signalled, being created, joining: an edge
 *
 * With reductions an object has three clocks, of all that is ordered, of what is ordered with posts, and of
 * reads and posts, so that those learn nothing of each other; what receives a message that is like all
 * others learns nothing from it.
 *
 * A thread that enters a monitor learns the monitor's clock at once and not only when it leaves, and when
 * it leaves or waits the monitor learns the thread's: the same for the paper's programs, and right for
 * calls made from inside a monitor. */
#include "explore/reach/reach_seq.h"

struct clocks {
    struct reach_seq *q;
    vtime *all;
};

static vtime *of_thread(const struct clocks *c, uint32_t t)
{
    return c->all + (uint64_t)t * c->q->stride;
}

enum which { ALL, WITH_LIGHT, LIGHT };

static vtime *of_object(const struct clocks *c, uint32_t o, enum which w)
{
    return c->all + (uint64_t)(c->q->threads + o * (c->q->parts ? 3 : 1) + w) * c->q->stride;
}

static void follow_edge(const struct clocks *c, const struct reach_edge *e)
{
    vtime *thread = of_thread(c, e->thread);
    vtime *other =
        e->kind == REACH_FROM_THREAD ? of_thread(c, e->other) : of_object(c, e->other, ALL);
    if (e->kind == REACH_TO_OBJECT)
        vrow_join(other, thread, c->q->stride);
    else if (thread != other)
        vrow_join(thread, other, c->q->stride);
    if (e->kind == REACH_TO_OBJECT && c->q->parts)
        vrow_join(of_object(c, e->other, WITH_LIGHT), thread, c->q->stride);
    else if (e->kind == REACH_FROM_OBJECT && c->q->parts)
        vrow_join(thread, of_object(c, e->other, LIGHT), c->q->stride);
}

static void receive(const struct clocks *c, const struct reach_op *op, vtime *thread)
{
    struct reach_seq *q = c->q;
    if (op->partner >= q->count || reach_any_message(q, op, op->partner))
        return;
    vrow_join(thread, reach_call(q, op->partner), q->stride);
    const struct reach_op *send = &q->ops[op->partner];
    if (send->flags & REACH_SYNCHRONOUS)
        vrow_join(of_thread(c, send->thread), thread, q->stride);
}

/* What is known where the operation completes. */
static void known_before(const struct clocks *c, const struct reach_op *op, vtime *before)
{
    uint32_t n = c->q->stride;
    vrow_copy(before, of_object(c, op->object, op->part == REACH_LIGHT && c->q->parts ? WITH_LIGHT : ALL), n);
    if (c->q->parts && op->part == REACH_HEAVY)
        vrow_join(before, of_object(c, op->object, LIGHT), n);
    if (op->maker)
        vrow_join(before, reach_call(c->q, op->maker - 1), n);
}

static void complete(const struct clocks *c, const struct reach_op *op, vtime *thread,
                     const vtime *call, const vtime *before)
{
    uint32_t n = c->q->stride;
    vrow_join(thread, call, n);
    vrow_join(thread, before, n);
    if (!c->q->parts || op->part != REACH_LIGHT)
        vrow_join(of_object(c, op->object, ALL), thread, n);
    if (c->q->parts && op->part == REACH_HEAVY)
        vrow_join(of_object(c, op->object, WITH_LIGHT), thread, n);
    if (c->q->parts && op->part == REACH_LIGHT)
        vrow_join(of_object(c, op->object, LIGHT), thread, n);
}

static void stamp(const struct clocks *c, uint32_t k)
{
    struct reach_seq *q = c->q;
    struct reach_op *op = &q->ops[k];
    uint32_t n = q->stride;
    vtime *thread = of_thread(c, op->thread), *call = q->calls + (uint64_t)k * n;
    vtime *before = q->before + (uint64_t)k * n;
    bool on_object = op->class == REACH_OBJECT;
    if (on_object)
        known_before(c, op, before);
    else
        vrow_copy(before, thread, n);
    vrow_copy(call, thread, n);
    if (op->flags & REACH_UNMATCHED)
        return;
    call[op->thread] = (vtime)(op->index + 1);
    if (!(op->flags & REACH_DONE))
        return;
    if (on_object) {
        complete(c, op, thread, call, before);
    } else {
        thread[op->thread] = (vtime)(op->index + 1);
        if (op->class == REACH_RECEIVE)
            receive(c, op, thread);
        else if (op->class == REACH_BRANCH && op->kind)
            complete(c, &(struct reach_op){.object = op->object}, thread, call, call);
        else if (op->class == REACH_READ)
            vrow_join(thread, of_object(c, op->object, ALL), n);
    }
}

void reach_timestamps(struct reach_seq *q, vtime *clocks)
{
    struct clocks c = {q, clocks};
    uint64_t size = (uint64_t)(q->threads + q->objects * (q->parts ? 3 : 1)) * q->stride;
    vrow_clear(clocks, (uint32_t)size);
    uint32_t e = 0;
    for (uint32_t k = 0; k < q->count; k++) {
        while (e < q->edge_count && q->edges[e].at <= k)
            follow_edge(&c, &q->edges[e++]);
        q->reads |= q->ops[k].class == REACH_READ;
        q->exchanges |= q->ops[k].twin != REACH_SINGLE;
        stamp(&c, k);
    }
}
