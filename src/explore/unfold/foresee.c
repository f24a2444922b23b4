/* What an operation would be at conditions where no execution has performed it: whether it can go on there,
 * and in which roles. The automata of the objects tell (object/object.h): a condition has the state that was
 * put, and the marks on it are performed on top. Where the state is not known an execution finds out. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

#include <string.h>

enum { ANY_LIMIT = INT32_MAX }; /* a queue that is empty; how many messages fit is not known yet */

/* Objects whose state after an event is what its automaton says, if no more is known than the event. */
static bool has_state(unsigned kind, int place)
{
    const struct operation *o = operation_of(kind);
    switch (place ? (o->touch == TOUCH_OTHER ? o->other_object : OBJECT_NONE) : o->object) {
    case OBJECT_MUTEX:
    case OBJECT_CONDITION:
    case OBJECT_SEMAPHORE:
    case OBJECT_RWLOCK:
    case OBJECT_BARRIER:
    case OBJECT_QUEUE:
    case OBJECT_MONITOR:
    case OBJECT_DESCRIPTOR:
        return true;
    case OBJECT_SIGNALS:
        return !unfold_signals(kind);
    default:
        return false;
    }
}

static void apply(struct object_state *s, struct event *op, int place, const struct event *source)
{
    const struct operation *o = operation_of(op->kind);
    if (!place)
        object_perform_from(s, op, source);
    else if (o->perform_other)
        o->perform_other(s, op);
}

/* The marks on c that are behind state[], in an order in which they can have been made. */
static uint32_t marks_on(struct unfold *u, const struct net_condition *c, struct net_condition *const *state)
{
    uint32_t count = 0;
    ensure(!u->net.slots[c->slot].thread);
    for (struct net_event *r = net_looks(c); r; r = net_next_look(r, c)) {
        if (!role_in(net_marking, r->role[net_place(r, c)]) || !net_happens(r, state))
            continue;
        uint32_t at = count++;
        for (; at && u->marks[at - 1]->number > r->number; at--)
            u->marks[at] = u->marks[at - 1];
        u->marks[at] = r;
    }
    return count;
}

/* Who waits on the futex in the word of c: a state whose kind is not 0 says that it is not known. */
static struct object_state futex_at(struct unfold *u, const struct net_condition *c,
                                    struct net_condition *const *state)
{
    struct object_state s = net_state(c) ? *net_state(c) : OBJECT_UNUSED;
    uint32_t count = marks_on(u, c, state);
    for (uint32_t k = 0; k < count; k++) /* their time is over */
        tset_remove(&s.holders, u->marks[k]->thread);
    return s;
}

/* The condition has the state; many have the same one. */
static void keep(struct unfold *u, struct net_condition *c, const struct object_state *s)
{
    uint64_t key = ((uint64_t)(uint32_t)s->owner ^ (uint64_t)(uint32_t)s->count << 16 ^
                    (uint64_t)s->posts << 24 ^ s->holders.w[0] << 32 ^ s->contents) * 0x9e3779b97f4a7c15ull;
    struct object_state **recent = &u->recent_states[key >> UNFOLD_HASH_SHIFT];
    if (!*recent || memcmp(*recent, s, sizeof *s)) {
        *recent = net_alloc(&u->net, sizeof *s);
        if (*recent)
            memcpy(*recent, s, sizeof *s);
    }
    c->state = net_link(c, *recent);
}

void unfold_keep_waiting(struct unfold *u, struct net_event *done, const struct event *ev)
{
    if (operation_of(ev->kind)->object != OBJECT_MEMORY || !net_put(done, 0) ||
        !net_state(done->touch[0].at) || net_state(net_put(done, 0)))
        return;
    struct object_state after = futex_at(u, done->touch[0].at, u->now);
    keep(u, net_put(done, 0), &after);
}

static void note_futex(struct unfold *u, struct net_event *done, const struct event *ev)
{
    struct event op = *ev;
    if (!net_put(done, 0))
        return;
    struct object_state after = futex_at(u, done->touch[0].at, u->now);
    after.contents = ev->value;
    object_perform(&after, &op);
    if (ev->kind == EV_FUTEX_WAKE && !ev->other)
        after.kind = 0; /* nobody waits any more */
    after.kind |= u->net.slots[done->touch[0].at->slot].size != ev->size; /* several in one word */
    keep(u, net_put(done, 0), &after);
}

void unfold_note_left(struct unfold *u, const struct event *ev)
{
    const struct net_event *wake = u->newest;
    struct event op = *ev;
    if (ev->kind != EV_FUTEX_MOVE || !wake || wake->kind != EV_FUTEX_WAKE || wake->thread != ev->thread)
        return;
    struct net_condition *put = net_put(wake, 0);
    if (!put || !net_state(put))
        return;
    struct object_state after = *net_state(put);
    object_perform(&after, &op);
    keep(u, put, &after);
}

