/* The theorems of 001_*.txt, section 3.4.1, as figure 3.2 turns them into an algorithm. The tail of a
 * sequence are the receiving events after which nothing is received. Variants that keep none of the
 * tail are variants of the sequence trimmed by it (theorem 3.4.1); those that keep exactly R of it are
 * found by trimming the rest, which uncovers further tail events to keep or not (3.4.3), until R is the
 * whole tail: then its partners are exchanged in all combinations (3.4.4).
 *
 * Sets of operations are byte maps on a scratch stack; tails are small. */
#include "explore/reach/reach_tails.h"

#include "base/ensure.h"

#include <string.h>

#define TAIL_MAX 24

struct reach_tails {
    const struct reach_seq *q;
    uint64_t limit, count;
    bool cut; /* there was no room for all of a tail, or for the scratch */
    char *scratch;
    size_t used, size;
    uint32_t *partner;
    reach_tails_fn *each;
    void *context;
};

struct tail {
    uint32_t op[TAIL_MAX];
    uint32_t count;
};

static bool is_receiving(const struct reach_op *op)
{
    return op->class != REACH_SEND && op->flags & REACH_DONE;
}

/* Does receiving event r happen before operation k (its receiving event; for a send the sending one)? */
static bool before(const struct reach_seq *q, uint32_t r, uint32_t k)
{
    ensure(r < q->count && k < q->count);
    const struct reach_op *op = &q->ops[k], *first = &q->ops[r];
    if (r == k)
        return false;
    if (op->class == REACH_SEND)
        return reach_controls_call(q, first, k);
    uint32_t call = op->class == REACH_OBJECT ? k : op->class == REACH_RECEIVE ? op->partner : REACH_NONE;
    return reach_controls(q, first, k) || (call < q->count && reach_controls_call(q, first, call));
}

static struct tail tail_of(struct reach_tails *g, const uint8_t *alive)
{
    struct tail t = {.count = 0};
    for (uint32_t k = 0; k < g->q->count; k++) {
        if (!alive[k] || !is_receiving(&g->q->ops[k]))
            continue;
        bool last = true;
        for (uint32_t o = 0; o < g->q->count && last; o++)
            last = !alive[o] || !is_receiving(&g->q->ops[o]) || !before(g->q, k, o);
        if (last && t.count == TAIL_MAX)
            g->cut = true;
        else if (last)
            t.op[t.count++] = k;
    }
    return t;
}

/* alive without the tail events outside `keep` (bits) and everything after them. */
static uint8_t *trim(struct reach_tails *g, const uint8_t *alive, const struct tail *t, uint32_t keep)
{
    uint32_t n = g->q->count;
    if (n > g->size - g->used) {
        g->cut = true;
        return NULL;
    }
    uint8_t *left = (uint8_t *)g->scratch + g->used;
    g->used += n;
    memcpy(left, alive, n);
    for (uint32_t i = 0; i < t->count; i++) {
        if (keep >> i & 1)
            continue;
        left[t->op[i]] = 0;
        for (uint32_t k = 0; k < n; k++)
            if (left[k] && before(g->q, t->op[i], k))
                left[k] = 0;
    }
    return left;
}

static bool available(const struct reach_seq *q, const uint8_t *alive, const struct reach_op *r,
                      uint32_t s)
{
    if (r->class == REACH_BRANCH || s >= q->count)
        return true;
    if (q->ops[s].class == REACH_SEND)
        return alive[s];
    for (uint32_t k = 0; k < q->count; k++) /* a call: everything before it must be there */
        if (is_receiving(&q->ops[k]) && !alive[k] && reach_controls_call(q, &q->ops[k], s))
            return false;
    return true;
}

/* A partner that happens after an exchanged event of the tail is no longer there. (The theorem speaks of
 * receiving events only and leaves this out.) */
