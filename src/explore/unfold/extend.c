/* Which events are possible (sections 4.4 to 4.6 and 5.6 of the thesis that net.h names): a thread that
 * stands before an operation on an object can perform it at every condition of that object which is
 * concurrent with where it stands. A new standpoint looks through the object's tree from its own tip
 * downwards, leaving out what is below a condition that is not concurrent (theorem 4); a new condition
 * is offered to those who stand before its parent (lemma 5). An operation that waits is left out where
 * it is known not to go on; where that is not known, an execution finds out. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"
#include "object/object.h"

#include <string.h>

enum { ATTEMPTS_A_LOOK = 1 << 12 };

/* What was tried and came out as another one, since nobody knew of a choice in it, may come here again. */
static void possible(struct unfold *u, const struct net_event *like)
{
    struct net_event *e = net_event(&u->net, like, true);
    if (!e || e->state != NET_POSSIBLE)
        return;
    if (like->branches) {
        e->branches = like->branches;
        e->on_input = like->on_input;
        e->bit = like->bit;
        e->value = like->value;
        e->kind = like->kind;
    }
    if (!e->queued)
        unfold_try_later(u, e);
}

/* A thread that stands before an operation, and the conditions that it would touch, as far as they are
 * chosen; and who is to have marked them before. */
struct unfold_attempt {
    struct net_condition *thread, *touched[NET_TOUCHES];
    const struct net_want *want;
    unsigned chosen; /* bit i: touched[i] is */
    struct net_event *looks[EVENT_MAX_THREADS];
    int look_count;
    struct net_condition *parts[1 + NET_TOUCHES + EVENT_MAX_THREADS]; /* [count]: all of these, … */
    int count;
    bool shown; /* … which the last execution has shown: merged[] is not set yet */
};

/* Were all parts there in the last execution, at one time or another? */
static bool all_shown(const struct unfold *u, const struct unfold_attempt *a)
{
    for (int k = 0; k < a->count; k++)
        if (!unfold_came_by(u, a->parts[k]))
            return false;
    return true;
}

/* Then what they need is a part of it, in its order, and fits together: is there none who needs that the
 * part k was replaced? */
static bool holds(const struct unfold *u, const struct unfold_attempt *a, int k)
{
    const struct net_condition *c = a->parts[k];
    for (int i = 0; i < a->count; i++)
        if (i != k && net_tip(&u->net, a->parts[i], c->slot)->depth > c->depth)
            return false;
    return true;
}

static bool fits(struct unfold *u, struct unfold_attempt *a)
{
    if (++u->attempts % ATTEMPTS_A_LOOK == 0 && unfold_stops(u))
        return false;
    int holding;
    a->count = net_parts(a->parts, a->thread, a->touched, a->chosen, a->want->past, &holding);
    for (int i = 0; i < a->look_count; i++)
        a->parts[a->count++] = a->looks[i]->to;
    a->shown = all_shown(u, a);
    if (!a->shown)
        return net_fit(&u->net, a->parts, holding, a->count);
    bool fit = true;
    for (int k = 0; k < holding && fit; k++)
        fit = holds(u, a, k);
    return fit;
}

/* The smallest state of an attempt that fits. */
static struct net_condition *const *state_of(struct unfold *u, struct unfold_attempt *a)
{
    if (a->shown)
        net_join(&u->net, a->parts, a->count);
    a->shown = false;
    return u->net.merged;
}

/* Does the event happen in what the parts need? */
static bool is_needed(const struct unfold *u, const struct unfold_attempt *a, const struct net_event *e)
{
    for (int k = 0; k < a->count; k++)
        if (net_above(e->to, net_tip(&u->net, a->parts[k], e->to->slot)))
            return true;
    return false;
}

