/* Which events are possible (sections 4.4 to 4.6 and 5.6 of the thesis that net.h names): a thread that
 * stands before an operation on an object can perform it at every condition of that object which is
 * concurrent with where it stands. A new standpoint looks through the object's tree from its own tip
 * downwards, leaving out what is below a condition that is not concurrent (theorem 4); a new condition
 * is offered to those who stand before its parent (lemma 5). An operation that waits is left out where
 * it is known not to go on; where that is not known, an execution finds out. */
#include "explore/unfold/unfold.h"

#include "object/object.h"

#include <string.h>

static void possible(struct unfold *u, const struct net_event *like)
{
    struct net_event *e = net_event(&u->net, like, true);
    if (!e || e->state != NET_POSSIBLE || e->queue || u->last == e)
        return;
    if (u->last)
        u->last->queue = e;
    else
        u->first = e;
    u->last = e;
}

/* Does it perhaps change something if it finds this? */
static bool may_take(const struct net_want *w, struct net_condition *const *touched)
{
    const struct operation *o = operation_of(w->kind);
    bool compares = o->object == OBJECT_MEMORY && o->role[0] != o->role[1];
    return w->takes && !(compares && touched[0]->valued && touched[0]->value != w->expected);
}

static int role_of_maker(const struct net_condition *c)
{
    const struct net_event *m = c->maker;
    for (int i = 0; m && i < m->touches; i++)
        if (m->put[i] == c)
            return m->role[i];
    return ROLE_NONE;
}

/* Is it known that an operation which waits does not go on at condition c of slot i? */
static bool known_closed(const struct net_want *w, unsigned thread, int i, const struct net_condition *c)
{
    const struct operation *o = operation_of(w->kind);
    int role = role_of_maker(c);
    if (o->follows == FOLLOWS_THREAD)
        return !c->maker || !unfold_ends(c->maker->kind);
    if (o->follows == FOLLOWS_OBJECT)
        return role != ROLE_OPEN;
    if (w->past >> i & 1)
        return role != ROLE_SIGNAL;
    if (!(o->traits & OP_BLOCKS) || !c->maker)
        return false;
    switch (o->object) {
    case OBJECT_MUTEX:
        return c->count && c->maker->thread != thread;
    case OBJECT_RWLOCK:
        return role == ROLE_WRITER_IN || (c->count && o->role[0] == ROLE_WRITER_IN);
    case OBJECT_SEMAPHORE:
        return o->role[0] == ROLE_TAKE && c->maker->value == 0;
    default:
        return false;
    }
}

/* A thread that stands before an operation, and the conditions that it would touch, as far as they are
 * chosen; with `replicates` also who is to have read them before. */
struct unfold_attempt {
    struct net_condition *thread, *touched[NET_TOUCHES];
    const struct net_want *want;
    unsigned chosen; /* bit i: touched[i] is */
    struct net_event *looks[EVENT_MAX_THREADS];
    int look_count;
};

static bool fits(struct unfold *u, const struct unfold_attempt *a)
{
    struct net_condition *parts[1 + NET_TOUCHES + EVENT_MAX_THREADS];
    int holding;
    int count = net_parts(parts, a->thread, a->touched, a->chosen, a->want->past, &holding);
    for (int i = 0; i < a->look_count; i++)
        parts[count++] = a->looks[i]->to;
    return net_fit(&u->net, parts, holding, count);
}

/* The events that read what it would take, in the state merged[]. */
static int set_reads(struct unfold *u, struct net_event *like)
{
    uint32_t count = 0;
    for (int i = 0; i < like->touches; i++) {
        const struct net_condition *c = like->touched[i];
        for (struct net_event *r = c->looks; r && count < NET_TOUCHES * u->room; r = net_next_look(r, c))
            if (net_above(r->to, u->net.merged[r->to->slot]))
                u->found[count++] = r;
    }
    return net_set_reads(&u->net, like, u->found, count);
}

/* merged[] is the state before the operation. */
static void possible_here(struct unfold *u, const struct unfold_attempt *a)
{
    struct net_event like = {.from = a->thread, .thread = (uint16_t)u->net.slots[a->thread->slot].object,
                             .kind = a->want->kind, .touches = a->want->touches, .past = a->want->past};
    memcpy(like.touched, a->touched, sizeof like.touched);
    like.collects = u->net.replicates && may_take(a->want, a->touched);
    if (like.collects && set_reads(u, &like))
        return;
    possible(u, &like);
}

static bool looks_already(const struct unfold_attempt *a, unsigned thread)
{
    for (int i = 0; i < a->look_count; i++)
        if (a->looks[i]->thread == thread)
            return true;
    return false;
}

