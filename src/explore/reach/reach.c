/* Reachability testing (000_*.txt, figures 9 and 10): run the program, find out which receiving events
 * could have had another sending partner, derive the variants, run each of them as a prefix and let the
 * program go on as it likes, and so on. Colours and the removal of old sending events see to it that
 * every partially ordered SYN-sequence is exercised exactly once without any of them being saved.
 *
 * A variant is run as a plan: its completed operations in an order that extends its partial order.
 * Behind the plan any enabled thread may go on (the seed decides), except that a receiving event of the
 * variant whose partner was removed must not be matched with a sending event of the variant. If nothing
 * else is left to do, the execution is given up: a partial run, whose sequence is analysed like any other
 * (section VII.C, figure 11). */
#include "explore/reach/reach.h"
#include "object/object.h"
#include "explore/reach/reach_names.h"

static int reach_init(struct engine *e)
{
    struct reach *st = e->state = arena_alloc(e->arena, sizeof *st);
    if (!st || reach_setup(e, st))
        return -1;
    bool history = reach_option(e, "history") != NULL;
    bool reduced = reach_option(e, "pv") || reach_option(e, "symmetry") || reach_option(e, "messages");
    st->record.ordered = history || reduced;
    if ((history && reach_history_setup(e, st)) || (reduced && reach_reduced_setup(e, st)))
        return -1;
    e->awaits = e->only_rounds = e->lock_rounds = e->meets = 1;
    st->record.lessons = e->lessons;
    st->record.limits = e->limits;
    reach_names_learn(&st->record);
    st->record.symmetric = reach_option(e, "symmetric");
    st->less = (struct reach_reductions){.pv = reach_option(e, "paper-pv") != NULL,
                                         .symmetry = reach_option(e, "paper-symmetry") != NULL,
                                         .messages = reach_option(e, "paper-messages") != NULL,
                                         .class_of = st->class_of,
                                         .uniform = st->record.uniform};
    if (st->less.pv || st->less.symmetry || st->less.messages)
        e->incomplete = "the reductions of the paper (--reduce=paper-…) leave out races that can be the only "
                        "way to others, so behaviours may be missing; without paper- they keep them all";
    return 0;
}

static void note_left(struct reach *st, const struct reach_left *l)
{
    uint32_t run = st->record.run;
    switch (l->kind) {
    case REACH_LEFT_CALL:
        st->unmatched_reads |= reach_is_read(&st->record, (uint8_t)l->called);
        st->left_call[l->number] = (struct reach_call_left){run, l->index, l->called, l->open};
        break;
    case REACH_LEFT_BRANCH:
        st->left_branch[l->number] = (struct reach_branch_left){run, l->index};
        break;
    case REACH_LEFT_OBJECT:
        st->left_object[l->number] = run;
        st->unmatched++;
        break;
    default:
        st->left_receive[l->number] = run;
        st->unmatched++;
    }
}

/* What an execution does behind its plan depends on the plan and the seed alone: whoever runs it, when,
 * and how often. */
static void seed_execution(struct reach *st, uint64_t seed)
{
    const struct reach_child *threads = st->record.children;
    uint64_t h = seed;
    for (uint32_t i = 0; i < st->plan.count; i++) {
        const struct reach_plan_op *p = &st->plan.ops[i];
        bool from = p->class == REACH_RECEIVE && p->sender != REACH_ANYBODY;
        uint64_t receives = from ? threads[p->sender].path : 0;
        h += threads[p->thread].path ^ (receives * 3 + ((uint64_t)p->index << 32 | p->value));
        h = rng_mix(&h);
    }
    rng_seed(&st->rng, h);
}

static void reach_begin(struct engine *e)
{
    struct reach *st = e->state;
    reach_record_begin(&st->record);
    seed_execution(st, e->config->seed);
    st->at = 0;
    st->current = NULL;
    st->unmatched = 0;
    st->unmatched_reads = false;
    st->branched = st->lost = st->closed = false;
    for (uint32_t i = 0; i < st->plan.left_count; i++)
        note_left(st, &st->plan.left[i]);
}

/* Choosing ------------------------------------------------------------------------------------- */

/* Is the call that thread t makes or stands before one of the variant? */
static bool old_call(const struct reach *st, uint32_t t, uint32_t index, uint32_t kind)
{
    const struct reach_call_left *l = &st->left_call[t];
    return l->run == st->record.run && l->index == index &&
           !(l->kind && l->kind == operation_of(kind)->instead);
}

