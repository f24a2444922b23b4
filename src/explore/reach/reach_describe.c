/* The sequence just exercised, for the host (trace/spool.h). Everything is made in scratch memory above
 * the stack of pending work, which is free again when the next execution begins. */
#include "explore/reach/reach.h"
#include "base/ensure.h"
#include "explore/reach/reach_canonical.h"
#include "trace/spool.h"

struct words {
    uint64_t *at;
    uint32_t count;
};

static void put(struct words *w, uint64_t word)
{
    w->at[w->count++] = word;
}

/* Which of its sender's messages to the port it is, from 1. */
static uint32_t message_number(const struct reach_seq *q, uint32_t send)
{
    ensure(send < q->count);
    uint32_t n = 1;
    while ((send = q->ops[send].prev) != REACH_NONE)
        n++;
    return n;
}

static void put_op(struct words *w, const struct engine *e, const struct reach_seq *q, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->class == REACH_BRANCH) {
        put(w, spool_word(EV_CHOOSE, op->thread, op->partner));
        return;
    }
    bool nothing = op->class == REACH_RECEIVE && op->partner >= q->count;
    put(w, spool_word(op->kind, op->thread, nothing ? 0 : e->trace->events[op->event].object));
    if (operation_is(op->kind, OP_ONE_SOURCE))
        put(w, spool_second(message_number(q, op->partner), q->ops[op->partner].thread));
}

/* In the order of their numbers, so a creator comes before those it created. */
static void put_threads(struct words *w, const struct reach_record *r, const struct reach_seq *q)
{
    bool there[EVENT_MAX_THREADS] = {false};
    for (uint32_t k = 0; k < q->count; k++)
        for (uint32_t t = q->ops[k].thread; t && !there[t]; t = r->children[t].parent)
            there[t] = true;
    for (uint32_t t = 1; t < r->threads; t++)
        if (there[t]) {
            put(w, spool_word(SPOOL_THREAD, t, r->thread[t].function));
            put(w, spool_second(r->children[t].nth + 1u, r->children[t].parent));
        }
}

/* The operation that was performed last moves to the end: nothing comes after it. */
static void put_last(const struct reach_seq *q, uint32_t *order, uint32_t n)
{
    uint32_t last = q->count;
    while (last > 0 && !(q->ops[last - 1].flags & REACH_DONE))
        last--;
    for (uint32_t i = 0; last && i + 1 < n; i++)
        if (order[i] == last - 1) {
            order[i] = order[i + 1];
            order[i + 1] = last - 1;
        }
}

static size_t describe(struct engine *e, int cut, const char **bytes)
{
    struct reach *st = e->state;
    struct reach_seq q;
    if (!reach_push_sequence(st, &q))
        return 0;
    vtime *clocks = reach_push(st, (size_t)(q.threads + q.objects) * q.stride * sizeof *clocks);
    uint32_t *order = reach_push(st, (q.count + 1) * sizeof *order);
    uint32_t *scratch = reach_push(st, (q.count + 1) * sizeof *scratch);
    struct words w = {reach_push(st, (2 * (size_t)q.count + 2 * q.threads + 1) * sizeof *w.at), 1};
    if (!clocks || !order || !scratch || !w.at)
        return 0;
    reach_timestamps(&q, clocks);
    uint32_t n = reach_canonical(&q, order, scratch);
    if (cut)
        put_last(&q, order, n);
    put_threads(&w, &st->record, &q);
    for (uint32_t i = 0; i < n; i++)
        put_op(&w, e, &q, order[i]);
    w.at[0] = w.count - 1;
    *bytes = (const char *)w.at;
    return w.count * sizeof *w.at;
}

size_t reach_describe(struct engine *e, int cut, const char **bytes)
{
    struct reach *st = e->state;
    size_t mark = st->used;
    if (st->lost || st->closed)
        return 0;
    size_t n = describe(e, cut, bytes);
    st->used = mark;
    return n;
}