/* All sets of events that may have read what it takes; r: of those of touched[i] from here on. */
static void with_looks(struct unfold *u, struct unfold_attempt *a, int i, struct net_event *r)
{
    possible_here(u, a);
    for (; i < a->want->touches; r = ++i < a->want->touches ? a->touched[i]->looks : NULL)
        for (; r; r = net_next_look(r, a->touched[i])) {
            if (looks_already(a, r->thread))
                continue;
            a->looks[a->look_count++] = r;
            if (fits(u, a))
                with_looks(u, a, i, net_next_look(r, a->touched[i]));
            a->look_count--;
        }
}

static void choose_rest(struct unfold *u, struct unfold_attempt *a);

static void choose_below(struct unfold *u, struct unfold_attempt *a, int i, struct net_condition *c)
{
    a->touched[i] = c;
    a->chosen |= 1u << i;
    bool fit = fits(u, a);
    if (fit)
        choose_rest(u, a);
    for (struct net_condition *below = fit ? c->down : NULL; below; below = below->beside)
        choose_below(u, a, i, below);
    a->chosen &= ~(1u << i);
}

/* merged[] is the state of what is chosen: tries all conditions for the rest. */
static void choose_rest(struct unfold *u, struct unfold_attempt *a)
{
    const struct net_want *w = a->want;
    unsigned thread = (unsigned)u->net.slots[a->thread->slot].object;
    int i = 0;
    while (i < w->touches && a->chosen >> i & 1)
        i++;
    if (i < w->touches) {
        choose_below(u, a, i, u->net.merged[w->slot[i]]);
        return;
    }
    for (i = 0; i < w->touches; i++)
        if (known_closed(w, thread, i, a->touched[i]))
            return;
    if (u->net.replicates && w->touches && may_take(w, a->touched))
        with_looks(u, a, 0, a->touched[0]->looks);
    else
        possible_here(u, a);
}

static void stand_before(struct unfold *u, const struct unfold_attempt *a, struct net_condition *c)
{
    struct net_stand *s = arena_alloc(u->net.arena, sizeof *s);
    if (!s) {
        u->net.full = true;
        return;
    }
    *s = (struct net_stand){.next = c->stands, .thread = a->thread, .want = a->want};
    c->stands = s;
}

/* s stands before an operation that touches c, in place i; with `look` that has been read by it. */
static bool offer(struct unfold *u, const struct net_stand *s, int i, struct net_condition *c,
                  struct net_event *look)
{
    struct unfold_attempt a = {.thread = s->thread, .want = s->want, .chosen = 1u << i, .looks = {look},
                               .look_count = look != NULL};
    a.touched[i] = c;
    if (!fits(u, &a))
        return false;
    if (!look)
        stand_before(u, &a, c);
    choose_rest(u, &a);
    return true;
}

static void offer_below(struct unfold *u, const struct net_stand *s, int i, struct net_condition *c)
{
    if (offer(u, s, i, c, NULL))
        for (struct net_condition *below = c->down; below; below = below->beside)
            offer_below(u, s, i, below);
}

/* Those who stand before c or its parent, and what has become possible for them: that c holds, or with
 * `replicates` that it was read by `look`. */
static void offer_to(struct unfold *u, const struct net_stand *s, struct net_condition *c,
                     struct net_event *look)
{
    for (; s; s = s->next)
        for (int i = 0; i < s->want->touches; i++)
            if (s->want->slot[i] == c->slot && (!look || s->want->takes))
                offer(u, s, i, c, look);
}

/* The same with the other values that could have been chosen. */
static void other_choices(struct unfold *u, const struct net_event *done)
{
    struct net_event like = *done;
    for (like.branch = 0; like.branch < done->branches; like.branch++)
        if (like.branch != done->branch)
            possible(u, &like);
}

static void new_event(struct unfold *u, struct net_event *e)
{
    offer_to(u, e->from->stands, e->to, NULL);
    for (int i = 0; i < e->touches; i++) {
        if (e->put[i])
            offer_to(u, e->touched[i]->stands, e->put[i], NULL);
        else if (u->net.replicates && !(e->past >> i & 1))
            offer_to(u, e->touched[i]->stands, e->touched[i], e);
    }
    if (e->branches)
        other_choices(u, e);
}

void unfold_extend(struct unfold *u)
{
    for (uint32_t i = 0; i < u->fresh_count; i++)
        new_event(u, u->fresh[i]);
    for (uint32_t k = 0; k < u->standpoint_count; k++) {
        const struct net_stand *s = &u->standpoints[k];
        for (int i = 0; i < s->want->touches; i++)
            offer_below(u, s, i, net_tip(&u->net, s->thread, s->want->slot[i]));
    }
}
