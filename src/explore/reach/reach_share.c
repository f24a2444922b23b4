/* Sharing a search (-j N): variants are independent of each other, so any row of any race table can be
 * run by anybody. A worker that is asked for work divides the rows of its lowest sequence, the one next
 * to the first, since most is left to do there, and gives a copy of the sequence with one of the halves.
 * The same format, with all sequences and the variant to be run next, is its checkpoint.
 *
 *   a part    names (reach_names.c), count, SEQUENCE…, PLAN
 *   SEQUENCE  operations, ports, races, timestamps, the part of the race table that is left, INPUTS
 *   PLAN      there is one, operations, what is left unmatched, INPUTS
 *   INPUTS    there are some, conditions of the operations in their order (engine.put_conditions) */
#include "explore/reach/reach.h"
#include "explore/reach/reach_names.h"

/* Arrays --------------------------------------------------------------------------------------- */

static void put_numbers(struct work *w, const uint32_t *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        work_put(w, a[i]);
}

static void get_numbers(struct work *w, uint32_t *a, uint32_t n)
{
    for (uint32_t i = 0; i < n && !w->failed; i++)
        a[i] = (uint32_t)work_get(w);
}

static void put_clocks(struct work *w, const vtime *a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        work_put(w, (uint64_t)a[i]);
}

static void get_clocks(struct work *w, vtime *a, uint64_t n)
{
    for (uint64_t i = 0; i < n && !w->failed; i++)
        a[i] = (vtime)work_get(w);
}

static void put_op(struct work *w, const struct reach_op *op)
{
    const uint32_t fields[] = {op->thread, op->class, op->kind,    op->flags,   op->open,
                               op->order,  op->index, op->object,  op->prev,    op->partner,
                               op->choices, op->ports, op->site,   op->race,    op->race_count,
                               op->condition != 0,    op->bit};
    put_numbers(w, fields, sizeof fields / sizeof *fields);
    work_put(w, op->twin);
    work_put(w, op->size);
    if (!op->size)
        return;
    work_put(w, op->known);
    work_put(w, op->address);
    work_put(w, op->was);
    work_put(w, op->is);
}

static struct reach_op get_op(struct work *w)
{
    uint32_t f[17] = {0};
    get_numbers(w, f, 17);
    struct reach_op op = {.thread = (uint16_t)f[0], .class = (uint16_t)f[1], .kind = (uint8_t)f[2],
                             .flags = (uint8_t)f[3],   .open = (uint8_t)f[4],   .order = (uint8_t)f[5],
                             .index = f[6],            .object = f[7],          .prev = f[8],
                             .partner = f[9],          .choices = f[10],        .ports = f[11],
                             .site = f[12],            .race = f[13],           .race_count = f[14],
                             .condition = f[15],       .bit = f[16] != 0};
    op.twin = (uint8_t)work_get(w);
    op.size = (uint32_t)work_get(w);
    if (!op.size)
        return op;
    op.known = work_get(w);
    op.address = work_get(w);
    op.was = work_get(w);
    op.is = work_get(w);
    return op;
}

/* Sequences ------------------------------------------------------------------------------------ */

static uint32_t race_total(const struct reach_seq *q)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < q->count; k++)
        if (q->ops[k].race_count && q->ops[k].race + q->ops[k].race_count > n)
            n = q->ops[k].race + q->ops[k].race_count;
    return n;
}

static void put_table(struct work *w, const struct reach_table *t)
{
    work_put(w, t->columns);
    put_numbers(w, t->heading, t->columns);
    for (uint32_t i = 0; i < t->columns; i++)
        work_put(w, (uint64_t)(t->row[i] + 1));
    work_put(w, t->fixed);
    work_put(w, (uint64_t)(t->ceiling + 1));
    work_put(w, t->ready);
}

static void put_inputs(struct engine *e, struct work *w, const struct reach_seq *q)
{
    struct reach *st = e->state;
    uint32_t n = 0;
    work_put(w, st->inputs);
    if (!st->inputs)
        return;
    for (uint32_t k = 0; q && k < q->count; k++)
        if (q->ops[k].condition)
            st->wished[n++] = q->ops[k].condition;
    e->put_conditions(w, st->wished, n);
}

static int get_inputs(struct engine *e, struct work *w, struct reach_seq *q)
{
    struct reach *st = e->state;
    uint32_t n = 0;
    if (!work_get(w))
        return 0;
    st->inputs = true;
    for (uint32_t k = 0; q && k < q->count; k++)
        n += q->ops[k].condition != 0;
    if (e->get_conditions(w, st->wished, n))
        return -1;
    for (uint32_t k = q ? q->count : 0; k-- > 0;)
        if (q->ops[k].condition)
            q->ops[k].condition = st->wished[--n];
    return 0;
}

