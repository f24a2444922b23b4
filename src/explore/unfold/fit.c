/* Which conditions can hold together, and an order of the events that lead there. */
#include "explore/unfold/net.h"

#include "base/ensure.h"

#include <string.h>

/* ---- what fits together ---------------------------------------------------------------------------- */

/* The events of thread slot s behind `from` up to its condition in merged[], last first; how many. */
static uint32_t list_thread(struct net *n, uint32_t s, uint32_t at, const struct net_condition *from)
{
    uint32_t count = 0;
    for (struct net_condition *c = n->merged[s]; c != from; c = net_up(c)) {
        struct net_event *e = net_maker(c);
        if (e->to != c)
            continue; /* its creation, by another thread */
        if (at + count >= n->order_room)
            return UINT32_MAX;
        n->list[at + count++] = e;
        for (int i = 0; i < e->touches; i++) {
            struct net_condition *t = e->touch[i].at;
            if (e->past >> i & 1)
                continue;
            if (t->run != n->runs) {
                t->run = n->runs;
                t->readers = 0;
                t->taker = 0;
            }
            if (net_put(e, i))
                t->taker = net_link(t, e);
            else
                t->readers++;
        }
    }
    return count;
}

/* Of every thread the events not yet placed: list[at .. at + left), the next one last. */
struct rest {
    uint32_t at, left;
};

static int gather(struct net *n, struct rest *rest, struct net_condition *const *now)
{
    uint32_t at = 0;
    n->runs++;
    for (int t = 0; t < n->threads; t++) {
        uint32_t slot = n->thread_slot[t], left = 0;
        if (slot)
            left = list_thread(n, slot, at, now ? now[slot] : n->slots[slot].root);
        if (left == UINT32_MAX)
            return -1;
        rest[t] = (struct rest){at, left};
        at += left;
    }
    return 0;
}

/* Of two events, the first of which reads a condition in place i: does one come after the other, or may they
 * come in any order? */
static bool ordered(const struct net *n, const struct net_event *e, int i, const struct net_event *f)
{
    for (int j = 0; j < f->touches; j++)
        if (f->touch[j].at == e->touch[i].at && !(f->past >> j & 1) &&
            net_counts(n, e->role[i], f->role[j]) && net_counts(n, f->role[j], e->role[i]))
            return net_before(n, e, f) || net_before(n, f, e);
    return true;
}

/* Roles that marks on the same condition can conflict with. */
static bool meets_marks(const struct net *n, int role)
{
    return role_conflicts[role] & (n->replicates ? net_marking | net_looking : net_marking);
}

/* Does whoever takes a condition come after the marks on it, and of two of these that conflict one after
 * the other, of the events behind from[]? */
static bool marked_before(struct net *n, struct net_condition *const *from)
{
    struct rest rest[EVENT_MAX_THREADS];
    if (gather(n, rest, from))
        return false;
    uint32_t count = n->threads ? rest[n->threads - 1].at + rest[n->threads - 1].left : 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct net_event *e = n->list[k];
        for (int i = 0; i < e->touches; i++) {
            if (net_put(e, i) || e->past >> i & 1 || !(n->replicates || role_in(net_marking, e->role[i])))
                continue;
            const struct net_event *taker = net_taker(e->touch[i].at);
            if (net_crowded(e, i))
                return false;
            if (taker && !net_before(n, e, taker) &&
                net_counts(n, e->role[i], taker->role[net_place(taker, e->touch[i].at)]))
                return false;
            for (uint32_t m = k + 1; meets_marks(n, e->role[i]) && m < count; m++)
                if (!ordered(n, e, i, n->list[m]))
                    return false;
        }
    }
    return true;
}

int net_parts(struct net_condition **parts, struct net_condition *thread,
              struct net_condition *const *touched, unsigned chosen, unsigned past, int *holding)
{
    int count = 0;
    parts[count++] = thread;
    for (int i = 0; i < NET_TOUCHES; i++)
        if (chosen & ~past & 1u << i)
            parts[count++] = touched[i];
    *holding = count;
    for (int i = 0; i < NET_TOUCHES; i++)
        if (chosen & past & 1u << i)
            parts[count++] = touched[i];
    return count;
}