/* Is it what the last execution has performed? If it looks at no more and no less than that. */
static bool was_performed(const struct unfold *u, const struct unfold_attempt *a)
{
    const struct net_condition *now = u->now[a->thread->slot];
    if (!a->shown || now == a->thread)
        return false;
    struct net_condition *const *at = unfold_on_path(u, a->thread->slot, a->thread->depth + 1);
    const struct net_condition *next = at ? *at : net_toward(a->thread, now);
    const struct net_event *e = net_maker(next);
    if (e->to != next || e->branches || e->touches != a->want->touches)
        return false;
    for (int i = 0; i < e->touches; i++)
        if (e->touch[i].at != a->touched[i] || e->role[i] != a->want->role[i])
            return false;
    for (int i = 0; i < a->look_count; i++)
        if (!net_before(&u->net, a->looks[i], e))
            return false;
    for (uint32_t i = 0; i < e->read_count; i++)
        if (!is_needed(u, a, net_reads(&u->net, e)[i]))
            return false;
    return true;
}

/* The events that it is known by, of those on what it touches in state[]. */
static void set_reads(struct unfold *u, struct net_event *like, struct net_condition *const *state)
{
    uint32_t count = 0;
    for (int i = 0; i < like->touches; i++) {
        const struct net_condition *c = like->touch[i].at;
        if (like->past >> i & 1 || !net_any_counts(&u->net, like->role[i]))
            continue;
        for (struct net_event *r = net_looks(c); r && count < NET_TOUCHES * u->room; r = net_next_look(r, c))
            if (net_counts(&u->net, r->role[net_place(r, c)], like->role[i]) && net_happens(r, state))
                u->found[count++] = r;
    }
    net_set_reads(&u->net, like, u->foreseen_reads, u->found, count);
}

bool unfold_like(struct unfold *u, const struct net_want *w, struct net_condition *thread,
                 struct net_condition *const *touched, struct net_condition *const *state,
                 struct net_event *like)
{
    *like = (struct net_event){.from = thread, .thread = (uint16_t)u->net.slots[thread->slot].object,
                               .kind = w->kind, .touches = w->touches, .past = w->past};
    for (int i = 0; i < w->touches; i++)
        like->touch[i].at = touched[i];
    if (thread->owns || !unfold_foresee(u, w, thread, touched, state, like->role))
        return false;
    if (like->touches && like->role[0] == ROLE_OWN)
        like->touches = 0;
    set_reads(u, like, state);
    return true;
}

/* Was one side of a branch on inputs performed in it? Then the other one is known of, too (other_choices). */
static bool has_sides(struct unfold *u, struct net_event *like)
{
    like->branch = 1;
    const struct net_event *side = net_event(&u->net, like, false);
    like->branch = 0;
    return side && side->on_input && side->state == NET_PERFORMED;
}

static void possible_here(struct unfold *u, struct unfold_attempt *a)
{
    struct net_event like;
    if (!was_performed(u, a) && unfold_like(u, a->want, a->thread, a->touched, state_of(u, a), &like) &&
        !(u->inputs && has_sides(u, &like)))
        possible(u, &like);
}

/* Would r add to what the attempt is known by? Not if its thread or the first `known` parts need it, or
 * something that does not go with it, as far as that is quickly seen, or if another one of its thread was
 * taken. */
static bool adds(const struct unfold *u, const struct unfold_attempt *a, int known, const struct net_event *r)
{
    struct net_condition *to = r->to;
    if (to->slot == a->thread->slot)
        return false;
    for (int i = 0; i < a->look_count; i++)
        if (a->looks[i]->thread == r->thread)
            return false;
    for (int k = known - 1; k >= 0; k--) {
        const struct net_condition *tip = net_tip(&u->net, a->parts[k], to->slot);
        if (tip->depth >= to->depth || !net_above(tip, to) ||
            !net_lower(net_tip(&u->net, to, a->parts[k]->slot), a->parts[k]))
            return false;
    }
    return true;
}

/* Does it stand behind a barrier? Then those who have met there are all named. */
static bool meets(const struct net_want *w)
{
    return operation_of(w->kind)->follows == FOLLOWS_MEETING;
}

/* Goes who stands behind a barrier on after as many others as it takes? Fewer need not be looked at. */
static bool all_there(const struct unfold_attempt *a)
{
    const struct object_state *s = net_state(a->touched[0]);
    return s && a->look_count + 1 == (int)s->limit;
}

