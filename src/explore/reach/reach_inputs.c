/* Branches on inputs (STEP_SYMBOLIC). To reachability testing they are choices of two values like
 * raddle_choose(), but not all of them go together: a variant exists only if some input leads along all of
 * its branches. What a branch depends on is in its control structure, so its condition is the same wherever
 * it is kept, and conditions can be asked for before a variant is run:
 *
 *   - a side that does not go with what the branch depends on is not a race;
 *   - if the changes, what happens before them and what is black do not go together, no sequence has these
 *     changes, nor these and more;
 *   - a kept branch that does not go with them is given up: its other side is in another row of the table,
 *     but its thread may come to something else instead if what it received before is changed, for which
 *     there may be new sending events in this variant. So its thread stays there, the others go on, and the
 *     partial run is analysed like any other (figure 11). The branch is tried again when what contradicts
 *     it has gone. If it is made within an operation, the operation is given up.
 *
 * The inputs of a run satisfy the conditions of its plan before it begins, so branches that are not in the
 * plan go whichever way these inputs lead. */
#include "explore/reach/reach.h"

#include "base/ensure.h"

static bool on_input(const struct reach_op *op)
{
    return op->class == REACH_BRANCH && op->condition;
}

/* ---- the sides that a branch has ------------------------------------------------------------- */

/* Does the other side go with what branch k depends on? */
static bool other_side(struct engine *e, const struct reach_seq *q, uint32_t k)
{
    ensure(k < q->count);
    struct reach *st = e->state;
    uint32_t n = 0;
    for (uint32_t a = 0; a < k; a++)
        if (on_input(&q->ops[a]) && reach_controls(q, &q->ops[a], k))
            st->wishes[n++] = (struct wish){q->ops[a].condition, q->ops[a].partner != 0};
    st->wishes[n++] = (struct wish){q->ops[k].condition, !q->ops[k].partner};
    return e->suit(st->wishes, n, n, st->holds);
}

/* Bits of the same value before this one that could be otherwise. */
static uint32_t free_bits_before(const struct reach_seq *q, uint32_t k)
{
    ensure(k < q->count && q->ops[k].bit);
    uint32_t n = 0, next = q->ops[k].index;
    for (uint32_t a = k; a-- > 0;) {
        const struct reach_op *op = &q->ops[a];
        if (op->thread != q->ops[k].thread)
            continue;
        if (!op->bit || op->site != q->ops[k].site || op->index + 1 != next)
            break;
        n += op->open;
        next = op->index;
    }
    return n;
}

void reach_open_sides(struct engine *e, struct reach_seq *q)
{
    for (uint32_t k = 0; k < q->count; k++) {
        struct reach_op *op = &q->ops[k];
        if (!on_input(op) || !(op->flags & REACH_DONE) || (!op->race_count && !op->bit))
            continue;
        op->open = other_side(e, q, k);
        if (op->open && op->bit && 2u << free_bits_before(q, k) > e->config->concretise)
            op->open = !e->made_concrete(op->condition);
        op->race_count = op->open ? op->race_count : 0;
    }
}

/* ---- the inputs of a variant ------------------------------------------------------------------ */

/* Could another sending event take the place of one that k depends on? Sides of branches are other rows. */
static bool can_change(const struct reach_seq *q, uint32_t k)
{
    ensure(k < q->count);
    for (uint32_t a = 0; a < q->count; a++) {
        const struct reach_op *op = &q->ops[a];
        bool receives = op->class == REACH_OBJECT || op->class == REACH_READ || op->class == REACH_RECEIVE;
        if (receives && op->flags & REACH_DONE && !(op->flags & REACH_BLACK) && reach_controls(q, op, k))
            return true;
    }
    return false;
}

/* The branches of the variant as wishes, those that must hold first; st->wished[i] is the operation. */
static uint32_t collect_wishes(struct reach *st, const struct reach_frame *f, uint32_t *must)
{
    const struct reach_seq *q = &f->q;
    uint32_t n = 0;
    for (int needed = 1; needed >= 0; needed--) {
        for (uint32_t k = 0; k < q->count; k++) {
            enum reach_place place = on_input(&q->ops[k]) ? reach_place(q, &f->table, k) : REACH_NOWHERE;
            if (place == REACH_NOWHERE || (place == REACH_NEEDED) != needed)
                continue;
            st->wished[n] = k;
            st->wishes[n++] = (struct wish){q->ops[k].condition, reach_value(q, &f->table, k) != 0};
        }
        *must = needed ? n : *must;
    }
    return n;
}

/* A kept branch that does not hold; REACH_NONE: all do. */
static uint32_t contradiction(const struct reach *st, const struct reach_seq *q, uint32_t n)
{
    uint32_t first = REACH_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (!st->holds[i] && q->ops[st->wished[i]].flags & REACH_DONE && st->wished[i] < first)
            first = st->wished[i];
    return first;
}

static bool give_up(struct reach_frame *f, uint32_t k)
{
    const struct reach_seq *q = &f->q;
    ensure(k > 0 || !q->ops[k].kind);
    k -= q->ops[k].kind != 0; /* recorded behind its operation */
    if (q->ops[k].class != REACH_BRANCH ? q->ops[k].flags & REACH_BLACK : !can_change(q, k))
        return false;
    return reach_give_up(&f->table, q, k);
}

/* Those never executed that hold now are in the plan. */
static void take_up(struct reach *st, struct reach_frame *f, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (st->holds[i] && !(f->q.ops[st->wished[i]].flags & REACH_DONE))
            reach_take_up(&f->table, st->wished[i]);
}

bool reach_suits(struct engine *e, struct reach_frame *f)
{
    struct reach *st = e->state;
    uint32_t must = 0, n, k;
    if (!st->inputs)
        return true;
    do {
        n = collect_wishes(st, f, &must);
        if (!e->suit(st->wishes, n, must, st->holds)) {
            reach_table_dead_end(&f->table);
            return false;
        }
        k = contradiction(st, &f->q, n);
    } while (k != REACH_NONE && give_up(f, k));
    if (k != REACH_NONE)
        return false;
    take_up(st, f, n);
    return true;
}