static void put_sequence(struct engine *e, struct work *w, const struct reach_seq *q,
                         const struct reach_table *t)
{
    uint32_t races = race_total(q);
    work_put(w, q->count);
    work_put(w, q->port_count);
    work_put(w, races);
    work_put(w, q->threads);
    work_put(w, q->objects);
    work_put(w, q->stride);
    work_put(w, q->reads);
    work_put(w, q->exchanges);
    for (uint32_t k = 0; k < q->count && !w->failed; k++)
        put_op(w, &q->ops[k]);
    put_numbers(w, q->ports, q->port_count);
    put_numbers(w, q->races, races);
    put_clocks(w, q->calls, (uint64_t)q->count * q->stride);
    put_clocks(w, q->before, (uint64_t)q->count * q->stride);
    put_table(w, t);
    put_inputs(e, w, q);
}

static int get_table(struct reach *st, struct work *w, struct reach_frame *f)
{
    struct reach_table *t = &f->table;
    t->columns = (uint32_t)work_get(w);
    if (t->columns > f->q.count)
        return -1;
    t->heading = reach_push(st, t->columns * sizeof *t->heading);
    t->row = reach_push(st, t->columns * sizeof *t->row);
    if (!t->heading || !t->row || !reach_push_scratch(st, f))
        return -1;
    get_numbers(w, t->heading, t->columns);
    for (uint32_t i = 0; i < t->columns; i++)
        t->row[i] = (int32_t)work_get(w) - 1;
    t->fixed = (uint32_t)work_get(w);
    t->ceiling = (int32_t)work_get(w) - 1;
    t->ready = work_get(w);
    return 0;
}

static bool well_paired(const struct reach_seq *q)
{
    for (uint32_t k = 0; k < q->count; k++) {
        uint32_t twin = reach_twin(q, k);
        if (twin != REACH_NONE && (twin >= q->count || reach_twin(q, twin) != k))
            return false;
    }
    return true;
}

static int get_sequence(struct engine *e, struct work *w)
{
    struct reach *st = e->state;
    size_t mark = st->used;
    struct reach_frame *f = reach_push(st, sizeof *f);
    if (!f)
        return -1;
    *f = (struct reach_frame){0};
    struct reach_seq *q = &f->q;
    q->count = (uint32_t)work_get(w);
    q->port_count = (uint32_t)work_get(w);
    uint32_t races = (uint32_t)work_get(w);
    q->threads = (uint32_t)work_get(w);
    q->objects = (uint32_t)work_get(w);
    q->stride = (uint32_t)work_get(w);
    q->reads = work_get(w);
    q->exchanges = work_get(w);
    if (w->failed || q->count > st->record.room || q->stride % vrow_STEP ||
        q->stride > EVENT_MAX_THREADS + vrow_STEP)
        return -1;
    uint64_t clocks = (uint64_t)q->count * q->stride;
    q->ops = reach_push(st, q->count * sizeof *q->ops);
    q->ports = reach_push(st, q->port_count * sizeof *q->ports);
    q->races = reach_push(st, races * sizeof *q->races);
    q->calls = reach_push(st, clocks * sizeof *q->calls);
    q->before = reach_push(st, clocks * sizeof *q->before);
    if (!q->ops || !q->ports || !q->races || !q->calls || !q->before)
        return -1;
    for (uint32_t k = 0; k < q->count && !w->failed; k++)
        q->ops[k] = get_op(w);
    if (!w->failed && !well_paired(q))
        return -1;
    get_numbers(w, q->ports, q->port_count);
    get_numbers(w, q->races, races);
    get_clocks(w, q->calls, clocks);
    get_clocks(w, q->before, clocks);
    if (get_table(st, w, f) || get_inputs(e, w, q))
        return -1;
    reach_push_frame(st, f, mark);
    return w->failed ? -1 : 0;
}

/* Plans ---------------------------------------------------------------------------------------- */

static void put_plan(struct work *w, const struct reach_plan *p)
{
    work_put(w, p->count);
    for (uint32_t i = 0; i < p->count && !w->failed; i++) {
        const struct reach_plan_op *o = &p->ops[i];
        const uint32_t fields[] = {o->thread, o->class, o->kind, o->black, o->index, o->value, o->sender,
                                   o->changed, o->exchange, o->may_wait};
        put_numbers(w, fields, 10);
    }
    work_put(w, p->left_count);
    for (uint32_t i = 0; i < p->left_count; i++) {
        const struct reach_left *l = &p->left[i];
        const uint32_t fields[] = {l->kind, l->number, l->index, l->called, l->open};
        put_numbers(w, fields, 5);
    }
}