bool unfold_state_at(struct unfold *u, const struct net_condition *c, struct net_condition *const *state,
                     struct object_state *s)
{
    if (!net_state(c))
        return false;
    *s = *net_state(c);
    uint32_t count = net_looks(c) ? marks_on(u, c, state) : 0;
    for (uint32_t k = 0; k < count; k++) {
        ensure(u->marks[k]->did);
        struct event op = *net_did(&u->net, u->marks[k]);
        op.flags &= (uint8_t)~EVENT_FAILED;
        apply(s, &op, net_place(u->marks[k], c), NULL);
    }
    return true;
}

uint64_t unfold_posts(struct unfold *u, const struct net_condition *c)
{
    struct object_state s;
    (void)unfold_now(u, 0);
    return unfold_state_at(u, c, u->now, &s) ? s.posts : net_looks(c) ? marks_on(u, c, u->now) : 0;
}

/* Has no event touched the object since it was initialised? */
static bool is_unused(const struct net_condition *c)
{
    return !net_maker(c) || operation_is(net_maker(c)->kind, OP_RENEWS);
}

/* The first event on an object tells how it was initialised. */
static void note_root(struct unfold *u, struct net_condition *c, const struct event *ev)
{
    struct object_state s = OBJECT_UNUSED;
    if (!is_unused(c) || (net_state(c) && net_state(c)->limit != ANY_LIMIT) || marks_on(u, c, u->now))
        return;
    if (operation_of(ev->kind)->learn)
        operation_of(ev->kind)->learn(&s, ev, true);
    keep(u, c, &s);
}

/* Until the first request nobody is asked. */
static void note_not_asked(struct unfold *u, struct net_condition *c)
{
    if (!net_maker(c) && !net_state(c))
        keep(u, c, &OBJECT_UNUSED);
}

void unfold_note_closed(struct unfold *u, const struct event *op)
{
    struct object_state unused = OBJECT_UNUSED;
    if (operation_of(op->kind)->object == OBJECT_MEMORY || !has_state(op->kind, 0) ||
        op->object - u->polled < u->polled_end - u->polled || !net_has_object(&u->net, op->object, 0))
        return;
    struct net_condition *c = *unfold_now(u, net_object_slot(&u->net, op->object, 0));
    if (net_state(c) || !is_unused(c) || net_looks(c))
        return;
    if (operation_of(op->kind)->object == OBJECT_QUEUE)
        unused.limit = ANY_LIMIT;
    if (operation_of(op->kind)->object == OBJECT_SEMAPHORE)
        unused.count = object_possible(&unused, op); /* a binary one that is not 0 */
    if (object_possible(&unused, op))
        return;
    keep(u, c, &unused);
}

void unfold_note_state(struct unfold *u, struct net_event *done, const struct event *ev,
                       const struct event *source)
{
    if (operation_of(ev->kind)->object == OBJECT_FUTEX)
        note_futex(u, done, ev);
    for (int i = 0; i < done->touches && i < 2; i++) {
        struct event op = *ev;
        struct object_state before;
        bool polled = ev->object - u->polled < u->polled_end - u->polled;
        if (!(done->past >> i & 1) && role_in(unfold_asking, done->role[i]))
            note_not_asked(u, done->touch[i].at);
        if (done->past >> i & 1 || !has_state(ev->kind, i) || polled)
            continue;
        if (!i)
            note_root(u, done->touch[i].at, ev);
        if (!net_put(done, i) || !unfold_state_at(u, done->touch[i].at, u->now, &before))
            continue;
        op.flags &= (uint8_t)~EVENT_FAILED;
        if (!i && operation_of(ev->kind)->learn)
            operation_of(ev->kind)->learn(&before, ev, false);
        if (!i && operation_succeeded(ev) && !object_possible(&before, ev))
            continue;
        apply(&before, &op, i, source);
        if (!i && object_role(&op) != object_role(ev))
            continue;
        keep(u, net_put(done, i), &before);
    }
}

/* Did the event that put c, of a condition variable, signal to the thread, which has waited since an
 * event? */
static bool signalled(const struct unfold *u, const struct net_condition *thread,
                      const struct net_event *waiting, const struct net_condition *c)
{
    const struct net_event *m = net_maker(c);
    if (!m || m->role[net_place(m, net_up(c))] != ROLE_SIGNAL || !net_before(&u->net, waiting, m))
        return false;
    struct event signal = {.kind = m->kind, .value = m->value};
    return object_wakes(&signal, (unsigned)u->net.slots[thread->slot].object);
}

