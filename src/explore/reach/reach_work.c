/* Pending work of reachability testing, depth first: a stack of the SYN-sequences whose race tables
 * are not yet exhausted. A sequence and its table are kept only while rows are left, every edge of the
 * search tree makes at least one more receiving event black for good, so the stack is never higher than
 * the longest sequence and memory does not depend on the number of sequences (000_*.txt, section VII). */
#include "explore/reach/reach.h"

#include "base/ensure.h"

#include <string.h>

void *reach_push(struct reach *st, size_t n)
{
    n = (n + 15) & ~(size_t)15;
    if (n > st->size - st->used) {
        st->record.full = true;
        return NULL;
    }
    void *p = st->stack + st->used;
    st->used += n;
    return p;
}

static struct reach_frame *top_frame(struct reach *st)
{
    return (struct reach_frame *)(st->stack + st->top);
}

static void pop_frame(struct reach *st)
{
    ensure(st->frames > 0);
    st->used = st->top;
    st->top = top_frame(st)->below;
    st->frames--;
}

void reach_push_frame(struct reach *st, struct reach_frame *f, size_t mark)
{
    ensure(mark <= st->used);
    f->below = st->top;
    st->top = mark;
    st->frames++;
}

bool reach_push_sequence(struct reach *st, struct reach_seq *q)
{
    struct reach_record *r = &st->record;
    *q = (struct reach_seq){.count = r->count,
                            .threads = r->threads,
                            .objects = r->objects,
                            .stride = reach_stride(r->threads),
                            .edges = r->edges,
                            .edge_count = r->edge_count,
                            .port_count = r->port_count};
    size_t clocks = (size_t)q->count * q->stride * sizeof *q->calls;
    q->ops = reach_push(st, q->count * sizeof *q->ops);
    q->ports = reach_push(st, r->port_count * sizeof *q->ports);
    q->calls = reach_push(st, clocks);
    q->before = reach_push(st, clocks);
    if (!q->ops || !q->ports || !q->calls || !q->before)
        return false;
    memcpy(q->ops, r->ops, q->count * sizeof *q->ops);
    memcpy(q->ports, r->ports, r->port_count * sizeof *q->ports);
    return true;
}

/* Timestamps and race sets; scratch memory is taken above the stack and given back. */
static bool analyse(struct reach *st, struct reach_seq *q)
{
    size_t mark = st->used;
    size_t rows = q->threads + q->objects * (q->parts ? 3 : 1);
    vtime *clocks = reach_push(st, rows * q->stride * sizeof *clocks);
    if (!clocks)
        return false;
    reach_timestamps(q, clocks);
    uint32_t *last = (uint32_t *)clocks;
    size_t left = (st->size - st->used) / sizeof *q->races;
    q->races = (uint32_t *)(st->stack + st->used);
    uint32_t n = reach_race_sets(q, &st->less, left > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)left,
                                 last);
    if (n == REACH_NONE)
        return false;
    uint32_t *from = q->races;
    st->used = mark;
    q->races = reach_push(st, n * sizeof *q->races);
    memmove(q->races, from, n * sizeof *q->races);
    return true;
}

bool reach_push_scratch(struct reach *st, struct reach_frame *f)
{
    struct reach_table *t = &f->table;
    t->changed = reach_push(st, f->q.count * sizeof *t->changed);
    t->order = reach_push(st, f->q.count * sizeof *t->order);
    t->state = reach_push(st, f->q.count);
    return t->changed && t->order && t->state;
}

static bool push_table(struct reach *st, struct reach_frame *f)
{
    size_t n = f->q.count * sizeof(uint32_t);
    f->table.heading = reach_push(st, n);
    f->table.row = reach_push(st, n);
    if (!f->table.heading || !f->table.row || !reach_push_scratch(st, f))
        return false;
    reach_table_begin(&f->table, &f->q);
    return f->table.columns > 0;
}

/* The earlier algorithm and the reductions want the races of every event, and nothing of the sequence
 * afterwards. */