bool net_merge(struct net *n, struct net_condition *const *parts, int count)
{
    struct net_known of[1 + NET_TOUCHES + 2 * EVENT_MAX_THREADS];
    for (int k = 0; k < count; k++)
        of[k] = net_known(n, net_maker(parts[k]));
    for (uint32_t s = 1; s < n->slot_count; s++) {
        uint32_t first = net_known_place(n, of, s), last = first;
        struct net_condition *low = net_at(n, first), *high = low;
        for (int k = 1; k < count; k++) {
            uint32_t place = net_known_place(n, &of[k], s);
            if (place == last || place == first)
                continue;
            struct net_condition *tip = net_at(n, place);
            low = net_lower(low, tip);
            if (!low)
                return false;
            last = low == tip ? place : last;
            high = tip->depth < high->depth ? tip : high;
        }
        n->merged[s] = low;
        n->common[s] = high;
    }
    return true;
}

void net_join(struct net *n, struct net_condition *const *parts, int count)
{
    ensure(count > 0);
    for (uint32_t s = 1; s < n->slot_count; s++)
        n->merged[s] = net_tip(n, parts[0], s);
    for (int k = 1; k < count; k++) {
        const struct net_event *e = net_maker(parts[k]);
        for (uint32_t s = 1; e && s < e->tip_count; s++) {
            struct net_condition *tip = net_at(n, net_tips(n, e)[s]);
            n->merged[s] = tip->depth > n->merged[s]->depth ? tip : n->merged[s];
        }
    }
}

/* In what part needs, has somebody read c whom the taker of c does not know? All of this is on one branch. */
static bool read_unknown(const struct net *n, const struct net_condition *part, const struct net_condition *c,
                         const struct net_event *taker)
{
    const struct net_event *last = net_maker(part);
    for (int t = 0; last && t < n->threads; t++) {
        uint32_t slot = n->thread_slot[t], place = slot ? net_tip_place(n, last, slot) : 0;
        if (!slot || place == net_tip_place(n, taker, slot))
            continue;
        const struct net_condition *x = net_at(n, place), *known = net_tip(n, taker->to, slot);
        for (; x != known && x->depth > known->depth; x = net_up(x)) {
            const struct net_event *e = net_maker(x);
            for (int i = 0; e->to == x && i < e->touches; i++)
                if (e->touch[i].at == c && !net_put(e, i) && !(e->past >> i & 1))
                    return true;
        }
    }
    return false;
}

/* With place replication, where nobody marks: who has read a condition in what one part needs, is that
 * known to who takes it in what another one needs? */
static bool reads_known(const struct net *n, struct net_condition *const *parts, int count)
{
    for (uint32_t s = 1; s < n->slot_count; s++) {
        if (n->merged[s] == n->common[s] || n->slots[s].thread)
            continue;
        for (int k = 0; k < count; k++) {
            const struct net_condition *tip = net_tip(n, parts[k], s);
            if (tip != n->merged[s] && net_looks(tip) &&
                read_unknown(n, parts[k], tip, net_maker(net_toward(tip, n->merged[s]))))
                return false;
        }
    }
    return true;
}

/* What each part needs fits together by itself, so of two events that do not one part needs one and
 * another the other: those that all of them need are left out. Of an order they can come first, unless
 * somebody must read before one of them takes that, or marks it. */
bool net_fit(struct net *n, struct net_condition *const *parts, int holding, int count)
{
    if (!net_merge(n, parts, count))
        return false;
    for (int i = 0; i < holding; i++)
        if (n->merged[parts[i]->slot] != parts[i])
            return false; /* it was replaced in what the others need */
    if (!n->looks && !n->marks)
        return true;
    if (n->replicates && !n->marks)
        return reads_known(n, parts, count);
    struct net_condition *const *from = n->arrivals ? NULL : n->common;
    if (n->replicates)
        return marked_before(n, from);
    if (!n->marks)
        return net_order(n, n->common) || net_order(n, NULL);
    return marked_before(n, from) && (!n->looks || net_order(n, NULL));
}