/* … and no other one before it? */
static bool woken_at(const struct unfold *u, const struct net_condition *thread,
                     const struct net_condition *c)
{
    const struct net_event *waiting = net_maker(thread);
    if (!signalled(u, thread, waiting, c))
        return false;
    while ((c = net_up(c)) && net_maker(c) && net_before(&u->net, waiting, net_maker(c)))
        if (signalled(u, thread, waiting, c))
            return false;
    return true;
}

/* Is it known that an operation which follows something does not follow c? */
static bool known_closed(const struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                         const struct net_condition *c)
{
    const struct net_event *m = net_maker(c);
    if (w->kind == EV_PORT_TAKEN) /* a part of the receive, and known with that */
        return true;
    if (unfold_starts(w->kind))
        return unfold_first_step(c) != c;
    if (operation_of(w->kind)->follows == FOLLOWS_THREAD)
        return !m || !operation_ends(m->kind);
    if (operation_of(w->kind)->follows == FOLLOWS_OBJECT)
        return !m || m->role[net_place(m, net_up(c))] != ROLE_OPEN ||
               net_up(c) != net_maker(thread)->touch[0].at;
    return !woken_at(u, thread, c);
}

/* The bytes that w reads at c; false: they are not known. */
static bool value_at(const struct unfold *u, const struct net_want *w, const struct net_condition *c,
                     uint64_t *value)
{
    unsigned at = w->op.object & 7, size = w->op.size, bytes = ((1u << size) - 1) << at;
    *value = c->value >> 8 * at & (size < 8 ? (1ull << 8 * size) - 1 : ~0ull);
    return !u->inputs && (c->valued & bytes) == bytes;
}

int unfold_shown_role(const struct unfold *u, unsigned kind, const struct net_condition *thread,
                      const struct net_condition *c)
{
    const struct operation *o = operation_of(kind);
    if (o->role[0] == o->role[1] || u->inputs ||
        !(unfold_in_memory(kind) || o->object == OBJECT_DESCRIPTOR))
        return -1;
    for (const struct net_condition *below = net_down(thread); below; below = net_beside(below)) {
        const struct net_event *e = net_maker(below);
        if (e->to == below && e->touches && e->touch[0].at == c)
            return e->role[0];
    }
    return -1;
}

/* A compare-exchange that finds another value than it expects only looks, and who would wait on a futex. */
static void foresee_memory(const struct unfold *u, const struct net_want *w,
                           const struct net_condition *thread, const struct net_condition *c,
                           uint8_t *roles)
{
    const struct operation *o = operation_of(w->kind);
    unsigned size = w->op.size;
    uint64_t value, mask = size < 8 ? (1ull << 8 * size) - 1 : ~0ull;
    if (o->role[0] == o->role[1])
        return;
    if (!w->moved && value_at(u, w, c, &value)) {
        roles[0] = o->role[value != (w->op.other & mask)];
        return;
    }
    int shown = unfold_shown_role(u, w->kind, thread, c);
    roles[0] = shown >= 0 ? (uint8_t)shown : roles[0];
}

/* Would w, reading what is at c, only go round? */
static bool goes_round(const struct unfold *u, const struct net_want *w, const struct net_condition *c)
{
    struct net_rounds *r = w->rounds;
    uint64_t value;
    if (!r || !value_at(u, w, c, &value))
        return false;
    bool known = w->kind == EV_LOAD && u->fails && !w->moved && u->fails(w->op.other, value);
    for (int i = 0; i < r->count && !known; i++)
        known = r->values[i] == value;
    r->some |= known;
    return known;
}

void unfold_note_round(struct unfold *u, struct net_condition *c, const struct net_condition *at)
{
    uint64_t value;
    for (struct net_want *w = net_wants(c); w; w = w->next) {
        struct net_rounds *r = w->rounds;
        if (!r)
            continue;
        r->some = true;
        if (r->count < NET_ROUNDS && value_at(u, w, at, &value) && !goes_round(u, w, at))
            r->values[r->count++] = value;
    }
}

static bool receives_from(const struct net_ports *ports, uint64_t port)
{
    uint32_t i = 0;
    while (i < ports->count && i < NET_PORTS && ports->port[i] != port)
        i++;
    return i < ports->count;
}

/* Is there a message for w? Nothing but sends and receives touches ports. */
static bool has_message(struct unfold *u, const struct net_want *w, const struct net_condition *c,
                        struct net_condition *const *state)
{
    int messages = 0;
    uint32_t count = marks_on(u, c, state);
    for (uint32_t k = 0; k < count; k++) {
        unsigned kind = u->marks[k]->kind;
        if (receives_from(w->ports, net_did(&u->net, u->marks[k])->object))
            messages += operation_sends(kind) - operation_is(kind, OP_ONE_SOURCE);
    }
    return messages > 0;
}

