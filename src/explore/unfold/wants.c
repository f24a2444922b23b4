/* Operations as the net sees them: which slots each touches, and what every thread stands before. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

#include <string.h>

static uint32_t memory_slot(struct unfold *u, uint64_t object, uint32_t size)
{
    if (parts_word(object) != parts_word(object + size - 1))
        return net_object_slot(&u->net, object, size); /* which these engines do not know */
    enum part part = parts_access(&u->parts, object, size);
    u->begins_anew |= part == PART_OVERLAPS;
    u->net.full |= part == PART_NO_ROOM;
    return part == PART_OF_WHOLE ? net_object_slot(&u->net, parts_word(object), 8)
                                 : net_object_slot(&u->net, object, size);
}

static void touch(struct unfold *u, struct net_want *w, uint64_t object, uint32_t size, int role)
{
    if (role == ROLE_NONE || role == ROLE_OWN) /* nobody else matters to who holds it, or does not */
        return;
    if (object - u->polled < u->polled_end - u->polled)
        object = u->polled;
    w->role[w->touches] = (uint8_t)role;
    w->slot[w->touches++] = size ? memory_slot(u, object, size) : net_object_slot(&u->net, object, 0);
}

/* Does it look at several descriptors? */
static bool polls(const struct event *op)
{
    return operation_of(op->kind)->object == OBJECT_DESCRIPTOR && op->size > 8;
}

static void touch_past(struct net_want *w, uint32_t slot)
{
    w->past |= (uint8_t)(1u << w->touches);
    w->role[w->touches] = ROLE_NONE;
    w->slot[w->touches++] = slot;
}

bool unfold_waits_for_signal(const struct net_condition *c)
{
    return net_maker(c) && net_maker(c)->touches && net_maker(c)->role[0] == ROLE_WAIT;
}

struct net_condition *unfold_first_step(const struct net_condition *c)
{
    struct net_condition *first = NULL;
    for (; c && net_maker(c) && net_maker(c)->to == c; c = net_up(c))
        if (event_class(net_maker(c)->kind) != CLASS_LOCAL || operation_ends(net_maker(c)->kind))
            first = net_maker(c)->to;
    return first;
}

/* An operation, announced or performed, as the slots it touches; false: it is no event of the net. */
bool unfold_describe(struct unfold *u, const struct event *op, const struct act *act, struct net_want *w)
{
    const struct operation *o = operation_of(op->kind);
    *w = (struct net_want){.kind = op->kind, .op = *op};
    if (unfold_starts(op->kind) && u->names.creator[op->thread] == op->object)
        return false;
    if (operation_creates(op->kind)) {
        w->role[w->touches] = ROLE_WRITE;
        w->slot[w->touches++] = net_thread_slot(&u->net, (unsigned)op->object);
    } else if (o->follows == FOLLOWS_THREAD) {
        touch_past(w, net_thread_slot(&u->net, (unsigned)op->object));
    } else if (o->follows == FOLLOWS_OBJECT) {
        touch_past(w, net_object_slot(&u->net, op->object, 0));
    } else if (o->follows == FOLLOWS_MEETING || o->traits & OP_RENEWS) {
        w->role[w->touches] = o->traits & OP_RENEWS ? ROLE_WRITE : ROLE_NONE;
        w->slot[w->touches++] = net_object_slot(&u->net, op->object, 0);
    } else if (o->follows == FOLLOWS_GIVER && !op->value) { /* it does not have the monitor yet */
        touch_past(w, net_object_slot(&u->net, op->object, 0));
    } else if (unfold_inside(op->kind)) {
        w->role[w->touches] = o->follows == FOLLOWS_GIVER ? ROLE_ACQUIRE
                              : o->traits & OP_WAKES_ONE  ? ROLE_WRITE
                                                          : ROLE_RELEASE;
        w->slot[w->touches++] = net_object_slot(&u->net, op->object, 0);
    } else if (event_class(op->kind) == CLASS_LOCAL) {
        return operation_ends(op->kind) || o->follows == FOLLOWS_ITSELF;
    } else {
        if (polls(op) && u->polled_end != op->object + op->size) {
            u->polled = op->object;
            u->polled_end = op->object + op->size;
            u->begins_anew |= u->net.performed_count > 0;
        }
        touch(u, w, act->object, unfold_in_memory(op->kind) ? act->size : 0, unfold_role(op, act->role));
        if (act->object2 != act->object)
            touch(u, w, act->object2, 0, act->role2);
        if ((o->traits & OP_WOKEN) && unfold_waits_for_signal(unfold_thread(u, op->thread)))
            touch_past(w, net_object_slot(&u->net, op->other, 0));
    }
    return true;
}

