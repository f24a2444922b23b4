/* Who waits for a mutex waits for one who holds it, and in a deadlock that one waits too, or has ended.
 * The clauses of deadlock.c imply this for every single condition; said of all at once in which a thread
 * holds and wants the same, it leads from one thread of a circle to the next (figure 6.4 of the thesis
 * that net.h names) without looking at the events. */
#include "explore/unfold/question.h"

#include "base/ensure.h"

#include <string.h>

static bool takes_mutex(const struct net_event *e, int i, int role)
{
    return e->role[i] == role && !(e->past >> i & 1);
}

/* The mutexes that the thread holds at c; false: that cannot be said. */
static bool held_at(const struct net_condition *c, struct question_holder *h)
{
    uint32_t released[QUESTION_HELD], n = 0;
    for (; net_maker(c) && net_maker(c)->to == c; c = net_up(c)) {
        const struct net_event *e = net_maker(c);
        for (int i = 0; i < e->touches; i++) {
            uint32_t slot = e->touch[i].at->slot, k = n;
            if (takes_mutex(e, i, ROLE_RELEASE)) {
                if (n == QUESTION_HELD)
                    return false;
                released[n++] = slot;
            } else if (takes_mutex(e, i, ROLE_ACQUIRE)) {
                while (k && released[k - 1] != slot)
                    k--;
                if (k)
                    released[k - 1] = released[--n];
                else if (h->held_count == QUESTION_HELD)
                    return false;
                else
                    h->held[h->held_count++] = slot;
            }
        }
    }
    return n == 0; /* otherwise it released what it had not acquired */
}

/* It waits for a mutex, which nobody holds at the start, and for nothing else. */
static bool wants_mutex(const struct net_want *w)
{
    return !w->next && !w->past && w->touches == 1 && w->role[0] == ROLE_ACQUIRE &&
           operation_of(w->kind)->object == OBJECT_MUTEX && operation_of(w->kind)->traits & OP_LOCKS;
}

static bool may_wait(const struct net_condition *c)
{
    bool waits = false;
    for (const struct net_want *w = net_wants(c); w && !waits; w = w->next) {
        const struct operation *o = operation_of(w->kind);
        waits = o->traits & (OP_BLOCKS | OP_QUEUED) || unfold_retries(&w->op) || w->past || w->rounds ||
                o->follows == FOLLOWS_MEETING || o->follows == FOLLOWS_GIVER;
    }
    return waits;
}

static bool same_holder(const struct question_holder *a, const struct question_holder *b)
{
    return a->thread == b->thread && a->wants == b->wants && a->kind == b->kind &&
           a->held_count == b->held_count && !memcmp(a->held, b->held, a->held_count * sizeof *a->held);
}

static struct question_holder *holder_of(struct question *q, const struct net_condition *c)
{
    struct question_holder like = {.thread = c->slot};
    if (wants_mutex(net_wants(c))) {
        like.wants = net_wants(c)->slot[0];
        like.kind = net_wants(c)->kind;
    }
    q->holders_known &= held_at(c, &like);
    if (!q->holders_known || !like.held_count)
        return NULL;
    for (uint32_t i = 0; i < q->holder_count; i++)
        if (same_holder(&q->holders[i], &like))
            return &q->holders[i];
    if (q->holder_count == QUESTION_HOLDERS) {
        q->holders_known = false;
        return NULL;
    }
    like.literal = SAT_FALSE;
    q->holders[q->holder_count] = like;
    return &q->holders[q->holder_count++];
}

/* Some condition of the holder is there: a chain of variables. */
static void add_to_holder(struct question *q, struct net_condition *c)
{
    struct question_holder *h = NULL;
    if (!q->holders_known || !q->u->net.slots[c->slot].thread || !c->holds || !may_wait(c) ||
        !(h = holder_of(q, c)))
        return;
    uint32_t some = cdcl_var(q->s, false);
    question_implies(q, c->literal, some);
    question_implies(q, h->literal, some);
    question_add(q, some ^ 1);
    question_add(q, h->literal);
    question_add(q, c->literal);
    question_clause(q);
    h->literal = some;
}

static bool holds(const struct question_holder *h, uint32_t slot)
{
    uint32_t i = 0;
    while (i < h->held_count && h->held[i] != slot)
        i++;
    return i < h->held_count;
}

/* It is in one of the waits for that. */
static void state_waits(struct question *q, const struct question_holder *h)
{
    question_add(q, h->literal ^ 1);
    for (uint32_t i = 0; i < q->wait_count; i++) {
        const struct net_wait *w = &q->waits[i];
        if (w->thread == h->thread && w->kind == h->kind && w->slot == h->wants)
            question_add(q, w->literal);
    }
    ensure(q->n > 1 || q->too_wide);
    question_clause(q);
}

void question_holders(struct question *q)
{
    q->holder_count = 0;
    q->holders_known = !q->u->left_locked;
    question_conditions(q, add_to_holder);
    for (uint32_t i = 0; i < q->holder_count && q->holders_known; i++) {
        const struct question_holder *h = &q->holders[i];
        ensure(h->literal != SAT_FALSE);
        if (!h->wants)
            continue;
        question_add(q, h->literal ^ 1);
        for (uint32_t k = 0; k < q->holder_count; k++)
            if (holds(&q->holders[k], h->wants))
                question_add(q, q->holders[k].literal);
        question_clause(q);
        state_waits(q, h);
    }
}