/* All sets of events that it may be known by; r: of those of touched[i] from here on. */
static void with_looks(struct unfold *u, struct unfold_attempt *a, int i, struct net_event *r)
{
    int known = meets(a->want) ? 0 : a->count;
    if (!meets(a->want) || all_there(a))
        possible_here(u, a);
    for (; i < a->want->touches; r = ++i < a->want->touches ? net_looks(a->touched[i]) : NULL) {
        int role = a->want->role[i];
        if (a->want->past >> i & 1 || !net_any_counts(&u->net, role))
            continue;
        for (; r; r = net_next_look(r, a->touched[i])) {
            if (!net_counts(&u->net, r->role[net_place(r, a->touched[i])], role) || !adds(u, a, known, r))
                continue;
            a->looks[a->look_count++] = r;
            if (fits(u, a))
                with_looks(u, a, i, net_next_look(r, a->touched[i]));
            a->look_count--;
        }
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
    for (struct net_condition *below = fit ? net_down(c) : NULL; below; below = net_beside(below))
        choose_below(u, a, i, below);
    a->chosen &= ~(1u << i);
}

/* What is chosen fits: tries all conditions for the rest. */
static void choose_rest(struct unfold *u, struct unfold_attempt *a)
{
    const struct net_want *w = a->want;
    int i = 0;
    while (i < w->touches && a->chosen >> i & 1)
        i++;
    if (i < w->touches)
        choose_below(u, a, i, state_of(u, a)[w->slot[i]]);
    else if (w->touches)
        with_looks(u, a, 0, net_looks(a->touched[0]));
    else
        possible_here(u, a);
}

/* s stands before an operation that touches c, in place i; with `look` that has been marked by it. */
static bool offer(struct unfold *u, const struct net_stand *s, int i, struct net_condition *c,
                  struct net_event *look)
{
    struct unfold_attempt a; /* large, and most of it is not used */
    if (unfold_inside(s->want->kind) || /* which was performed wherever it can be */
        (unfold_starts(s->want->kind) && unfold_first_step(net_up(c))))
        return false;
    a.thread = s->thread;
    a.want = s->want;
    a.chosen = 1u << i;
    a.look_count = 0;
    memset(a.touched, 0, sizeof a.touched);
    a.touched[i] = c;
    if (look) {
        int holding, known = net_parts(a.parts, a.thread, a.touched, a.chosen, a.want->past, &holding);
        if (!adds(u, &a, meets(s->want) ? 0 : known, look))
            return false;
        a.looks[a.look_count++] = look;
    }
    if (!fits(u, &a))
        return false;
    if (!look)
        net_stand(&u->net, c, a.thread, a.want);
    choose_rest(u, &a);
    return true;
}

static void offer_below(struct unfold *u, const struct net_stand *s, int i, struct net_condition *c);

/* What replaced c: those who know no more of the thread than where it stands. */
static void offer_puts(struct unfold *u, const struct net_stand *s, int i, struct net_condition *c)
{
    const struct net_condition *top = net_tip(&u->net, c, s->thread->slot), *y = s->thread;
    for (;; y = net_up(y)) {
        const struct net_kin *k = net_puts_by(&u->net, c, y);
        for (; k; k = net_next_kin(&u->net, k)) {
            struct net_condition *put = net_at(&u->net, k->item);
            if (net_is_there(put))
                offer_below(u, s, i, put);
        }
        if (y == top)
            return;
    }
}

/* c and what is below, if it can be there while the thread stands where it does, as can what knows of it
 * no more. */
static void offer_below(struct unfold *u, const struct net_stand *s, int i, struct net_condition *c)
{
    uint32_t slot = s->thread->slot, known = net_tip_place(&u->net, net_maker(c), slot), more;
    if (!offer(u, s, i, c, NULL))
        return;
    if (c->put_count >= NET_MANY) {
        offer_puts(u, s, i, c);
        return;
    }
    for (struct net_condition *below = net_down(c); below; below = net_beside(below)) {
        more = net_tip_place(&u->net, net_maker(below), slot);
        if (more == known || net_above(net_at(&u->net, more), s->thread))
            offer_below(u, s, i, below);
    }
}

/* c holds, or with `look`, in a role, was marked by that: what has become possible for one who stands
 * there, or before what c has replaced. */
static void offer_one(struct unfold *u, const struct net_stand *s, struct net_condition *c,
                      struct net_event *look, int role)
{
    for (int i = 0; i < s->want->touches; i++)
        if (s->want->slot[i] == c->slot && !(look && s->want->past >> i & 1) &&
            (!look || net_counts(&u->net, role, s->want->role[i])))
            offer(u, s, i, c, look);
}

/* Can a mark in the role matter to who wants that? */
static bool concerns(const struct net *n, const struct net_want *w, int role)
{
    bool some = false;
    for (int i = 0; i < w->touches; i++)
        some |= net_counts(n, role, w->role[i]);
    return some;
}

/* Can the thread stand there with all that e needs? */
static bool stays(const struct net *n, const struct net_stand *s, const struct net_event *e)
{
    const struct net_condition *tip = net_at(n, net_tip_place(n, e, n->thread_slot[s->number]));
    return tip == s->thread || (tip->depth < s->depth && net_above(tip, s->thread));
}

/* The same for all others who stand before `at`, unless their thread would have to go on before: e has put
 * c, or marked it. (Its own thread has gone on.) */
static void offer_to(struct unfold *u, struct net_event *e, struct net_condition *at,
                     struct net_condition *c, struct net_event *look)
{
    struct net *n = &u->net;
    int role = look ? e->role[net_place(e, c)] : ROLE_NONE;
    if (u->overlook && ++u->offers % u->overlook == 0)
        return;
    if (at->stand_count < NET_MANY) {
        for (const struct net_stand *s = net_stands(at); s; s = net_next_stand(s))
            if (s->number != e->thread && (!look || concerns(n, s->want, role)) && stays(n, s, e))
                offer_one(u, s, c, look, role);
        return;
    }
    for (int t = 0; t < n->threads; t++) {
        uint32_t slot = n->thread_slot[t];
        bool other = slot && slot != e->from->slot;
        const struct net_kin *k = other ? net_stands_by(n, at, net_at(n, net_tip_place(n, e, slot))) : NULL;
        for (; k; k = net_next_kin(n, k))
            offer_one(u, net_at(n, k->item), c, look, role);
    }
}

/* It may have been taken for possible before anybody knew of a branch in it: no inputs lead there. */
static void not_possible(struct unfold *u, struct net_event *like)
{
    like->branch = !like->branch;
    struct net_event *e = net_event(&u->net, like, false);
    if (e && e->state == NET_POSSIBLE)
        e->state = NET_IMPOSSIBLE;
}

/* The same with the other values that could have been chosen. */
static void other_choices(struct unfold *u, struct net_event *done)
{
    struct net_event like = {0};
    memcpy(&like, done, net_event_size(done->touches));
    if (done->on_input && !unfold_other_side(u, done)) {
        not_possible(u, &like);
        return;
    }
    for (like.branch = 0; like.branch < done->branches; like.branch++)
        if (like.branch != done->branch)
            possible(u, &like);
}

static void new_event(struct unfold *u, struct net_event *e)
{
    offer_to(u, e, e->from, e->to, NULL);
    for (int i = 0; i < e->touches; i++) {
        if (net_put(e, i))
            offer_to(u, e, e->touch[i].at, net_put(e, i), NULL);
        else if (!(e->past >> i & 1) && (u->net.replicates || role_in(net_marking, e->role[i])))
            offer_to(u, e, e->touch[i].at, e->touch[i].at, e);
    }
    if (e->branches)
        other_choices(u, e);
}

void unfold_extend(struct unfold *u)
{
    for (uint32_t i = 0; i < u->fresh_count && !u->stopped; i++)
        new_event(u, u->fresh[i]);
    for (uint32_t k = 0; k < u->standpoint_count && !u->stopped; k++) {
        const struct net_stand *s = &u->standpoints[k];
        for (int i = 0; i < s->want->touches; i++)
            offer_below(u, s, i, net_tip(&u->net, s->thread, s->want->slot[i]));
    }
}