/* Objects whose operations were compared with dfs, program by program. */
static bool known_object(unsigned kind)
{
    switch (kind) {
    case OBJECT_NONE:
    case OBJECT_MEMORY:
    case OBJECT_MUTEX:
    case OBJECT_CONDITION:
    case OBJECT_SEMAPHORE:
    case OBJECT_RWLOCK:
    case OBJECT_BARRIER:
    case OBJECT_QUEUE:
    case OBJECT_PORT:
    case OBJECT_MONITOR:
    case OBJECT_FUTEX:
    case OBJECT_THREAD:
    case OBJECT_DESCRIPTOR:
    case OBJECT_SIGNALS:
        return true;
    default:
        return false;
    }
}

bool unfold_knows(const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    bool cancellable = op->flags & EVENT_CANCELLABLE;
    bool waits = op->flags & (EVENT_SPUN | EVENT_SPINNING) && !(o->traits & OP_QUEUED) &&
                 !(cancellable && (o->next || o->traits & OP_INTERRUPTIBLE));
    if (o->object == OBJECT_FUTEX && o->role[0] != ROLE_NONE && op->size != 4)
        return false; /* requeued */
    if (unfold_signals(op->kind) && !unfold_signals_known(op))
        return false;
    return known_object(o->object) && o->touch != TOUCH_SET &&
           (!cancellable || unfold_can_end(op)) && (!waits || unfold_looks(op) || unfold_retries(op)) &&
           !(o->object == OBJECT_MEMORY && (op->object & 7) + op->size > 8);
}

/* The verdict cannot be "safe", and says why. */
void unfold_not_known(struct engine *e, const struct event *op)
{
    engine_not_known(e, ((struct unfold *)e->state)->why, op);
}

static bool wanted(const struct net_condition *c, unsigned kind)
{
    for (const struct net_want *w = net_wants(c); w; w = w->next)
        if (w->kind == kind)
            return true;
    return false;
}

static bool counts(int role)
{
    return role != ROLE_NONE && role != ROLE_OWN;
}

const struct net_want *unfold_stood_before(struct unfold *u, const struct event *ev, const struct act *act)
{
    const struct net_want *w = net_wants(unfold_thread(u, ev->thread));
    bool memory = operation_of(ev->kind)->object == OBJECT_MEMORY;
    if (!w || w->kind != ev->kind || w->touches != 1 || w->past || w->op.object != ev->object ||
        w->op.size != ev->size || act->object != ev->object || !counts(act->role) || counts(act->role2) ||
        event_class(ev->kind) == CLASS_LOCAL)
        return NULL;
    bool whole = u->net.slots[w->slot[0]].object == ev->object && !unfold_in_memory(ev->kind);
    return memory || whole ? w : NULL;
}

static struct net_want **recent_want(struct unfold *u, const struct event *op)
{
    uint64_t key = (op->pc ^ op->object << 20 ^ (uint64_t)op->thread << 50) * 0x9e3779b97f4a7c15ull;
    return &u->recent[key >> UNFOLD_HASH_SHIFT];
}

/* What others stood before who came to the same operation; but for one that ends a wait, its slots do not
 * depend on where its thread stands. */
static struct net_want *known_want(struct unfold *u, const struct event *op)
{
    struct net_want *w = *recent_want(u, op);
    bool memory = operation_of(op->kind)->object == OBJECT_MEMORY;
    bool same = w && !((w->op.head ^ op->head) & ~EVENT_HEAD_INDEX) && w->op.object == op->object &&
                w->op.size == op->size && w->op.pc == op->pc && w->op.other == op->other &&
                (memory || w->op.value == op->value) && !operation_is(op->kind, OP_WOKEN);
    return same ? w : NULL;
}

/* The same want, shared with other conditions: one about which nothing else is noted. */
static struct net_want *shared_want(struct unfold *u, struct net_want *w)
{
    if (w->next || unfold_looks(&w->op) || operation_is(w->kind, OP_SELECTS))
        return net_alloc(&u->net, sizeof *w);
    ensure(!w->rounds && !w->ports);
    w->op.index = w->op.match = 0;
    if (operation_of(w->kind)->object == OBJECT_MEMORY)
        w->op.value = 0;
    struct net_want **recent = recent_want(u, &w->op);
    if (!*recent || memcmp(*recent, w, sizeof *w))
        *recent = net_alloc(&u->net, sizeof *w);
    return *recent;
}

