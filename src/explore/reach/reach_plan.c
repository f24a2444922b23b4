/* From a variant that is in order to the plan that an execution follows: what is to be performed,
 * with which partner, and what is left of operations that are not performed as they were
 * (000_*.txt, figure 10). */
#include "explore/reach/reach_variant.h"

struct derivation {
    const struct reach_seq *q;
    struct reach_table *t;
    struct reach_plan *p;
};

/* Figure 10, lines 6 to 9: does the receiving event of op happen before a changed one in the variant? */
static bool before_a_change(const struct derivation *d, const struct reach_op *op)
{
    FOR_CHANGES (d->t, c)
        if (c->partner == REACH_NONE)
            continue;
        else if (reach_controls(d->q, op, c->event) || reach_before_partner(d->q, op, c))
            return true;
    return false;
}

static struct reach_plan_op *append(const struct derivation *d, const struct reach_op *op)
{
    struct reach_plan_op *p = &d->p->ops[d->p->count++];
    *p = (struct reach_plan_op){.thread = op->thread,
                                .class = (uint8_t)op->class,
                                .kind = op->kind,
                                .exchange = !op->twin                     ? REACH_NO_EXCHANGE
                                            : op->class == REACH_OBJECT ? REACH_SUCCEEDS
                                                                        : REACH_FAILS,
                                .index = op->index};
    return p;
}

static void set_partner(const struct reach_seq *q, const struct reach_op *r, uint32_t partner,
                        struct reach_plan_op *p)
{
    if (reach_any_message(q, r, partner)) {
        p->sender = REACH_ANYBODY;
        p->value = q->ops[partner].object;
    } else if (r->class == REACH_RECEIVE && partner < q->count) {
        p->sender = q->ops[partner].thread;
        p->value = q->ops[partner].index;
    } else if (r->class == REACH_RECEIVE || r->class == REACH_BRANCH) {
        p->value = partner;
    }
}

static void keep(const struct derivation *d, const struct reach_op *op)
{
    struct reach_plan_op *p = append(d, op);
    p->black = op->flags & REACH_BLACK || before_a_change(d, op);
    set_partner(d->q, op, op->partner, p);
}

static bool in_order(const struct derivation *d, uint32_t k)
{
    uint8_t s = d->t->state[k];
    return s == KEPT || s == PLACED;
}

/* A read in a loop may turn out to be sent round again by its new version and to wait for another one.
 * That is a variant of its own if no later version is in it, whose reading is another row, nor is the
 * version that it had missing, so that it waits without being changed. */
static bool may_wait(const struct derivation *d, const struct reach_change *c)
{
    const struct reach_seq *q = d->q;
    const struct reach_op *read = &q->ops[c->event];
    if (read->class != REACH_READ || !(read->flags & REACH_DONE))
        return false;
    if (read->partner != REACH_INITIAL &&
        (!in_order(d, read->partner) || reach_change_at(d->t, read->partner)))
        return false;
    for (uint32_t i = 0; i < d->t->ordered; i++) {
        uint32_t k = d->t->order[i];
        if (q->ops[k].class == REACH_OBJECT && q->ops[k].object == read->object &&
            (c->partner == REACH_INITIAL || k > c->partner))
            return false;
    }
    return true;
}

static void change(const struct derivation *d, const struct reach_change *c)
{
    const struct reach_op *r = &d->q->ops[c->event];
    struct reach_plan_op *p = append(d, r->class == REACH_OBJECT ? &d->q->ops[c->partner] : r);
    p->black = 1;
    p->changed = true;
    p->exchange = reach_wins(d->q, c) ? REACH_SUCCEEDS : p->exchange;
    p->may_wait = p->exchange != REACH_SUCCEEDS && may_wait(d, c);
    set_partner(d->q, r, c->partner, p);
}

static struct reach_left *leave(const struct derivation *d, enum reach_left_kind kind,
                                uint32_t number, const struct reach_op *op)
{
    struct reach_left *l = &d->p->left[d->p->left_count++];
    *l = (struct reach_left){kind, number, op->index, op->kind, false};
    return l;
}

/* Is the call of the operation used by a change? */
static bool used(const struct derivation *d, uint32_t k)
{
    FOR_CHANGES (d->t, c)
        if (d->q->ops[c->event].class == REACH_OBJECT && c->partner == k)
            return true;
    return false;
}

/* The compare-exchange is done in the variant, by its other half. */
static bool done_otherwise(const struct derivation *d, uint32_t k)
{
    uint32_t twin = reach_twin(d->q, k);
    return twin != REACH_NONE && (used(d, twin) || (in_order(d, twin) && !reach_change_at(d->t, twin)));
}

