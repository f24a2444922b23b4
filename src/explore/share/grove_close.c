/* See grove.h: what is complete, what can be forgotten, and how much is done. */
#include "explore/share/grove_impl.h"

#include "base/ensure.h"

void grove_opened(struct grove *g, uint32_t parent)
{
    ensure(parent && parent < g->used);
    for (uint32_t n = parent; n && more_at(g, n)->open++ == 0;)
        n = more_at(g, n)->parent;
    for (uint32_t n = parent; n && (more_at(g, n)->flags & GROVE_IDLE); n = more_at(g, n)->parent)
        more_at(g, n)->flags &= (uint8_t)~GROVE_IDLE;
}

void grove_completed(struct grove *g, uint32_t parent)
{
    ensure(parent && parent < g->used);
    for (uint32_t n = parent; n && --more_at(g, n)->open == 0;)
        n = more_at(g, n)->parent;
}

static uint64_t runs_below(const struct grove *g, uint32_t n)
{
    uint64_t runs = more_at(g, n)->runs;
    for (uint32_t k = more_at(g, n)->state == GROVE_DONE ? 0 : *branches_of(g, n); k; k = node_at(g, k)->next)
        runs += runs_below(g, k);
    return runs;
}

static void close_node(struct grove *g, uint32_t n)
{
    ensure(n && n < g->used);
    struct grove_more *m = more_at(g, n);
    if (m->state == GROVE_DONE)
        return;
    m->runs = runs_below(g, n);
    m->state = GROVE_DONE;
    grove_drop(g, &node_at(g, n)->child);
    grove_drop(g, &m->below);
}

/* Down along the first branches that are not complete: what is to the left of them is closed. */
void grove_sweep(struct grove *g)
{
    for (uint32_t n = GROVE_TOP; n;) {
        struct grove_more *m = more_at(g, n);
        uint32_t k = m->first ? m->first : *branches_of(g, n);
        while (k && is_complete(more_at(g, k))) {
            close_node(g, k);
            if (node_at(g, k)->next)
                m->first = node_at(g, k)->next;
            k = node_at(g, k)->next;
        }
        n = k && (more_at(g, k)->state == GROVE_INNER || more_at(g, k)->state == GROVE_SPLIT) ? k : 0;
    }
}

static void recount(struct grove *g, uint32_t n)
{
    ensure(n && n < g->used);
    struct grove_more *m = more_at(g, n);
    m->flags &= (uint8_t)~GROVE_IDLE;
    m->first = m->open = 0;
    g->live++;
    g->waiting += m->state == GROVE_WAITING;
    if (m->state != GROVE_INNER && m->state != GROVE_SPLIT)
        return;
    for (uint32_t k = *branches_of(g, n); k; k = node_at(g, k)->next) {
        more_at(g, k)->parent = n;
        more_at(g, k)->depth = n == GROVE_TOP ? 0 : m->depth + 1;
        recount(g, k);
        m->open += !is_complete(more_at(g, k));
    }
}

void grove_repair(struct grove *g)
{
    g->live = g->waiting = 0;
    recount(g, GROVE_TOP);
    acts_rebuild(acts_of(g));
}

/* ---- how much is done ---- */

struct survey {
    double (*size)(void *ctx, int member, double *done);
    void *ctx;
};

/* How large n is, 0 if that cannot be said; what is done of it is added to *done. */
static double size_of(const struct grove *g, uint32_t n, const struct survey *s, double *done)
{
    const struct grove_more *m = more_at(g, n);
    double sum = 0, part = 0;
    uint32_t known = 0, unknown = 0;
    if (m->state == GROVE_DONE || m->state == GROVE_WAITING) {
        *done += (double)m->runs;
        return (double)m->runs;
    }
    if (m->state == GROVE_OUT) {
        sum = s->size(s->ctx, m->member, &part);
        *done += part;
        return sum;
    }
    for (uint32_t k = *branches_of(g, n); k; k = node_at(g, k)->next) {
        double one = size_of(g, k, s, done);
        sum += one;
        known += one > 0;
        unknown += one <= 0 && more_at(g, k)->state != GROVE_DONE;
    }
    return known ? sum + unknown * sum / known : 0;
}

double grove_fraction(struct grove *g, double (*size)(void *ctx, int member, double *done), void *ctx)
{
    bool locked = false;
    double done = 0;
    for (int tries = 0; tries < 100 && !locked; tries++)
        locked = grove_try_lock(g, GROVE_MEMBERS);
    if (!locked)
        return -1;
    double all = size_of(g, GROVE_TOP, &(struct survey){size, ctx}, &done);
    grove_unlock(g);
    return all > 0 && done < all ? done / all : all > 0;
}
