/* The scheduler of PLDI 2008, algorithm 1, with one simplification: where that one lowers a yielding
 * thread behind those that were enabled all the time since its last yield or that it disabled itself,
 * this one lowers it behind all that did not run since. An edge to a thread that cannot go on has no
 * effect, so the two differ only for threads that were enabled part of the time. As there, the first
 * yield of a thread opens its window and lowers nothing, and no cycle arises because a thread that
 * has just run stands behind nobody's edge.
 *
 * Everything follows from the events, so nothing has to be remembered with a prefix. */
#include "explore/fair.h"

#include "object/object.h"

int fair_init(struct fair *f, struct arena *a)
{
    f->ran = arena_alloc(a, EVENT_MAX_THREADS * sizeof *f->ran);
    f->behind = arena_alloc(a, EVENT_MAX_THREADS * sizeof *f->behind);
    return f->ran && f->behind ? 0 : -1;
}

static void yielded(struct fair *f, int t)
{
    if (tset_has(&f->opened, t)) {
        for (int i = 0; i < TSET_WORDS; i++)
            f->behind[t].w[i] = ~f->ran[t].w[i];
        tset_remove(&f->behind[t], t);
    } else {
        f->behind[t] = (struct tset){{0}};
    }
    tset_add(&f->opened, t);
    f->ran[t] = (struct tset){{0}};
}

static void ran(struct fair *f, int t)
{
    TSET_FOR(u, &f->opened) {
        tset_add(&f->ran[u], t);
        tset_remove(&f->behind[u], t);
    }
}

static bool stands_behind(const struct fair *f, int t, const struct tset *enabled)
{
    for (int i = 0; i < TSET_WORDS; i++)
        if (f->behind[t].w[i] & enabled->w[i])
            return true;
    return false;
}

/* Yields, sleeps and waits that have timed out (the paper's yields are the same). */
static bool gives_way(const struct event *ev)
{
    return operation_is(ev->kind, OP_GIVES_WAY) ||
           (operation_is(ev->kind, OP_TIMEOUT) && ev->flags & EVENT_FAILED);
}

struct tset fair_threads(struct fair *f, const struct trace *t, const struct decision *d)
{
    struct tset allowed = *d->enabled;
    for (; f->at < t->event_count; f->at++) {
        const struct event *ev = &t->events[f->at];
        bool yields = gives_way(ev);
        if (yields || event_class(ev->kind) != CLASS_LOCAL)
            ran(f, ev->thread);
        if (yields)
            yielded(f, ev->thread);
    }
    TSET_FOR(u, &f->opened)
        if (tset_has(d->enabled, u) && stands_behind(f, u, d->enabled))
            tset_remove(&allowed, u);
    return allowed;
}
