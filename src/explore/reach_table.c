/* Construct-Race-Table (000_*.txt, figure 7), one row at a time: the rows are the numbers of a system
 * whose digits are the columns. The next number has the least significant digit that can grow set to
 * its next value and the digits right of it set to 0, or -1 where the event's control structure has
 * changed. A value is skipped if its sending event is removed by another change of the row; unlike in
 * the figure this is asked in both directions (a change further right may also remove the partner chosen
 * by a digit further left), and a value that does not fit is never extended, so that no number that is
 * not a variant is ever formed. */
#include "explore/reach_table.h"

void reach_table_begin(struct reach_table *t, const struct reach_seq *q)
{
    t->columns = t->fixed = 0;
    t->ceiling = -1;
    t->ready = false;
    for (uint32_t k = 0; k < q->count; k++) {
        if (!q->ops[k].race_count || !(q->ops[k].flags & REACH_DONE))
            continue;
        t->heading[t->columns] = k;
        t->row[t->columns++] = 0;
    }
}

static const struct reach_op *column(const struct reach_table *t, const struct reach_seq *q,
                                     uint32_t i)
{
    return &q->ops[t->heading[i]];
}

/* The sending event that value v > 0 stands for; REACH_ELSE, and for a BRANCH the value itself. */
static uint32_t partner_of(const struct reach_table *t, const struct reach_seq *q, uint32_t i,
                           int32_t v)
{
    return q->races[column(t, q, i)->race + (uint32_t)v - 1];
}

/* Does changing r remove the partner of column i? */
static bool removes_partner(const struct reach_table *t, const struct reach_seq *q,
                            const struct reach_op *r, uint32_t i, int32_t v)
{
    uint32_t s = partner_of(t, q, i, v);
    return column(t, q, i)->class != REACH_BRANCH && s < q->count && reach_controls_call(q, r, s);
}

static bool fits(const struct reach_table *t, const struct reach_seq *q, uint32_t i, int32_t v)
{
    for (uint32_t j = 0; j < i; j++) {
        if (t->row[j] <= 0)
            continue;
        if (removes_partner(t, q, column(t, q, j), i, v) ||
            removes_partner(t, q, column(t, q, i), j, t->row[j]))
            return false;
    }
    return true;
}

static bool removed(const struct reach_table *t, const struct reach_seq *q, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (t->row[j] > 0 && reach_controls(q, column(t, q, j), t->heading[i]))
            return true;
    return false;
}

/* The next value of column i, 0 if there is none. */
static int32_t next_value(const struct reach_table *t, const struct reach_seq *q, uint32_t i,
                          int32_t v)
{
    int32_t last = i == t->fixed && t->ceiling >= 0 ? t->ceiling
                                                    : (int32_t)column(t, q, i)->race_count;
    while (++v <= last)
        if (fits(t, q, i, v))
            return v;
    return 0;
}

static void set_value(struct reach_table *t, const struct reach_seq *q, uint32_t i, int32_t v)
{
    t->row[i] = v;
    for (uint32_t j = i + 1; j < t->columns; j++)
        t->row[j] = removed(t, q, j) ? -1 : 0;
}

bool reach_table_next(struct reach_table *t, const struct reach_seq *q)
{
    if (t->ready) {
        t->ready = false;
        return true;
    }
    for (uint32_t i = t->columns; i-- > t->fixed;) {
        int32_t v = t->row[i] < 0 ? 0 : next_value(t, q, i, t->row[i]);
        if (v) {
            set_value(t, q, i, v);
            return true;
        }
    }
    return false;
}

static uint32_t first_to_grow(const struct reach_table *t, const struct reach_seq *q)
{
    uint32_t i = t->fixed;
    while (i < t->columns && (t->row[i] < 0 || !next_value(t, q, i, t->row[i])))
        i++;
    return i;
}

bool reach_table_rest(const struct reach_table *t, const struct reach_seq *q)
{
    return first_to_grow(t, q) < t->columns;
}

/* The most significant column that can grow is divided: its upper values go to the part, which begins
 * with the first of them. */
bool reach_table_split(struct reach_table *t, const struct reach_seq *q, struct reach_table *part)
{
    uint32_t i = first_to_grow(t, q);
    if (i == t->columns)
        return false;
    int32_t first = next_value(t, q, i, t->row[i]), half = first;
    bool step = false;
    for (int32_t v = first; (v = next_value(t, q, i, v)) != 0; step = !step)
        if (!step)
            half = next_value(t, q, i, half);
    int32_t *row = part->row;
    for (uint32_t j = 0; j < t->columns; j++)
        row[j] = t->row[j];
    *part = *t;
    part->row = row;
    part->fixed = i;
    part->ceiling = i == t->fixed ? t->ceiling : -1;
    part->ready = true;
    set_value(part, q, i, half);
    t->fixed = i;
    t->ceiling = half - 1;
    return true;
}

struct derivation {
    const struct reach_seq *q;
    const struct reach_table *t;
    struct reach_plan *p;
    uint32_t changes; /* entries of t->changed */
};

