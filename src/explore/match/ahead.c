/* Where an execution goes when its plan is at an end: to what the model does not know yet, of as many threads
 * as can be.
 *
 * A thread that stands before a lock in a local state from which no execution has gone on shows something new
 * whenever it goes on. So it waits for others of which that cannot be said: what they would see now may be
 * written over. And others that will read what threads share go on until they stand before that, since what
 * the one that waits writes then is new to them. */
#include "explore/match/stateful.h"

enum { QUIET_STEPS = 64, STEPS_AHEAD = 8 };

/* What a thread has put while it went on alone in the model, to be taken back. */
struct ahead {
    struct match_local *from;
    struct match_place *was[STEPS_AHEAD * MATCH_LAST];
    int count;
};

/* Nobody waits for it there. */
static bool before_lock(const struct match_model *m, int t)
{
    const struct match_local *l = m->now.local[t];
    return l && event_class(l->op.kind) == CLASS_ACQUIRE && !match_held(m, t);
}

/* False: that cannot be foretold. */
static bool go_ahead(struct match_marking *k, int t, const struct match_effect *e, struct ahead *a)
{
    if (e->created >= 0 || e->puts > MATCH_LAST)
        return false;
    for (int n = 0; n < e->puts; n++)
        a->was[a->count++] = k->place[e->put[n]->slot];
    match_apply(k, k->local[t], e);
    return true;
}

static void come_back(struct match_marking *k, int t, struct ahead *a)
{
    while (a->count--)
        k->place[a->was[a->count]->slot] = a->was[a->count];
    k->local[t] = a->from;
}

/* Would the thread's next step show something that the model does not know? */
static bool is_news(struct match_model *m, int t)
{
    struct match_local *l = m->now.local[t];
    struct match_effect e;
    if (!l || !match_effect(m, &m->now, l, 0, &e))
        return l;
    return !e.to->op.kind && !e.to->ended && !e.to->stops;
}

/* Would it, if it went on alone for some steps? */
static bool has_news(struct match_model *m, int t)
{
    struct match_marking *k = &m->now;
    struct ahead a = {.from = k->local[t]};
    bool news = false;
    for (int i = 0; a.from && i < STEPS_AHEAD && !news; i++) {
        struct match_effect e;
        if (match_status(m, k, t) != MATCH_ENABLED)
            break;
        news = !match_effect(m, k, k->local[t], 0, &e) || !match_known(e.to);
        if (news || !go_ahead(k, t, &e, &a))
            break;
    }
    come_back(k, t, &a);
    return news;
}

/* Does it read what the thread has not written itself on its way there? */
static bool reads_others(const struct match_local *l, const struct ahead *a)
{
    if (operation_of(l->op.kind)->object != OBJECT_MEMORY || event_class(l->op.kind) == CLASS_WRITE)
        return false;
    for (int i = 0; i < l->touches; i++) {
        int n = 0;
        while (n < a->count && a->was[n]->slot != l->slots[i])
            n++;
        if (n == a->count)
            return true;
    }
    return false;
}

/* Does a thread that stands before a lock come to the next one, whatever others have written? */
static bool comes_to_lock(struct match_model *m, int t)
{
    struct match_marking *k = &m->now;
    struct ahead a = {.from = k->local[t]};
    bool comes = false, begins = before_lock(m, t);
    for (int i = 0; begins && i < STEPS_AHEAD && !comes; i++) {
        struct match_effect e;
        if (match_status(m, k, t) != MATCH_ENABLED || reads_others(k->local[t], &a) ||
            !match_effect(m, k, k->local[t], 0, &e) || !match_known(e.to) || !go_ahead(k, t, &e, &a))
            break;
        comes = before_lock(m, t);
    }
    come_back(k, t, &a);
    return comes;
}

/* Some thread of which that is so; -1: none. */
static int one_that(bool (*is_so)(struct match_model *m, int t), struct match_model *m, const struct tset *of)
{
    TSET_FOR(t, of)
        if (is_so(m, t))
            return t;
    return -1;
}

/* Some thread with news before it; -1: none. */
static int free_to_news(struct match_model *m, const struct decision *d)
{
    struct tset certain = {{0}}, others = *d->enabled;
    bool runs = d->last >= 0 && tset_has(d->enabled, d->last);
    if (runs && (m->states || !before_lock(m, d->last)) && is_news(m, d->last))
        return d->last; /* mostly there is no need to ask the others */
    TSET_FOR(t, d->enabled)
        if (is_news(m, t)) {
            if (m->states || !before_lock(m, t))
                return t;
            tset_add(&certain, t);
            tset_remove(&others, t);
        }
    int t = m->states ? -1 : one_that(has_news, m, &others);
    if (t >= 0 || tset_empty(&certain))
        return t;
    t = one_that(comes_to_lock, m, &others);
    return t >= 0 ? t : runs && tset_has(&certain, d->last) ? d->last : tset_first(&certain);
}

int stateful_free_choice(struct stateful *s, const struct decision *d)
{
    int news = s->lost ? -1 : free_to_news(&s->model, d);
    if (news >= 0) {
        s->quiet = 0;
        return news;
    }
    if (!s->model.states)
        return decision_free(d, &(struct tset){{0}});
    if (s->quiet++ == QUIET_STEPS) /* it may never end by itself */
        return ENGINE_ABANDON;
    int next = tset_next(d->enabled, d->last + 1);
    return next >= 0 ? next : tset_first(d->enabled);
}
