/* What an execution performs, event by event: each is found in the net or added to it. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"
#include "object/dependence.h"

#include <string.h>

/* What in this execution the event is known by. */
static void note_reads(struct unfold *u, struct net_event *like)
{
    uint32_t count = 0;
    for (int i = 0; i < like->touches; i++) {
        const struct net_condition *c = like->touch[i].at;
        const struct unfold_look *look;
        if (like->past >> i & 1)
            continue;
        for (uint32_t k = u->last_look[c->slot]; k && u->looks[k - 1].at == c; k = look->before) {
            look = &u->looks[k - 1];
            if (net_counts(&u->net, (int)look->role, like->role[i]))
                u->found[count++] = look->event;
        }
    }
    net_set_reads(&u->net, like, u->reads, u->found, count);
}

static const uint64_t locking = ROLE_SET(ACQUIRE) | ROLE_SET(READER_IN) | ROLE_SET(WRITER_IN);
static const uint64_t unlocking = ROLE_SET(RELEASE) | ROLE_SET(READER_OUT) | ROLE_SET(WRITER_OUT);

/* Locks that its thread holds. */
static void note_locks(struct unfold *u, struct net_event *done)
{
    done->to->holds = done->from->holds;
    for (int i = 0; i < done->touches; i++)
        done->to->holds += role_in(locking, done->role[i]) - role_in(unlocking, done->role[i]);
    if (operation_ends(done->kind) && done->to->holds)
        u->left_locked = true;
}

/* Whom the event wakes, and what they will have come after. */
static void note_woken(struct unfold *u, const struct net_event *done, const struct event *ev)
{
    if (unfold_inside(done->kind)) {
        unfold_past_stop(u);
        if (operation_is(done->kind, OP_WAKES_ONE) && done->value)
            u->woken[done->value - 1] = net_put(done, 0);
        return;
    }
    for (int i = 0; i < done->touches; i++) {
        if (done->role[i] == ROLE_WAIT || done->role[i] == ROLE_SIGNAL)
            unfold_past_stop(u);
        if (done->role[i] == ROLE_WAIT)
            u->woken[ev->thread] = NULL;
        if (done->role[i] != ROLE_SIGNAL || !net_put(done, i))
            continue;
        for (int t = 0; t < u->net.threads; t++) {
            const struct net_condition *c = unfold_thread(u, (unsigned)t);
            bool waits = unfold_waits_for_signal(c) &&
                         net_maker(c)->touch[0].at->slot == done->touch[i].at->slot;
            if (waits && !u->woken[t] && object_wakes(ev, (unsigned)t))
                u->woken[t] = net_put(done, i);
        }
    }
}

/* The threads that a signal on the condition may wake, by number. */
static int waiters(struct unfold *u, uint32_t slot, uint16_t *numbers)
{
    int count = 0;
    for (uint32_t t = 0; t < u->names.threads; t++) {
        const struct net_condition *c = unfold_numbered(u, t);
        if (unfold_waits_for_signal(c) && !u->woken[unfold_names_name(&u->names, t)] &&
            net_maker(c)->touch[0].at->slot == slot)
            numbers[count++] = (uint16_t)t;
    }
    return count;
}

int unfold_choice(struct engine *e, const struct event *op, int n, int i)
{
    struct unfold *u = e->state;
    uint16_t numbers[EVENT_MAX_THREADS] = {0};
    uint64_t ports[EVENT_MAX_THREADS] = {0};
    int count = 0;
    if (operation_is(op->kind, OP_WAKES_ONE))
        count = waiters(u, net_object_slot(&u->net, op->object, 0), numbers);
    else if (operation_is(op->kind, OP_SELECTS) && n < EVENT_MAX_THREADS)
        for (; count < n; count++) {
            uint32_t send = e->candidates[count];
            numbers[count] = send == UINT32_MAX ? 0 : e->trace->events[send].thread;
            ports[count] = send == UINT32_MAX ? 0 : e->trace->events[send].object;
        }
    else if (operation_of(op->kind)->object != OBJECT_FUTEX)
        return i; /* it is not among threads */
    if (count != n) {
        unfold_not_known(e, op);
        return i;
    }
    return unfold_names_choice(&u->names, numbers, ports, n, i);
}

/* Nobody else matters to the operation: whether its thread holds a lock. */
static void note_own(struct net_condition *c, const struct event *ev)
{
    for (const struct net_want *w = net_wants(c); w; w = w->next)
        c->owns |= w->kind == ev->kind && object_role(ev) == ROLE_OWN;
}