/* Has the receive of thread t a message that it may take: not of the variant, in order? */
static bool new_message(const struct reach *st, uint32_t t)
{
    const struct reach_record *r = &st->record;
    for (uint32_t s = 0; s < r->count; s++) {
        const struct reach_op *op = &r->ops[s];
        if (op->class != REACH_SEND || op->partner != REACH_NONE || op->flags & REACH_OLD_CALL)
            continue;
        if (op->order == REACH_FIFO && op->prev != REACH_NONE &&
            r->ops[op->prev].partner == REACH_NONE)
            continue;
        for (uint32_t i = 0; i < r->thread[t].port_count; i++)
            if (r->ports[r->thread[t].ports + i] == op->object)
                return true;
    }
    return false;
}

/* A read of the variant must not get a version of the variant; nor may a compare-exchange write
 * where something else did. */
static bool forbidden_read(struct reach *st, uint32_t t, const struct event *next)
{
    uint32_t object = reach_object_of(&st->record, next).number;
    uint32_t version = reach_version_now(&st->record, object);
    if (version != REACH_INITIAL && !(st->record.ops[version].flags & REACH_OLD_VERSION))
        return false;
    bool taken = next->kind == EV_CAS && st->left_object[object] == st->record.run;
    return old_call(st, t, st->record.thread[t].count, next->kind) && (!st->left_call[t].open || taken);
}

static bool forbidden(struct reach *st, const struct event *next)
{
    uint32_t t = st->record.number[next->thread], run = st->record.run;
    if (operation_is(next->kind, OP_SELECTS))
        return st->left_receive[t] == run && !new_message(st, t);
    if (reach_is_read(&st->record, next->kind))
        return forbidden_read(st, t, next);
    return old_call(st, t, st->record.thread[t].count, next->kind) &&
           st->left_object[reach_object_of(&st->record, next).number] == run;
}

/* A send hurts nobody and gives more to choose from: it goes first. With the P/V reduction so does the
 * V of a counting semaphore, since no race that it wins is explored. */
static int eager(const struct reach *st, const struct decision *d)
{
    TSET_FOR(t, d->enabled)
        if (operation_sends(d->next[t].kind) ||
            (st->less.pv && operation_posts(d->next[t].kind) && !st->unmatched))
            return t;
    return -1;
}

/* Is there a thread with a smaller number that could do the same instead? */
static bool represented(const struct reach *st, const struct decision *d, int t)
{
    const struct event *a = &d->next[t];
    uint32_t me = st->record.number[t], class = st->record.thread[me].symmetry;
    if (!class)
        return false;
    TSET_FOR(o, d->enabled) {
        const struct event *b = &d->next[o];
        uint32_t other = st->record.number[o];
        if (other < me && st->record.thread[other].symmetry == class && a->kind == b->kind &&
            a->object == b->object && a->pc == b->pc)
            return true;
    }
    return false;
}

static int choose_freely(struct reach *st, const struct decision *d)
{
    int first = eager(st, d);
    if (first >= 0)
        return first;
    struct tset allowed = *d->enabled;
    if (st->unmatched || st->unmatched_reads)
        TSET_FOR(t, d->enabled)
            if (forbidden(st, &d->next[t]))
                tset_remove(&allowed, t);
    if (st->less.symmetry)
        TSET_FOR(t, d->enabled)
            if (represented(st, d, t))
                tset_remove(&allowed, t);
    int n = tset_count(&allowed);
    if (n == 0) {
        st->partial++;
        return ENGINE_ABANDON;
    }
    return n == 1 ? tset_first(&allowed) : tset_nth(&allowed, (int)rng_below(&st->rng, (uint32_t)n));
}

/* The plan wants an operation that is not possible here: does the thread stand before it, as the sequence
 * that the plan was derived from made believe, and cannot go on because of what the object is (spins,
 * polls, locks what it has, waits and nobody has asked it to end yet)? */
static bool closed(const struct reach *st, const struct decision *d, int t)
{
    const struct reach_plan_op *p = st->current;
    if (t >= d->threads || !tset_has(d->live, t))
        return false;
    return d->next[t].flags & EVENT_SPINNING ||
           (p->changed && st->record.thread[p->thread].count == p->index);
}

