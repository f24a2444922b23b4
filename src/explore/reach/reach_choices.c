/* Choices of a run: of values, of messages to be received, and which side a branch on an input goes.
 * Those that the plan has are made so, others freely (reach.c). */
#include "explore/reach/reach.h"
#include "object/object.h"

static const struct reach_plan_op *planned_branch(const struct reach *st, uint32_t t,
                                                  uint32_t index)
{
    for (uint32_t i = 0; i < st->plan.count; i++) {
        const struct reach_plan_op *p = &st->plan.ops[i];
        if (p->class == REACH_BRANCH && p->thread == t && p->index == index)
            return p;
    }
    return NULL;
}

struct reach_op *reach_note_branch(struct reach *st)
{
    const struct reach_plan_op *b = &st->branch;
    struct reach_op *op = reach_record_branch(&st->record, b->thread, b->value, b->index);
    op->condition = st->on.condition;
    op->site = st->on.site;
    op->bit = st->on.bit;
    if (b->class == REACH_BRANCH)
        op->flags |= (uint8_t)(REACH_OLD | REACH_OLD_CALL | (b->black ? REACH_BLACK : 0));
    return op;
}

/* In st->branch: value = the value, index = the number of values, class = BRANCH if planned. */
static int choose_value(struct reach *st, const struct event *op, int n)
{
    uint32_t t = st->record.number[op->thread];
    bool within = event_class(op->kind) != CLASS_LOCAL;
    const struct reach_plan_op *p = planned_branch(st, t, st->record.thread[t].count + within);
    st->branch = (struct reach_plan_op){.thread = (uint16_t)t, .index = (uint32_t)n};
    if (p && p->value < (uint32_t)n) {
        st->branch.class = REACH_BRANCH;
        st->branch.value = p->value;
        st->branch.black = p->black;
    } else {
        st->branch.value = rng_below(&st->rng, (uint32_t)n);
    }
    if (within)
        st->branched = true; /* it is recorded behind its operation */
    else
        reach_note_branch(st);
    return (int)st->branch.value;
}

/* On an input. Those of the plan go the way it wants, since the inputs were chosen for that. */
static int choose_side(struct engine *e, const struct event *op)
{
    struct reach *st = e->state;
    uint32_t t = st->record.number[op->thread], index = st->record.thread[t].count + e->symbolic.within;
    if (st->history || st->reduced) {
        e->incomplete = "--reduce and history do not explore inputs (leave them out)";
        return e->usual;
    }
    const struct reach_plan_op *p = planned_branch(st, t, index);
    if (p && p->value != (uint32_t)e->usual) {
        st->lost = true;
        return ENGINE_ABANDON;
    }
    st->inputs = true;
    st->branch = (struct reach_plan_op){.thread = (uint16_t)t, .index = 2, .value = (uint32_t)e->usual,
                                        .class = p ? REACH_BRANCH : 0, .black = p && p->black};
    st->on.condition = e->symbolic.condition;
    st->on.bit = e->symbolic.bit;
    st->on.site = (uint32_t)op->pc;
    if (st->left_branch[t].run == st->record.run && st->left_branch[t].index == index) {
        struct reach_op *left = reach_note_branch(st);
        left->flags = REACH_OLD | REACH_OLD_CALL;
        left->partner ^= 1; /* the side that it should have gone */
        st->on.condition = 0;
        return ENGINE_STAY;
    }
    if (e->symbolic.within) {
        st->branched = true;
        return e->usual;
    }
    reach_note_branch(st);
    st->on.condition = 0;
    return e->usual;
}

static uint32_t op_sent_at(const struct reach_record *r, uint32_t event)
{
    for (uint32_t k = r->count; k-- > 0;)
        if (r->ops[k].class == REACH_SEND && r->ops[k].event == event)
            return k;
    return REACH_ELSE;
}

static bool planned_message(const struct reach *st, uint32_t send)
{
    if (send == REACH_ELSE)
        return st->current->value == REACH_ELSE;
    const struct reach_op *s = &st->record.ops[send];
    if (st->current->sender == REACH_ANYBODY)
        return s->object == st->current->value;
    return s->thread == st->current->sender && s->index == st->current->value;
}

static bool may_receive(const struct reach *st, uint32_t t, uint32_t send)
{
    if (st->current)
        return planned_message(st, send);
    return st->left_receive[t] != st->record.run ||
           (send != REACH_ELSE && !(st->record.ops[send].flags & REACH_OLD_CALL));
}

/* Is there a message of an interchangeable thread with a smaller number? */
static bool message_represented(const struct engine *e, uint32_t send, int n)
{
    const struct reach *st = e->state;
    const struct reach_record *r = &st->record;
    if (!st->less.symmetry || st->current || send == REACH_ELSE)
        return false;
    const struct reach_op *a = &r->ops[send];
    for (int i = 0; i < n && r->thread[a->thread].symmetry; i++) {
        uint32_t o = op_sent_at(r, e->candidates[i]);
        const struct reach_op *b = &r->ops[o];
        if (o != REACH_ELSE && b->thread < a->thread && a->object == b->object &&
            a->site == b->site && r->thread[a->thread].symmetry == r->thread[b->thread].symmetry)
            return true;
    }
    return false;
}

static int choose_message(struct engine *e, const struct event *op, int n)
{
    struct reach *st = e->state;
    uint32_t t = st->record.number[op->thread], seen = 0;
    int pick = ENGINE_ABANDON;
    for (int i = 0; i < n; i++) {
        uint32_t send = op_sent_at(&st->record, e->candidates[i]);
        if (may_receive(st, t, send) && !message_represented(e, send, n) &&
            rng_below(&st->rng, ++seen) == 0)
            pick = i;
    }
    if (pick == ENGINE_ABANDON)
        *(st->current ? &st->lost : &st->record.full) = true;
    return pick;
}

int reach_branch(struct engine *e, const struct event *op, int n)
{
    const struct reach *st = e->state;
    if (st->nothing)
        return ENGINE_ABANDON;
    if (n & (int)STEP_SYMBOLIC)
        return choose_side(e, op);
    return operation_is(op->kind, OP_SELECTS) ? choose_message(e, op, n) : choose_value(e->state, op, n);
}