/* Who waits on a futex goes on when it was woken, or when its time is over; without a limit it spins. */
static bool foresee_woken(struct unfold *u, const struct net_want *w, const struct net_condition *c,
                          struct net_condition *const *state, uint8_t *roles)
{
    struct object_state s = futex_at(u, c, state);
    if (s.kind)
        return true;
    bool waits = tset_has(&s.holders, w->op.thread);
    roles[0] = waits ? ROLE_AWAIT : ROLE_READ;
    return !waits || !(w->op.flags & EVENT_SPUN);
}

/* Nothing is there to be received, as far as that is known without the kernel: then it fails, once. */
static bool foresee_descriptor(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                               struct net_condition *const *touched, struct net_condition *const *state,
                               uint8_t *roles)
{
    const struct operation *o = operation_of(w->kind);
    const struct net_condition *c = touched[0];
    struct object_state s;
    const struct net_event *failed = net_maker(thread);
    int shown = unfold_shown_role(u, w->kind, thread, c);
    bool asked = w->op.flags & EVENT_CANCELLABLE && unfold_asked(touched[1]);
    if (unfold_retries(&w->op) && failed && failed->touches && failed->touch[0].at == c && !asked)
        return false; /* nothing has changed since */
    bool nothing = unfold_state_at(u, c, state, &s) && !object_possible(&s, &w->op);
    roles[0] = nothing ? o->role[1] : shown >= 0 ? (uint8_t)shown : roles[0];
    return !nothing || asked || !unfold_retries(&w->op);
}

/* Was the monitor handed to somebody at c? Whoever that is goes on in the execution that has come there. */
static bool is_handed_on(const struct net_condition *c)
{
    for (const struct net_condition *below = net_down(c); below; below = net_beside(below))
        if (operation_of(net_maker(below)->kind)->follows == FOLLOWS_GIVER)
            return true;
    return false;
}

/* Have all arrived that thread, which has, goes on with after the barrier? */
static bool have_met(struct unfold *u, const struct net_condition *thread, const struct net_condition *c,
                     struct net_condition *const *state)
{
    uint32_t count = marks_on(u, c, state), own = 0;
    for (uint32_t k = 0; k < count; k++)
        own += u->marks[k]->from->slot == thread->slot;
    return own && net_state(c) && count == own * net_state(c)->limit;
}

bool unfold_foresee(struct unfold *u, const struct net_want *w, const struct net_condition *thread,
                    struct net_condition *const *touched, struct net_condition *const *state,
                    uint8_t *roles)
{
    const struct operation *o = operation_of(w->kind);
    struct event op = w->op;
    struct object_state s;
    memcpy(roles, w->role, NET_TOUCHES);
    if (unfold_inside(w->kind)) /* it was performed wherever it can be */
        return false;
    for (int i = 0; i < w->touches; i++)
        if (w->past >> i & 1 && known_closed(u, w, thread, touched[i]))
            return false;
    if (w->ends)
        return unfold_foresee_end(u, w, thread, touched, state, roles);
    if (unfold_in_memory(w->kind) && w->touches) {
        if (goes_round(u, w, touched[0]))
            return false;
        foresee_memory(u, w, thread, touched[0], roles);
    }
    if (o->follows == FOLLOWS_MEETING)
        return have_met(u, thread, touched[0], state);
    if (o->object == OBJECT_DESCRIPTOR)
        return foresee_descriptor(u, w, thread, touched, state, roles);
    if (o->object == OBJECT_SIGNALS && unfold_signals(w->kind))
        return unfold_foresee_signal(u, w, touched, roles);
    if (o->traits & OP_QUEUED)
        return foresee_woken(u, w, touched[0], state, roles);
    if (o->traits & OP_SELECTS)
        return op.flags & EVENT_TIMED || has_message(u, w, touched[0], state);
    if (!w->touches || w->past & 1 || !has_state(w->kind, 0) || !unfold_state_at(u, touched[0], state, &s))
        return true;
    if (o->traits & OP_BLOCKS && !object_possible(&s, &op)) {
        roles[0] = o->role[1];
        return op.flags & EVENT_CANCELLABLE && unfold_asked(touched[1]);
    }
    if (o->object == OBJECT_MONITOR && is_handed_on(touched[0]))
        return false;
    if (o->role[0] == ROLE_TIMEOUT && !tset_has(&s.holders, op.thread))
        return false; /* it was signalled */
    if (o->perform_from) { /* what it receives is not known, but whether there is something */
        roles[0] = o->role[s.count == 0];
        return true;
    }
    uint32_t posts = s.posts;
    op.flags &= (uint8_t)~EVENT_FAILED;
    object_perform(&s, &op);
    roles[0] = (uint8_t)object_refined_role(object_role(&op), &op, posts);
    return true;
}