/* Does the thread stand before this operation of the plan, and would only go round its loop? */
static bool goes_round(const struct reach *st, const struct decision *d, const struct reach_plan_op *p)
{
    int t = st->record.thread[p->thread].runtime;
    return p->thread < st->record.threads && t < d->threads && tset_has(d->live, t) &&
           d->next[t].flags & EVENT_SPINNING && st->record.thread[p->thread].count == p->index;
}

/* A read that the plan keeps as it was, of the same version, would only go round its loop: perhaps that was
 * not known yet when the sequence was recorded from which the plan was derived. */
static bool outdated(const struct reach *st, const struct decision *d)
{
    const struct reach_plan_op *p = st->current;
    return p->class == REACH_READ && !p->changed && goes_round(st, d, p);
}

/* The read would only go round its loop, and the variant has no later version for it: it waits. */
static bool waits_instead(struct reach *st, const struct decision *d, const struct reach_plan_op *p)
{
    if (!p->may_wait || !goes_round(st, d, p))
        return false;
    st->left_call[p->thread] = (struct reach_call_left){st->record.run, p->index, p->kind, false};
    st->unmatched_reads = true;
    return true;
}

static int reach_choose(struct engine *e, const struct decision *d)
{
    struct reach *st = e->state;
    if (st->nothing)
        return ENGINE_ABANDON;
    while (st->at < st->plan.count && (st->plan.ops[st->at].class == REACH_BRANCH ||
                                       waits_instead(st, d, &st->plan.ops[st->at])))
        st->at++;
    if (st->at == st->plan.count) {
        st->current = NULL;
        return choose_freely(st, d);
    }
    st->current = &st->plan.ops[st->at++];
    int t = st->record.thread[st->current->thread].runtime;
    if (st->current->thread >= st->record.threads || !tset_has(d->enabled, t)) {
        *(closed(st, d, t) ? &st->closed : &st->lost) = true;
        st->outdated = st->learnt && outdated(st, d);
        return ENGINE_ABANDON;
    }
    return t;
}

/* Recording ------------------------------------------------------------------------------------ */

/* A call of the variant. A read that was not to get its last version is old, too: nor can it write
 * there, if it is a compare-exchange. */
static void flag_call(struct reach *st, struct reach_op *op)
{
    if (!old_call(st, op->thread, op->index, op->kind))
        return;
    bool settled = op->class == REACH_READ && !st->left_call[op->thread].open;
    op->flags |= (uint8_t)(REACH_OLD_CALL | (settled ? REACH_OLD : 0));
}

static void match_left(struct reach *st, struct reach_op *op)
{
    uint32_t *left = op->class == REACH_OBJECT    ? &st->left_object[op->object]
                     : op->class == REACH_RECEIVE ? &st->left_receive[op->thread]
                                                  : NULL;
    if (left && *left == st->record.run) {
        *left = 0;
        st->unmatched--;
        op->flags |= REACH_OLD;
    }
    if (op->class == REACH_OBJECT || op->class == REACH_READ)
        flag_call(st, op);
}

static void set_flags(struct reach *st, struct reach_op *op)
{
    if (st->current)
        op->flags |= (uint8_t)(REACH_OLD | REACH_OLD_CALL |
                               (st->current->black ? REACH_BLACK : 0) |
                               (st->current->changed ? 0 : REACH_OLD_VERSION));
    else
        match_left(st, op);
}

/* A compare-exchange may turn out to be what it should not be, if contents are not as recorded. */
static bool as_foreseen(const struct reach_plan_op *p, const struct reach_op *op)
{
    if (!p->exchange || !op->twin)
        return !p->exchange == !op->twin && (p->class == REACH_READ) == (op->class == REACH_READ);
    return (p->exchange == REACH_SUCCEEDS) == (op->class == REACH_OBJECT);
}

static void reach_observe(struct engine *e, const struct event *ev)
{
    struct reach *st = e->state;
    uint32_t from = st->record.count;
    struct reach_op *op = reach_record_event(&st->record, ev, e->trace->event_count - 1);
    if (!op)
        return;
    if (st->record.overlooked)
        e->incomplete = "reachability testing does not order a loop that waits with all it looks at "
                        "(--engine optimal does)";
    if (operation_of(ev->kind)->role[0] == ROLE_CANCEL && st->reduced)
        e->incomplete = "--reduce does not know how pthread_cancel ends waits (leave it out)";
    /* To it posts are not alike. */
    if (operation_of(ev->kind)->role[0] == ROLE_SEM_READ && reach_option(e, "pv"))
        e->incomplete = "--reduce=pv loses orders in programs that ask for the value of a semaphore "
                        "(leave it out)";
    set_flags(st, op);
    st->mistaken |= st->current && !as_foreseen(st->current, op);
    for (uint32_t k = from; k < st->record.count; k++) { /* calls it ended, the other half of it */
        struct reach_op *o = &st->record.ops[k];
        if (o != op && st->current)
            o->flags |= REACH_OLD_CALL;
        else if (o != op)
            flag_call(st, o);
    }
    if (!st->branched)
        return;
    reach_record_chosen(&st->record, reach_note_branch(st), ev);
    st->branched = false;
    st->on.condition = 0;
}