static bool push_all(struct reach *st, struct reach_seq *q)
{
    for (uint32_t k = 0; k < st->record.count; k++)
        st->record.ops[k].flags &= (uint8_t)~(REACH_OLD | REACH_OLD_CALL | REACH_BLACK);
    if (!reach_push_sequence(st, q))
        return false;
    if (st->reduced)
        reach_reduced_parts(st, q);
    return analyse(st, q);
}

static void collect_all(struct reach *st)
{
    size_t mark = st->used;
    struct reach_seq q;
    bool fits = push_all(st, &q);
    size_t bytes = st->used - mark; /* pending variants take its place: it moves out of their way */
    if (!fits || (st->size - mark) / 4 <= bytes) {
        st->record.full = true;
        st->used = mark;
        return;
    }
    memcpy(st->stack + st->size - bytes, st->stack + mark, bytes);
    size_t shift = st->size - bytes - mark;
    q.ops = (void *)((char *)q.ops + shift);
    q.ports = (void *)((char *)q.ports + shift);
    q.calls = (void *)((char *)q.calls + shift);
    q.before = (void *)((char *)q.before + shift);
    q.races = (void *)((char *)q.races + shift);
    st->used = mark;
    st->size -= bytes;
    if (st->history)
        reach_history_collect(st, &q);
    else
        reach_reduced_collect(st, &q);
    st->size += bytes;
}

void reach_collect(struct engine *e)
{
    struct reach *st = e->state;
    if (st->history || st->reduced) {
        collect_all(st);
        return;
    }
    size_t mark = st->used;
    for (uint32_t t = 0; t < st->record.threads; t++)
        st->class_of[t] = st->record.thread[t].symmetry;
    struct reach_frame *f = reach_push(st, sizeof *f);
    bool fits = f && reach_push_sequence(st, &f->q) && analyse(st, &f->q);
    if (fits && st->inputs)
        reach_open_sides(e, &f->q);
    if (fits && push_table(st, f))
        reach_push_frame(st, f, mark);
    else
        st->used = mark;
}

bool reach_next_variant(struct engine *e)
{
    struct reach *st = e->state;
    if (st->history)
        return reach_history_next(st);
    if (st->reduced)
        return reach_reduced_next(st);
    while (st->frames) {
        struct reach_frame *f = top_frame(st);
        while (reach_table_next(&f->table, &f->q))
            if (reach_suits(e, f)) {
                reach_derive(&f->q, &f->table, &st->plan);
                return true;
            }
        st->hard |= f->table.hard;
        pop_frame(st);
    }
    return false;
}

int reach_setup(struct engine *e, struct reach *st)
{
    /* A compare-exchange is two operations, and a branch can follow. */
    uint32_t room = e->trace->step_room * 3;
    if (reach_record_init(&st->record, e->arena, room))
        return -1;
    st->plan.ops = arena_alloc(e->arena, (size_t)room * 2 * sizeof *st->plan.ops);
    st->plan.left = arena_alloc(e->arena, (size_t)room * 2 * sizeof *st->plan.left);
    st->left_object = arena_alloc(e->arena, REACH_NAMES * sizeof *st->left_object);
    st->size = engine_memory(e) & ~(uint64_t)15; /* frames are aligned to 16 bytes */
    st->stack = arena_alloc(e->arena, st->size);
    st->wishes = arena_alloc(e->arena, room * sizeof *st->wishes);
    st->wished = arena_alloc(e->arena, room * sizeof *st->wished);
    st->holds = arena_alloc(e->arena, room);
    if (!st->wishes || !st->wished || !st->holds)
        return -1;
    return st->plan.ops && st->plan.left && st->left_object && st->stack ? 0 : -1;
}

const char *reach_option(const struct engine *e, const char *name)
{
    size_t n = strlen(name);
    for (const char *o = (const char *)e->config->engine_options; *o; o += strlen(o) + 1)
        if (!strncmp(o, name, n) && o[n] == '=')
            return o + n + 1;
    return NULL;
}
