/* Construct-Race-Table (000_*.txt, figure 7), one row at a time: the rows are the numbers of a system
 * whose digits are the columns. The next number has the least significant digit that can grow set to
 * its next value and the digits right of it set to 0, or -1 where the event's control structure has
 * changed. A value is skipped if its sending event is removed by another change of the row; unlike in
 * the figure this is asked in both directions (a change further right may also remove the partner chosen
 * by a digit further left), and a value that does not fit is never extended, so that no number that is
 * not a variant is ever formed; except that reads of variables, each of which could have had another
 * version, may not be possible together. */
#include "explore/reach/reach_table.h"

#include "base/ensure.h"

void reach_table_begin(struct reach_table *t, const struct reach_seq *q)
{
    t->columns = t->fixed = 0;
    t->ceiling = -1;
    t->ready = t->hard = false;
    t->dead_end = 0;
    for (uint32_t k = 0; k < q->count; k++) {
        bool there = q->ops[k].flags & REACH_DONE || q->ops[k].class == REACH_READ;
        if (!q->ops[k].race_count || !there)
            continue;
        t->heading[t->columns] = k;
        t->row[t->columns++] = 0;
    }
}

static const struct reach_op *column(const struct reach_table *t, const struct reach_seq *q,
                                     uint32_t i)
{
    ensure(i < t->columns);
    return &q->ops[t->heading[i]];
}

/* What value v > 0 of column i stands for. */
static struct reach_change change_of(const struct reach_table *t, const struct reach_seq *q,
                                     uint32_t i, int32_t v)
{
    ensure(i < t->columns);
    const struct reach_op *r = column(t, q, i);
    return (struct reach_change){t->heading[i], q->races[r->race + (uint32_t)v - 1]};
}

/* Does the change make event k, which is not what it changes, impossible, since a compare-exchange
 * takes the place of something else? Then it does not do what its other half is, and what happens
 * after that does not happen. */
static bool displaces(const struct reach_seq *q, const struct reach_change *c, uint32_t k)
{
    if (q->ops[c->event].class != REACH_OBJECT || reach_twin(q, c->partner) == REACH_NONE)
        return false;
    uint32_t undone = reach_undone(q, c->partner);
    return reach_twin(q, c->partner) == k || (undone != REACH_NONE && reach_controls(q, &q->ops[undone], k));
}

/* … or what the other change needs? */
static bool undoes(const struct reach_seq *q, const struct reach_change *c, const struct reach_change *other)
{
    uint32_t undone = reach_undone_by(q, c);
    return displaces(q, c, other->event) ||
           (undone != REACH_NONE && reach_before_partner(q, &q->ops[undone], other));
}

static bool fits(const struct reach_table *t, const struct reach_seq *q, uint32_t i, int32_t v)
{
    ensure(i < t->columns);
    struct reach_change c = change_of(t, q, i, v);
    for (uint32_t j = 0; j < i; j++) {
        if (t->row[j] <= 0)
            continue;
        struct reach_change before = change_of(t, q, j, t->row[j]);
        if (reach_before_partner(q, column(t, q, j), &c) ||
            reach_before_partner(q, column(t, q, i), &before) || undoes(q, &c, &before) ||
            undoes(q, &before, &c))
            return false;
    }
    return true;
}

static bool removed(const struct reach_table *t, const struct reach_seq *q, uint32_t i)
{
    ensure(i < t->columns);
    for (uint32_t j = 0; j < i; j++) {
        if (t->row[j] <= 0)
            continue;
        struct reach_change c = change_of(t, q, j, t->row[j]);
        if (reach_controls(q, column(t, q, j), t->heading[i]) || displaces(q, &c, t->heading[i]))
            return true;
    }
    return false;
}

/* The next value of column i, 0 if there is none. */
static int32_t next_value(const struct reach_table *t, const struct reach_seq *q, uint32_t i,
                          int32_t v)
{
    ensure(i < t->columns);
    int32_t last = i == t->fixed && t->ceiling >= 0 ? t->ceiling
                                                    : (int32_t)column(t, q, i)->race_count;
    while (++v <= last)
        if (fits(t, q, i, v))
            return v;
    return 0;
}

static void set_value(struct reach_table *t, const struct reach_seq *q, uint32_t i, int32_t v)
{
    ensure(i < t->columns);
    t->row[i] = v;
    for (uint32_t j = i + 1; j < t->columns; j++)
        t->row[j] = removed(t, q, j) ? -1 : 0;
}

static void collect_changes(struct reach_table *t, const struct reach_seq *q)
{
    ensure(t->columns <= q->count);
    t->changes = 0;
    for (uint32_t i = 0; i < t->columns; i++) {
        if (t->row[i] <= 0)
            continue;
        struct reach_change c = change_of(t, q, i, t->row[i]);
        uint32_t undone = reach_undone_by(q, &c);
        t->changed[t->changes++] = c;
        if (undone != REACH_NONE)
            t->changed[t->changes++] = (struct reach_change){undone, REACH_NONE};
    }
}

static bool next_row(struct reach_table *t, const struct reach_seq *q)
{
    if (t->ready) {
        t->ready = false;
        return true;
    }
    uint32_t end = t->dead_end ? t->dead_end : t->columns;
    t->dead_end = 0;
    for (uint32_t i = end; i-- > t->fixed;) {
        int32_t v = t->row[i] < 0 ? 0 : next_value(t, q, i, t->row[i]);
        if (v) {
            set_value(t, q, i, v);
            return true;
        }
    }
    return false;
}

bool reach_table_next(struct reach_table *t, const struct reach_seq *q)
{
    while (next_row(t, q)) {
        collect_changes(t, q);
        if (reach_arrange(t, q))
            return true;
    }
    return false;
}

void reach_table_dead_end(struct reach_table *t)
{
    t->dead_end = t->columns;
    while (t->dead_end > 1 && t->row[t->dead_end - 1] <= 0)
        t->dead_end--;
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
    ensure(t != part);
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