/* The event of the net that ev is; roles and takes: what it does to what it touches. */
static void recognise(struct unfold *u, const struct event *ev, const struct act *act,
                      const struct net_want *w, bool *takes, struct net_event *like)
{
    uint8_t roles[NET_TOUCHES] = {(uint8_t)unfold_role(ev, act->role), act->role2, ROLE_NONE};
    bool local = event_class(ev->kind) == CLASS_LOCAL;
    *like = (struct net_event){.from = unfold_thread(u, ev->thread), .thread = ev->thread, .kind = ev->kind,
                               .touches = w->touches, .past = w->past, .value = ev->value,
                               .branches = u->choices[ev->thread]};
    like->branch = like->branches ? u->choice[ev->thread] : 0;
    if (like->branches && u->condition[ev->thread]) {
        like->on_input = true;
        like->bit = u->bit[ev->thread];
        like->value = u->condition[ev->thread];
    }
    ensure(w->touches <= NET_TOUCHES);
    if (w->touches && roles[0] == ROLE_TAKE)
        roles[0] = (uint8_t)object_refined_role(ROLE_TAKE, ev, unfold_posts(u, *unfold_now(u, w->slot[0])));
    for (int i = 0; i < w->touches && i < NET_TOUCHES; i++) {
        bool past = w->past >> i & 1;
        like->touch[i].at = *unfold_now(u, w->slot[i]);
        if (unfold_starts(ev->kind))
            like->touch[i].at = unfold_first_step(like->touch[i].at);
        if (past && (!local || unfold_inside(ev->kind)) && u->woken[ev->thread])
            like->touch[i].at = u->woken[ev->thread];
        like->role[i] = past ? ROLE_NONE : unfold_inside(ev->kind) ? w->role[i] : roles[i];
        takes[i] = !past && (local ? operation_creates(ev->kind) || operation_is(ev->kind, OP_RENEWS) ||
                                         unfold_inside(ev->kind)
                                   : !role_in(net_looking | net_marking, roles[i]));
    }
}

static bool marks(const struct net_event *e)
{
    bool some = false;
    for (int i = 0; i < e->touches; i++)
        some |= role_in(net_marking, e->role[i]);
    return some;
}

static struct net_event *perform(struct unfold *u, const struct net_event *like, const bool *takes,
                                 const struct event *ev, const struct event *events)
{
    uint32_t known = u->net.events;
    struct event named;
    struct net_event *done = net_event(&u->net, like, true);
    if (done && u->net.events > known)
        unfold_check_foreseen(u, done);
    if (!done || done->state == NET_PERFORMED)
        return done;
    memcpy(done->role, like->role, sizeof like->role);
    done->kind = like->kind;
    done->value = like->value;
    done->branches = like->branches;
    done->on_input = like->on_input;
    done->bit = like->bit;
    if (u->fresh_count == u->room || net_perform(&u->net, done, takes))
        return NULL;
    u->fresh[u->fresh_count++] = done;
    bool memory = operation_of(ev->kind)->object == OBJECT_MEMORY;
    if ((!memory || ev->flags & EVENT_CANCELLABLE) && done->touches) {
        struct event *did = marks(done) || unfold_signals(ev->kind) ? net_alloc(&u->net, sizeof *did) : NULL;
        if (did)
            *did = *ev;
        done->did = did ? net_place_of(&u->net, did) : 0;
        const struct event *source = ev->match ? &events[ev->match - 1] : NULL;
        unfold_note_state(u, done, ev, source ? unfold_names_event(&u->names, source, &named) : NULL);
    }
    return u->net.full ? NULL : done;
}

/* The event of the plan that ev is; NULL: it is not the next one. What the event is known by need not
 * be looked at: all that has happened since the plan was made is part of it, or concerns its thread. */
static struct net_event *as_planned(struct unfold *u, const struct event *ev)
{
    struct net_event *p = unfold_planned(u);
    if (!p || p->state != NET_PERFORMED || p->thread != ev->thread || p->kind != ev->kind ||
        p->from != unfold_thread(u, ev->thread) || p->branches != u->choices[ev->thread] ||
        (p->branches && p->branch != u->choice[ev->thread]))
        return NULL;
    bool woken = event_class(ev->kind) != CLASS_LOCAL && u->woken[ev->thread];
    for (int i = 0; i < p->touches; i++)
        if (p->touch[i].at !=
            (woken && p->past >> i & 1 ? u->woken[ev->thread] : u->now[p->touch[i].at->slot]))
            return NULL;
    return p;
}

/* Has r happened wherever the event does that is to be performed? */
static bool comes_after(const struct net *n, const struct net_event *p, const struct net_event *r)
{
    bool known = net_above(r->to, net_tip(n, p->from, r->to->slot));
    for (int i = 0; i < p->touches && !known; i++)
        known = net_above(r->to, net_tip(n, p->touch[i].at, r->to->slot));
    for (uint32_t k = 0; k < p->read_count && !known; k++)
        known = net_reads(n, p)[k] == r || net_before(n, r, net_reads(n, p)[k]);
    return known;
}