static void note_pending(struct reach *st, const struct event *next)
{
    struct reach_op *op = reach_record_pending(&st->record, next);
    if (op)
        flag_call(st, op);
    if (op && op->twin)
        flag_call(st, op - 1);
}

static void note_unmatched(struct reach *st, enum reach_class class, uint32_t thread,
                           uint32_t object)
{
    struct reach_record *r = &st->record;
    struct reach_op *op = &r->ops[r->count++];
    *op = (struct reach_op){.thread = (uint16_t)thread,
                            .class = (uint16_t)class,
                            .flags = REACH_UNMATCHED | REACH_OLD,
                            .index = r->thread[thread].count,
                            .object = object,
                            .partner = REACH_NONE,
                            .prev = REACH_NONE};
}

static void reach_ended(struct engine *e, const struct decision *d)
{
    struct reach *st = e->state;
    for (uint32_t i = 0; st->unmatched && i < st->plan.left_count; i++) {
        const struct reach_left *l = &st->plan.left[i];
        if (l->kind == REACH_LEFT_OBJECT && st->left_object[l->number] == st->record.run)
            note_unmatched(st, REACH_OBJECT, 0, l->number);
        if (l->kind == REACH_LEFT_RECEIVE && st->left_receive[l->number] == st->record.run)
            note_unmatched(st, REACH_RECEIVE, l->number, 0);
    }
    TSET_FOR(t, d->live)
        note_pending(st, &d->next[t]);
}

/* Whatever there is to learn about objects and loops is learnt a few times. */
static int begin_anew(struct engine *e)
{
    struct reach *st = e->state;
    if (++st->begun > 1000) {
        e->incomplete = "what belongs together as one object, or only goes round a loop, changes again "
                        "and again";
        return 0;
    }
    st->plan.count = st->plan.left_count = 0;
    st->frames = 0;
    st->used = st->top = 0;
    st->hard = st->learnt = st->outdated = st->mistaken = false;
    if (st->history)
        reach_history_forget(st);
    if (st->reduced)
        reach_reduced_forget(st);
    return ENGINE_AGAIN;
}

static int reach_end(struct engine *e, enum outcome o)
{
    struct reach *st = e->state;
    e->trace->prefix = e->trace->known = 0;
    if (e->retry) { /* somebody only went round a loop: the same again, without that round */
        e->retry = 0;
        st->learnt |= st->frames || e->config->jobs > 1;
        return 1;
    }
    st->plan.count = st->plan.left_count = 0;
    if (st->nothing) {
        st->nothing = false;
        return 0;
    }
    if (st->mistaken) {
        (st->record.exchanges_write ? reach_order_reads : reach_order_exchanges)(&st->record);
        return begin_anew(e);
    }
    if (st->record.rebound || st->outdated) /* what is pending was said about other objects or looks */
        return begin_anew(e);
    if (st->lost)
        e->incomplete = "the program did not follow a synchronization sequence that it had shown";
    else if (!st->closed)
        reach_collect(e);
    if (st->record.full)
        limit_reached(e->limits, LIMIT_SEQUENCE, 0);
    bool more = reach_next_variant(e);
    if (!st->hard)
        return more;
    reach_order_reads(&st->record);
    return begin_anew(e);
}

const struct engine_class engine_reach = {
    .guarantee = "every partially ordered synchronization sequence",
    .settings = "pv symmetry messages paper-pv paper-symmetry paper-messages history",
    .needs_ends = 1,
    .inputs = 1,
    .suits = 1,
    .init = reach_init,
    .begin = reach_begin,
    .choose = reach_choose,
    .branch = reach_branch,
    .observe = reach_observe,
    .ended = reach_ended,
    .end = reach_end,
    .describe = reach_describe,
    .adopt = reach_adopt,
    .save = reach_checkpoint,
    .give = reach_give,
};