static int get_plan(struct reach *st, struct work *w)
{
    struct reach_plan *p = &st->plan;
    uint64_t room = 2ull * st->record.room, ops = work_get(w);
    if (ops > room)
        return -1;
    p->count = (uint32_t)ops;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t f[10] = {0};
        get_numbers(w, f, 10);
        p->ops[i] = (struct reach_plan_op){(uint16_t)f[0], (uint8_t)f[1], (uint8_t)f[2], (uint8_t)f[3],
                                           f[4],           f[5],          (uint16_t)f[6], f[7],
                                           (uint8_t)f[8],  f[9]};
    }
    uint64_t left = work_get(w);
    if (left > room)
        return -1;
    p->left_count = (uint32_t)left;
    for (uint32_t i = 0; i < p->left_count; i++) {
        uint32_t f[5] = {0};
        get_numbers(w, f, 5);
        p->left[i] = (struct reach_left){f[0], f[1], f[2], f[3], f[4]};
    }
    return w->failed ? -1 : 0;
}

/* The engine's side ---------------------------------------------------------------------------- */

static struct reach_frame *frame_at(struct reach *st, size_t at)
{
    return (struct reach_frame *)(st->stack + at);
}

/* The lowest frame whose rows can be divided gives some of them away. */
static struct reach_frame *divide(struct reach *st, struct reach_table *part)
{
    struct reach_frame *best = NULL;
    size_t at = st->top;
    for (uint32_t n = st->frames; n > 0; n--, at = frame_at(st, at)->below)
        if (reach_table_rest(&frame_at(st, at)->table, &frame_at(st, at)->q))
            best = frame_at(st, at);
    if (!best)
        return NULL;
    size_t mark = st->used;
    part->row = reach_push(st, best->table.columns * sizeof *part->row);
    st->used = mark; /* it is written at once */
    return part->row && reach_table_split(&best->table, &best->q, part) ? best : NULL;
}

static int give_part(struct engine *e, struct work *out)
{
    struct reach *st = e->state;
    struct reach_table part;
    struct reach_frame *f = divide(st, &part);
    if (!f)
        return 0;
    st->record.shared = true;
    work_begin_gift(out, false, true, 0);
    reach_names_put(&st->record, out);
    work_put(out, 1);
    put_sequence(e, out, &f->q, &part);
    work_put(out, 0);
    work_end_gift(out);
    if (!out->failed)
        return 1;
    f->table.fixed = part.fixed; /* taken back */
    f->table.ceiling = part.ceiling;
    return 0;
}

static void put_frames(struct engine *e, struct work *w, size_t at, uint32_t n)
{
    struct reach *st = e->state;
    if (n > 1)
        put_frames(e, w, frame_at(st, at)->below, n - 1);
    put_sequence(e, w, &frame_at(st, at)->q, &frame_at(st, at)->table);
}

int reach_checkpoint(struct engine *e, struct work *out)
{
    struct reach *st = e->state;
    if (st->history || st->reduced)
        return 0;
    work_begin(out, WORK_PART);
    work_put(out, 0);
    reach_names_put(&st->record, out);
    work_put(out, st->frames);
    if (st->frames)
        put_frames(e, out, st->top, st->frames);
    work_put(out, !st->nothing);
    if (!st->nothing) {
        put_plan(out, &st->plan);
        put_inputs(e, out, NULL);
    }
    return !out->failed;
}

static void drop_work(struct reach *st)
{
    st->frames = st->plan.count = st->plan.left_count = 0;
    st->used = st->top = 0;
    st->nothing = false;
}

int reach_adopt(struct engine *e, struct work *in)
{
    struct reach *st = e->state;
    if (work_open(in) != WORK_PART || work_get(in))
        return -1;
    drop_work(st);
    e->trace->prefix = e->trace->known = 0;
    if (in->at == in->length) /* the whole search */
        return in->failed ? -1 : 0;
    if (reach_names_get(&st->record, in))
        return -1;
    for (uint64_t n = work_get(in); n > 0; n--)
        if (get_sequence(e, in))
            return -1;
    if (work_get(in))
        return get_plan(st, in) || get_inputs(e, in, NULL) ? -1 : 0;
    st->nothing = !reach_next_variant(e);
    return st->nothing && !st->inputs ? -1 : 0;
}

int reach_give(struct engine *e, enum engine_give why, struct work *out)
{
    if (why == GIVE_PART)
        return give_part(e, out);
    if (why == GIVE_LAST)
        work_begin_gift(out, true, false, 0);
    return why == GIVE_LAST;
}