/* Is it the last version of the variant that the sequence was derived from? */
static bool last_of_old(const struct reach_seq *q, uint32_t object, uint32_t version)
{
    if (version != REACH_INITIAL && !(q->ops[version].flags & REACH_OLD_VERSION))
        return false;
    for (uint32_t k = 0; k < q->count; k++)
        if (q->ops[k].class == REACH_OBJECT && q->ops[k].object == object &&
            q->ops[k].flags & REACH_OLD_VERSION && reach_older(version, k))
            return false;
    return true;
}

/* May compare-exchange k, whose call is in the variant, succeed with its last version? If it failed
 * with an earlier one that is there too, that is a row; or it was one before. */
static bool may_win(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    uint32_t last = REACH_INITIAL;
    for (uint32_t i = 0; i < d->t->ordered; i++) {
        uint32_t o = d->t->order[i];
        if (d->q->ops[o].class == REACH_OBJECT && d->q->ops[o].object == op->object && reach_older(last, o)) {
            if (reach_change_at(d->t, o))
                return true; /* a new one */
            last = o;
        }
    }
    if ((op->flags & REACH_DONE && reach_older(op->partner, last)) ||
        (op->flags & REACH_OLD && last_of_old(d->q, op->object, last)))
        return false;
    return reach_succeeds(d->q, k, last);
}

/* A read whose call is in the variant but not its version must get one that is not in the variant. If it
 * was never done it may have the last one, unless that was tried. */
static void leave_read(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    bool tried = op->flags & REACH_OLD_CALL &&
                 (op->partner == REACH_INITIAL || d->q->ops[op->partner].flags & REACH_OLD_VERSION);
    leave(d, REACH_LEFT_CALL, op->thread, op)->open =
        (!(op->flags & REACH_DONE) && !tried && !reach_unmatched(d->q, d->t, k)) ||
        (op->twin && may_win(d, k));
}

/* Does a compare-exchange write the object that failed before? */
static bool won(const struct derivation *d, uint32_t object)
{
    FOR_CHANGES (d->t, c)
        if (d->q->ops[c->event].object == object && reach_wins(d->q, c))
            return true;
    return false;
}

/* Of an operation that is not performed as it was: the receiving event stays without a partner, the call
 * stays pending. (If it is the new partner of a changed event, or was ended by something else, the
 * thread's place in the plan tells.) */
static void leave_parts(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    const struct reach_change *c = reach_change_at(d->t, k);
    bool changed = c && c->partner != REACH_NONE;
    bool here = op->flags & (REACH_DONE | REACH_UNMATCHED) && !reach_event_removed(d->q, d->t, k);
    if (here && !changed && op->class == REACH_OBJECT && !(op->flags & REACH_UNMATCHED && won(d, op->object)))
        leave(d, REACH_LEFT_OBJECT, op->object, op);
    else if (here && !changed && op->class == REACH_RECEIVE)
        leave(d, REACH_LEFT_RECEIVE, op->thread, op);
    if (op->flags & REACH_UNMATCHED || reach_call_removed(d->q, d->t, k))
        return;
    if (op->class == REACH_OBJECT && !op->twin)
        leave(d, REACH_LEFT_CALL, op->thread, op);
    else if (op->class == REACH_READ && !changed && !done_otherwise(d, k))
        leave_read(d, k);
}

/* A branch on an input that does not go with the rest. */
static void leave_branch(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    const struct reach_change *c = reach_change_at(d->t, k);
    bool changed = c && c->partner != REACH_NONE;
    if (op->condition && !changed && !in_order(d, k) && !reach_event_removed(d->q, d->t, k))
        leave(d, REACH_LEFT_BRANCH, op->thread, op);
}

void reach_derive(const struct reach_seq *q, struct reach_table *t, struct reach_plan *p)
{
    struct derivation d = {q, t, p};
    p->count = p->left_count = 0;
    for (uint32_t i = 0; i < t->ordered; i++) {
        const struct reach_change *c = reach_change_at(t, t->order[i]);
        if (c)
            change(&d, c);
        else
            keep(&d, &q->ops[t->order[i]]);
    }
    for (uint32_t k = 0; k < q->count; k++)
        if (q->ops[k].class == REACH_BRANCH)
            leave_branch(&d, k);
        else if (q->ops[k].class != REACH_SEND && (!in_order(&d, k) || reach_change_at(t, k)))
            leave_parts(&d, k);
}