/* What the operation is to a thread at c, which has stood there before nothing of this kind; NULL: it is no
 * event of the net, or there is no room. */
static struct net_want *new_want(struct unfold *u, struct net_condition *c, unsigned thread,
                                 const struct event *op, bool ends)
{
    struct act act = act_of_pending(op);
    struct net_want w, *kept;
    if (!unfold_describe(u, op, &act, &w))
        return NULL;
    w.next = net_wants(c);
    w.moved = u->names.moved;
    w.ends = ends;
    kept = ends ? net_alloc(&u->net, sizeof w) : shared_want(u, &w);
    u->loops |= unfold_looks(op);
    if (unfold_looks(op))
        w.rounds = net_alloc(&u->net, sizeof *w.rounds);
    if (operation_is(op->kind, OP_SELECTS) && (w.ports = net_alloc(&u->net, sizeof *w.ports)))
        *w.ports = u->ports[thread];
    if (u->net.full || !kept)
        return NULL;
    *kept = w;
    return kept;
}

static void want(struct unfold *u, struct net_condition *c, unsigned thread, const struct event *op,
                 bool ends)
{
    struct net_want *kept = NULL;
    if (!net_wants(c) && !ends)
        kept = known_want(u, op);
    if (!kept && !(kept = new_want(u, c, thread, op, ends)))
        return;
    if (u->standpoint_count == 2 * u->room) {
        u->net.full = true;
        return;
    }
    if (unfold_joins(op->kind) && !u->joins[thread]) {
        u->joins[thread] = true;
        u->joiners++;
    }
    c->wants = net_link(c, kept);
    unfold_note_stand(u, c);
    u->standpoints[u->standpoint_count++] = (struct net_stand){.thread = c, .want = kept};
}

void unfold_want(struct unfold *u, unsigned thread, const struct event *op)
{
    struct net_condition *c = unfold_thread(u, thread);
    struct event ends[UNFOLD_ENDS];
    if (wanted(c, op->kind))
        return;
    bool may_end = op->flags & EVENT_CANCELLABLE || unfold_joins(op->kind);
    int count = may_end ? unfold_ends(u, c, op, ends) : 0;
    for (int i = 0; i < count; i++)
        want(u, c, thread, &ends[i], true);
    if (!count)
        want(u, c, thread, op, false);
}

/* The thread, which stands at c, cannot go on. */
static void note_waits(struct unfold *u, struct net_condition *c, const struct event *op)
{
    if (unfold_looks(op) && net_wants(c) && net_wants(c)->rounds)
        unfold_note_round(u, c, *unfold_now(u, net_wants(c)->slot[0]));
    else
        unfold_note_closed(u, op);
}

/* What a thread goes on with that was parked in its last event. */
static unsigned goes_on_with(const struct net_event *last)
{
    if (last && operation_sends(last->kind) && last->value)
        return EV_PORT_TAKEN;
    if (last && last->kind == EV_MONITOR_WAIT)
        return EV_MONITOR_RESUME;
    return last && !last->value ? operation_of(last->kind)->then : EV_NONE;
}

void unfold_note_wants(struct engine *e, const struct tset *live, const struct tset *enabled,
                       const struct event *next)
{
    struct unfold *u = e->state;
    struct event room;
    TSET_FOR(t, live) {
        const struct event *op = &next[t];
        struct net_condition *c = unfold_numbered(u, (unsigned)t);
        if (!tset_has(&u->started, u->names.name[t]))
            continue;
        if (net_wants(c) && net_wants(c)->kind == op->kind && enabled && tset_has(enabled, t))
            continue; /* it has been there before */
        unsigned then = goes_on_with(net_maker(c));
        if (then != EV_NONE) {
            struct event leave = {.kind = (uint8_t)then, .thread = u->names.name[t]};
            if (operation_of(then)->follows != FOLLOWS_THREAD)
                leave.object = u->net.slots[net_maker(c)->touch[0].at->slot].object;
            unfold_want(u, leave.thread, &leave);
        } else if (op->kind != EV_NONE) {
            op = unfold_names_event(&u->names, op, &room);
            if (!unfold_knows(op))
                unfold_not_known(e, op);
            unfold_want(u, op->thread, op);
            if (enabled && !tset_has(enabled, t))
                note_waits(u, c, op);
        }
    }
}

void unfold_note_named(struct unfold *u, const struct event *ev)
{
    struct net_ports *p = &u->ports[ev->thread];
    if (!operation_is(ev->kind, OP_NAMES))
        return;
    unfold_past_stop(u);
    if (p->count < NET_PORTS)
        p->port[p->count] = ev->object;
    p->count++;
}