#define FOR_CHANGES(d, i)                                                                          \
    for (uint32_t n_ = 0, i; n_ < (d)->changes && (i = (d)->t->changed[n_], true); n_++)

/* The changed column that operation k is, or -1. */
static int32_t changed_column(const struct derivation *d, uint32_t k)
{
    FOR_CHANGES (d, i)
        if (d->t->heading[i] == k)
            return (int32_t)i;
    return -1;
}

static bool call_removed(const struct derivation *d, uint32_t k)
{
    FOR_CHANGES (d, i)
        if (reach_controls_call(d->q, column(d->t, d->q, i), k))
            return true;
    return false;
}

static bool event_removed(const struct derivation *d, uint32_t k)
{
    FOR_CHANGES (d, i)
        if (reach_controls(d->q, column(d->t, d->q, i), k))
            return true;
    return false;
}

/* Figure 10, lines 6 to 9: does the receiving event of op happen before a changed one in the variant? */
static bool before_a_change(const struct derivation *d, const struct reach_op *op)
{
    FOR_CHANGES (d, i)
        if (reach_controls(d->q, op, d->t->heading[i]) ||
            removes_partner(d->t, d->q, op, i, d->t->row[i]))
            return true;
    return false;
}

static struct reach_plan_op *append(const struct derivation *d, const struct reach_op *op)
{
    struct reach_plan_op *p = &d->p->ops[d->p->count++];
    *p = (struct reach_plan_op){.thread = op->thread,
                                .class = (uint8_t)op->class,
                                .kind = op->kind,
                                .index = op->index};
    return p;
}

static void receive_from(const struct reach_seq *q, struct reach_plan_op *p, uint32_t send)
{
    if (send < q->count) {
        p->sender = q->ops[send].thread;
        p->value = q->ops[send].index;
    } else {
        p->value = send;
    }
}

static void keep(const struct derivation *d, const struct reach_op *op)
{
    struct reach_plan_op *p = append(d, op);
    p->black = op->flags & REACH_BLACK || before_a_change(d, op);
    if (op->class == REACH_RECEIVE)
        receive_from(d->q, p, op->partner);
    else if (op->class == REACH_BRANCH)
        p->value = op->partner;
}

static void change(const struct derivation *d, uint32_t i)
{
    const struct reach_op *r = column(d->t, d->q, i);
    uint32_t s = partner_of(d->t, d->q, i, d->t->row[i]);
    struct reach_plan_op *p = append(d, r->class == REACH_OBJECT ? &d->q->ops[s] : r);
    p->black = 1;
    if (r->class == REACH_RECEIVE)
        receive_from(d->q, p, s);
    else if (r->class == REACH_BRANCH)
        p->value = s;
}

static void leave(const struct derivation *d, enum reach_left_kind kind, uint32_t number,
                  const struct reach_op *op)
{
    d->p->left[d->p->left_count++] = (struct reach_left){kind, number, op->index, op->kind};
}

/* Is the sending event of a receiving event gone? For a receive that is the send it received from. */
static bool unmatched(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    if (op->flags & REACH_UNMATCHED)
        return true;
    if (op->class == REACH_OBJECT)
        return call_removed(d, k);
    return op->class == REACH_RECEIVE && op->partner < d->q->count && call_removed(d, op->partner);
}

/* A call that the variant has, whose completion it may not have. (If it is the new partner of a changed
 * event, or was ended by something else, the thread's place in the plan tells.) */
static bool left_pending(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    return op->class == REACH_OBJECT && !(op->flags & REACH_UNMATCHED) && !call_removed(d, k);
}

static void derive_op(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    if (op->class == REACH_SEND) {
        if (!call_removed(d, k))
            keep(d, op);
        return;
    }
    int32_t change_of = changed_column(d, k);
    if (change_of >= 0 && op->class == REACH_BRANCH) {
        change(d, (uint32_t)change_of);
        return;
    }
    bool here = op->flags & (REACH_DONE | REACH_UNMATCHED) && !event_removed(d, k);
    if (here && change_of < 0 && !unmatched(d, k)) {
        keep(d, op);
        return;
    }
    if (here && change_of < 0 && op->class == REACH_OBJECT)
        leave(d, REACH_LEFT_OBJECT, op->object, op);
    else if (here && change_of < 0 && op->class == REACH_RECEIVE)
        leave(d, REACH_LEFT_RECEIVE, op->thread, op);
    if (left_pending(d, k))
        leave(d, REACH_LEFT_CALL, op->thread, op);
}

void reach_derive(const struct reach_seq *q, const struct reach_table *t, struct reach_plan *p)
{
    struct derivation d = {q, t, p, 0};
    for (uint32_t i = 0; i < t->columns; i++)
        if (t->row[i] > 0)
            t->changed[d.changes++] = i;
    p->count = p->left_count = 0;
    for (uint32_t k = 0; k < q->count; k++)
        derive_op(&d, k);
    FOR_CHANGES (&d, i)
        if (column(t, q, i)->class != REACH_BRANCH)
            change(&d, i);
}