/* Is the event what the target of the plan has turned out to be, where that should happen? Its role may be
 * one to which fewer of the others matter than was foreseen (a compare-exchange that fails); inputs and
 * choices, with others of which it might be the target, play no part in it. */
static bool comes_instead(struct unfold *u, const struct net_event *done)
{
    const struct net_event *p = unfold_planned(u);
    if (!p || p == done || p->state != NET_POSSIBLE || u->plan_at + 1 != u->plan_count ||
        p->from != done->from || p->touches != done->touches || done->branches || p->branches)
        return false;
    for (int i = 0; i < p->touches; i++)
        if (p->touch[i].at != done->touch[i].at)
            return false;
    for (uint32_t k = 0; k < done->read_count; k++)
        if (!comes_after(&u->net, p, net_reads(&u->net, done)[k]))
            return false; /* it was performed somewhere else */
    return true;
}

/* Others are known by what the event reads in place i. */
static void note_look(struct unfold *u, struct net_event *done, int i)
{
    const struct net_condition *c = done->touch[i].at;
    uint32_t *last = &u->last_look[c->slot];
    u->looks[u->look_count++] = (struct unfold_look){done, c, done->role[i], *last};
    *last = u->look_count;
}

/* The execution goes on to behind the event. */
static void pass(struct unfold *u, struct net_event *done, const struct event *ev, uint32_t at)
{
    u->newest = done;
    u->choices[ev->thread] = 0;
    u->condition[ev->thread] = 0;
    u->ports[ev->thread].count = 0;
    note_woken(u, done, ev);
    unfold_past_note(u, done, at);
    unfold_come_to(u, done->to);
    for (int i = 0; i < done->touches; i++) {
        if (net_put(done, i))
            unfold_come_to(u, net_put(done, i));
        else if (!(done->past >> i & 1) && (u->net.replicates || role_in(net_marking, done->role[i])))
            note_look(u, done, i);
    }
}

/* The thread starts; false: that is no event of its own, or nobody could go on, and one like it has not done
 * its first step. What it does then is part of no other execution (unfold_observe). */
static bool starts(struct unfold *u, const struct event *ev)
{
    bool puts_off = u->names.creator[ev->thread] != ev->object;
    u->start[ev->thread] = ev->pc;
    if (puts_off && !unfold_first_step(unfold_thread(u, (unsigned)ev->object)))
        return false;
    tset_add(&u->started, ev->thread);
    return puts_off;
}

void unfold_observe(struct engine *e, const struct event *seen)
{
    struct unfold *u = e->state;
    const struct event *ev;
    struct event named;
    bool takes[NET_TOUCHES];
    struct net_event like, *done;
    struct net_want described;
    uint32_t at = (uint32_t)(seen - e->trace->events);
    if (operation_creates(seen->kind) && !unfold_names_create(&u->names, seen)) {
        u->net.full = true;
        return;
    }
    if (e->only_looks) {
        tset_add(&u->moved, seen->thread);
        return;
    }
    ev = unfold_names_event(&u->names, seen, &named);
    if (event_class(ev->kind) == CLASS_LOCAL) {
        if (unfold_starts(ev->kind) && !starts(u, ev))
            return;
        u->begun += operation_creates(ev->kind) - operation_ends(ev->kind);
        unfold_note_named(u, ev);
        unfold_note_left(u, ev);
    }
    if (!u->properties && (done = as_planned(u, ev))) {
        pass(u, done, ev, at);
        return;
    }
    struct act act = act_of(ev);
    if (!unfold_knows(ev) || !tset_has(&u->started, ev->thread))
        unfold_not_known(e, ev);
    const struct net_want *w = unfold_stood_before(u, ev, &act);
    if (!w && unfold_describe(u, ev, &act, &described))
        w = &described;
    if (!w || u->net.full)
        return;
    if (event_class(ev->kind) == CLASS_LOCAL)
        unfold_want(u, ev->thread, ev);
    else if (!w->touches)
        note_own(unfold_thread(u, ev->thread), ev);
    recognise(u, ev, &act, w, takes, &like);
    note_reads(u, &like);
    (void)unfold_now(u, 0);
    done = perform(u, &like, takes, ev, e->trace->events);
    if (!done) {
        u->net.full = true;
        return;
    }
    if (unfold_signals(ev->kind) && !unfold_signal_was_sent(u, done, ev))
        unfold_not_known(e, ev);
    if (comes_instead(u, done))
        u->plan[u->plan_at]->state = NET_IMPOSSIBLE;
    unfold_note_values(u, done, ev);
    unfold_keep_waiting(u, done, ev);
    unfold_expect_value(u, done, ev, at);
    note_locks(u, done);
    pass(u, done, ev, at);
}