/* Must somebody who looks at the condition that e marks, in place i, do so before? The count events of
 * list[] are to happen. */
static bool is_awaited(const struct net *n, const struct net_event *e, int i, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct net_event *r = n->list[k];
        for (int j = 0; j < r->touches; j++)
            if (r->touch[j].at == e->touch[i].at && role_in(net_looking, r->role[j]) && !(r->past >> j & 1) &&
                role_in(role_conflicts[e->role[i]], r->role[j]) && !net_happens(r, n->marking) &&
                !net_before(n, e, r))
                return true;
    }
    return false;
}

static bool can_happen(const struct net *n, const struct net_event *e, uint32_t count)
{
    if (n->marking[e->from->slot] != e->from)
        return false;
    for (int i = 0; i < e->touches; i++) {
        const struct net_condition *c = e->touch[i].at, *now = n->marking[c->slot];
        if (e->past >> i & 1 ? !net_above(c, now) : now != c || (net_put(e, i) && c->readers))
            return false;
        if (n->looks && role_in(net_marking, e->role[i]) && is_awaited(n, e, i, count))
            return false;
    }
    for (uint32_t i = 0; i < e->read_count; i++)
        if (!net_happens(net_reads(n, e)[i], n->marking))
            return false;
    return true;
}

static void happens(struct net *n, struct net_event *e)
{
    n->marking[e->from->slot] = e->to;
    for (int i = 0; i < e->touches; i++) {
        if (net_put(e, i))
            n->marking[net_put(e, i)->slot] = net_put(e, i);
        else if (!(e->past >> i & 1))
            e->touch[i].at->readers--;
    }
}

/* Was something that e looks at marked in the state by one whom e does not come after? */
static bool comes_too_late(const struct net *n, const struct net_event *e, struct net_condition *const *state)
{
    for (int i = 0; i < e->touches; i++) {
        const struct net_condition *c = e->touch[i].at;
        if (e->past >> i & 1 || !role_in(net_looking, e->role[i]))
            continue;
        for (const struct net_event *m = net_looks(c); m; m = net_next_look(m, c))
            if (net_counts(n, m->role[net_place(m, c)], e->role[i]) && m->thread != e->thread &&
                net_happens(m, state) && !net_before(n, m, e))
                return true;
    }
    return false;
}

/* Greedy: an event that can happen never takes from another one of the set the chance to, because who
 * takes a condition waits for those that read it. */
bool net_order(struct net *n, struct net_condition *const *now)
{
    struct rest rest[EVENT_MAX_THREADS];
    bool progress = true;
    if (gather(n, rest, now))
        return false;
    uint32_t left = n->threads ? rest[n->threads - 1].at + rest[n->threads - 1].left : 0, count = left;
    for (uint32_t k = 0; now && n->marks && n->looks && k < count; k++)
        if (comes_too_late(n, n->list[k], now))
            return false;
    for (uint32_t s = 1; s < n->slot_count; s++)
        n->marking[s] = now ? now[s] : n->slots[s].root;
    n->order_count = 0;
    while (progress && left) {
        progress = false;
        for (int t = 0; t < n->threads; t++) {
            for (; rest[t].left; rest[t].left--, left--) {
                struct net_event *e = n->list[rest[t].at + rest[t].left - 1];
                if (!can_happen(n, e, count))
                    break;
                happens(n, e);
                n->order[n->order_count++] = e;
                progress = true;
            }
        }
    }
    n->left_count = 0;
    for (int t = 0; t < n->threads; t++)
        for (uint32_t k = 0; k < rest[t].left; k++)
            n->list[n->left_count++] = n->list[rest[t].at + k];
    return left == 0;
}