static bool consistent(const struct reach_tails *g, const struct tail *t)
{
    const struct reach_seq *q = g->q;
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t j = 0; j < t->count; j++) {
            uint32_t s = g->partner[t->op[j]];
            if (i != j && g->partner[t->op[i]] != REACH_NONE && s < q->count &&
                q->ops[t->op[j]].class != REACH_BRANCH &&
                reach_controls_call(q, &q->ops[t->op[i]], s))
                return false;
        }
    return true;
}

/* Theorem 3.4.4: all combinations of partners for the tail but the original one. */
static void exchange(struct reach_tails *g, const uint8_t *alive, const struct tail *t, uint32_t i,
                     bool changed)
{
    if (g->count >= g->limit)
        return;
    if (i == t->count) {
        if (changed && consistent(g, t)) {
            g->count++;
            g->each(g->context, g->q, alive, g->partner);
        }
        return;
    }
    const struct reach_op *r = &g->q->ops[t->op[i]];
    g->partner[t->op[i]] = REACH_NONE;
    exchange(g, alive, t, i + 1, changed);
    for (uint32_t k = 0; k < r->race_count; k++) {
        uint32_t s = g->q->races[r->race + k];
        if (!available(g->q, alive, r, s))
            continue;
        g->partner[t->op[i]] = s;
        exchange(g, alive, t, i + 1, true);
    }
    g->partner[t->op[i]] = REACH_NONE;
}

static bool contains(const struct tail *t, uint32_t op)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->op[i] == op)
            return true;
    return false;
}

/* Generate-Intersect-Variants: variants whose part of the tail is exactly `kept`. */
static void intersect(struct reach_tails *g, const uint8_t *alive, const struct tail *kept)
{
    struct tail t = tail_of(g, alive);
    size_t mark = g->used;
    uint32_t keep = 0;
    for (uint32_t i = 0; i < t.count; i++)
        keep |= (uint32_t)contains(kept, t.op[i]) << i;
    if (keep + 1 == 1u << t.count) {
        exchange(g, alive, &t, 0, false);
        return;
    }
    const uint8_t *left = trim(g, alive, &t, keep);
    struct tail next = left ? tail_of(g, left) : (struct tail){.count = 0}, others = {.count = 0};
    for (uint32_t i = 0; i < next.count; i++)
        if (!contains(kept, next.op[i]))
            others.op[others.count++] = next.op[i];
    for (uint32_t set = 0; left && set < 1u << others.count && g->count < g->limit; set++) {
        struct tail both = *kept;
        bool fits = both.count + (uint32_t)__builtin_popcount(set) <= TAIL_MAX;
        for (uint32_t i = 0; i < others.count && fits; i++)
            if (set >> i & 1)
                both.op[both.count++] = others.op[i];
        g->cut |= !fits;
        if (fits)
            intersect(g, left, &both);
    }
    g->used = mark;
}

uint64_t reach_tails(const struct reach_seq *q, uint64_t limit, char *scratch, size_t size,
                     reach_tails_fn *each, void *context, bool *cut)
{
    struct reach_tails g = {.q = q, .limit = limit, .scratch = scratch, .size = size,
                            .each = each, .context = context};
    g.partner = (uint32_t *)scratch;
    g.used = (q->count + 1) * (sizeof *g.partner + 1);
    *cut = g.used > size;
    if (*cut)
        return 0;
    uint8_t *alive = (uint8_t *)(g.partner + q->count);
    for (uint32_t k = 0; k < q->count; k++) {
        g.partner[k] = REACH_NONE;
        alive[k] = (q->ops[k].flags & REACH_DONE) != 0;
    }
    for (struct tail t; alive && (t = tail_of(&g, alive)).count && g.count < limit;) {
        for (uint32_t set = 1; set < 1u << t.count; set++) {
            struct tail kept = {.count = 0};
            for (uint32_t i = 0; i < t.count; i++)
                if (set >> i & 1)
                    kept.op[kept.count++] = t.op[i];
            intersect(&g, alive, &kept);
        }
        alive = trim(&g, alive, &t, 0);
    }
    *cut = g.cut;
    return g.count;
}
