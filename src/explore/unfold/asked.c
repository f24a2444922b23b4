/* Requests to cancel threads. A request takes the condition of what its thread is asked through, and that of
 * "threads end" (object/signals.c); who looks for one marks it, since a request is another one after that.
 *
 * A wait that a request can end is several operations, of which it performs one: with the token or without,
 * from the queue of a condition, taking the mutex again. Which of them follows from all that the wait
 * depends on, as the object's file says (operation.next), so its thread stands before all of them, each with
 * the conditions that it is possible at. Who joins a thread goes on at once when that has ended or he is
 * asked to end, whatever came first. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

bool unfold_can_end(const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    return o->next || o->touch != TOUCH_NOTHING ||
           ((o->object == OBJECT_DESCRIPTOR || o->object == OBJECT_SIGNALS) && o->traits & OP_RETRIES) ||
           (o->object == OBJECT_QUEUE && o->traits & OP_INTERRUPTIBLE);
}

/* Has its thread looked for a request in vain where it joins another one? */
static bool has_looked(const struct unfold *u, const struct net_condition *c, const struct event *join)
{
    const struct net_event *last = net_maker(c);
    const struct event *did = last && last->touches == 1 && last->role[0] == ROLE_CANCEL_SEEN
                                  ? net_did(&u->net, last) : NULL;
    return did && did->pc == join->pc && !operation_succeeded(did);
}

/* Who joins a thread: what he does instead. */
static struct event end_of_joiner(const struct event *join)
{
    uint8_t role;
    struct object_wait asked = {.asked = true};
    return (struct event){.kind = (uint8_t)operation_of(join->kind)->next(&asked, &role),
                          .thread = join->thread, .size = 8, .pc = join->pc,
                          .object = EVENT_CANCEL_OBJECT(join->thread)};
}

/* Of a wait that began with COND_WAIT: `queued`, or it is over and the thread takes the mutex. */
static int ends_of_waiter(const struct unfold *u, const struct net_event *wait, bool queued,
                          const struct event *op, struct event *ends)
{
    struct event leave = *op, asked = *op, wake = *op;
    leave.kind = EV_COND_TIMEOUT;
    leave.object = wake.other = asked.other = u->net.slots[wait->touch[0].at->slot].object;
    leave.other = 0;
    asked.kind = EV_COND_CANCEL;
    asked.object = EVENT_CANCEL_OBJECT(op->thread);
    asked.size = 8;
    wake.kind = EV_COND_WAKE;
    wake.object = u->net.slots[wait->touch[1].at->slot].object;
    int count = 0;
    ends[count++] = asked;
    if (queued)
        ends[count++] = leave;
    ends[count++] = wake;
    for (int i = 0; i < count; i++)
        ends[i].flags &= (uint8_t)~(EVENT_SPUN | EVENT_SPINNING);
    return count;
}

int unfold_ends(struct unfold *u, const struct net_condition *c, const struct event *op,
                struct event ends[UNFOLD_ENDS])
{
    const struct operation *o = operation_of(op->kind);
    if (unfold_joins(op->kind) && has_looked(u, c, op)) {
        ends[0] = end_of_joiner(op);
        ends[1] = *op;
        return 2;
    }
    if (!o->next || !(op->flags & EVENT_CANCELLABLE))
        return 0;
    ends[0] = *op;
    if (o->object == OBJECT_SEMAPHORE)
        return 1;
    bool queued = unfold_waits_for_signal(c);
    while (c && !unfold_waits_for_signal(c))
        c = net_up(c);
    ensure(c && net_maker(c)->touches == 2);
    return ends_of_waiter(u, net_maker(c), queued, op, ends);
}

/* On the way to c, of what a thread is asked through, the first condition with a request, or NULL. */
static const struct net_condition *first_request(const struct net_condition *c)
{
    const struct net_condition *first = NULL;
    for (; c && unfold_asked(c); c = net_up(c))
        first = c;
    return first;
}

static const struct net_want *wants_to_join(const struct net_condition *thread)
{
    const struct net_want *w = net_wants(thread);
    while (w && !unfold_joins(w->kind))
        w = w->next;
    return w;
}

/* Has the thread that came to c ended for everybody else? Its last event is its own. */
static bool has_ended(const struct net_condition *c)
{
    const struct net_event *last = net_maker(c);
    return last && last->to == c &&
           (operation_ends(last->kind) || (operation_of(last->kind)->object == OBJECT_THREAD &&
                                           operation_of(last->kind)->touch == TOUCH_ENDS));
}

/* Who joins a thread goes on when that has ended, or with a request that came before. touched[0] is the end
 * of the thread, or what he is asked through. */
static void learn_join(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                       const struct net_condition *at, struct object_wait *wait)
{
    const struct net_want *join = wants_to_join(thread);
    ensure(join && w->touches == 1);
    if (w == join) {
        uint64_t requests = EVENT_CANCEL_OBJECT(u->net.slots[thread->slot].object);
        wait->asked = unfold_asked(net_tip(&u->net, at, net_object_slot(&u->net, requests, 0)));
        wait->ended = !wait->asked;
    } else {
        const struct net_condition *request = first_request(at);
        wait->asked = request;
        wait->ended = request && has_ended(net_tip(&u->net, request, join->slot[0]));
    }
}

/* What the thread's last operation knew. */
static bool was_asked(const struct net_condition *thread, uint32_t requests)
{
    const struct net_event *last = net_maker(thread);
    for (int i = 0; i < last->touches; i++)
        if (last->touch[i].at->slot == requests)
            return unfold_asked(last->touch[i].at);
    return false;
}

/* What the state of the object that it is on is to the wait. */
static void learn(struct object_wait *wait, const struct net_want *w, const struct object_state *s)
{
    switch (operation_of(w->kind)->object) {
    case OBJECT_SEMAPHORE:
        wait->tokens = s->count;
        wait->posts = (int)s->posts;
        break;
    case OBJECT_MUTEX:
        wait->is_free = object_possible(s, &w->op);
        break;
    case OBJECT_CONDITION:
        wait->signalled = !tset_has(&s->holders, w->op.thread);
        break;
    }
}

/* False: something is not known. */
static bool learn_wait(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                       struct net_condition *const *touched, struct net_condition *const *state,
                       struct object_wait *wait)
{
    unsigned object = operation_of(w->kind)->object;
    int requests = object == OBJECT_SIGNALS ? 0 : 1;
    struct object_state s;
    ensure(w->touches > requests);
    if (requests && !unfold_state_at(u, touched[0], state, &s))
        return false;
    if (requests)
        learn(wait, w, &s);
    wait->timed = w->op.flags & EVENT_TIMED;
    wait->asked = unfold_asked(touched[requests]);
    wait->was_asked = net_maker(thread) && was_asked(thread, w->slot[requests]);
    wait->signalled |= w->past != 0;
    return true;
}

bool unfold_foresee_end(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                        struct net_condition *const *touched, struct net_condition *const *state,
                        uint8_t *roles)
{
    const struct net_want *join = wants_to_join(thread);
    struct object_wait wait = {.kind = join ? join->kind : w->kind,
                               .before = net_maker(thread) ? net_maker(thread)->kind : 0};
    uint8_t role;
    if (join)
        learn_join(u, w, thread, touched[0], &wait);
    else if (!learn_wait(u, w, thread, touched, state, &wait))
        return true; /* an execution finds out */
    if (operation_of(wait.kind)->next(&wait, &role) != w->kind)
        return false;
    roles[0] = role == ROLE_ANYTHING ? roles[0] : role;
    return true;
}
