/* See snapshot.h: the ledger without its grove. */
#include "farm/snapshot.h"

#include "base/ensure.h"
#include "explore/share/grove_impl.h"
#include "farm/bytes.h"

#include <stdlib.h>
#include <string.h>

#define SNAPSHOT_MAGIC 0x5253u
#define SNAPSHOT_VERSION 1u

void pass(struct passage *p, uint64_t *value, uint64_t most)
{
    if (p->writing) {
        bytes_put(p->bytes, *value);
        return;
    }
    *value = work_get(p->bytes);
    if (*value > most)
        p->bytes->failed = true;
    if (p->bytes->failed)
        *value = 0;
}

void pass_small(struct passage *p, uint32_t *value, uint32_t most)
{
    uint64_t wide = *value;
    pass(p, &wide, most);
    *value = (uint32_t)wide;
}

bool pass_more(struct passage *p, bool more)
{
    uint64_t one = more;
    pass(p, &one, 1);
    return one;
}

static void pass_flag(struct passage *p, bool *flag)
{
    *flag = pass_more(p, *flag);
}

static void refuse_if(struct passage *p, bool wrong)
{
    p->bytes->failed |= !p->writing && wrong;
}

/* How many follow; each takes a byte at least. */
static size_t pass_count(struct passage *p, size_t count)
{
    uint64_t n = count;
    pass(p, &n, p->bytes->length);
    return n;
}

static void pass_bytes(struct passage *p, struct work *w)
{
    uint64_t n = pass_count(p, w->length);
    if (p->writing) {
        bytes_add(p->bytes, w->bytes, n);
        return;
    }
    refuse_if(p, n > p->bytes->length - p->bytes->at);
    if (p->bytes->failed)
        return;
    w->length = 0;
    bytes_add(w, p->bytes->bytes + p->bytes->at, n);
    p->bytes->at += n;
}

/* A vector: as many items as there are, or will be. */
#define PASS_EACH(p, vec, i)                                                                       \
    for (size_t i = 0, n_ = pass_count(p, (vec)->count); i < n_ && !(p)->bytes->failed; i++)
#define GROW(p, vec, ...)                                                                          \
    do {                                                                                           \
        if (!(p)->writing)                                                                         \
            vec_push(vec, __VA_ARGS__);                                                            \
    } while (0)

static void pass_counters(struct passage *p, struct counters *c)
{
    uint64_t *all[] = {&c->executions, &c->blocked, &c->assumed, &c->bounded,
                       &c->events,     &c->steps_total, &c->traces_bytes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pass(p, all[i], UINT64_MAX);
}

static void pass_totals(struct passage *p, struct ledger *l)
{
    uint64_t *all[] = {&l->next_range, &l->discarded, &l->applied, &l->refused, &l->given,
                       &l->gone,       &l->bytes,     &l->kept_at, &l->kept_size};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pass(p, all[i], UINT64_MAX);
    pass_small(p, &l->epoch, UINT32_MAX);
    pass_small(p, &l->ports_together, 1);
    pass_small(p, &l->isolate, ISOLATE_FORK);
    pass_flag(p, &l->repeats);
    uint32_t stop = l->stop;
    pass_small(p, &stop, LEDGER_FAILED);
    l->stop = (enum ledger_stop)stop;
    pass_counters(p, &l->counted);
    pass(p, &l->limits.reached, (1ull << LIMITS) - 1);
    for (unsigned i = 0; i < LIMITS; i++)
        pass(p, &l->limits.at[i], UINT64_MAX);
    if (p->writing)
        ledger_put_text(p->bytes, l->why, sizeof l->why);
    else
        refuse_if(p, !ledger_get_text(p->bytes, l->why, sizeof l->why));
}

static void pass_bounds(struct passage *p, struct bound_stats *b)
{
    pass_small(p, &b->active, 1);
    pass_small(p, &b->bound, UINT32_MAX);
    pass_small(p, &b->left_over, 1);
    pass_small(p, &b->blocking, UINT32_MAX);
    for (unsigned i = 0; i < BOUND_STATS; i++)
        pass(p, &b->executions[i], UINT64_MAX);
}

static void pass_pool(struct passage *p, struct pool *pool)
{
    pass(p, &pool->out, UINT64_MAX);
    pass(p, &pool->level, UINT64_MAX);
    pass(p, &pool->items, UINT64_MAX);
    pass(p, &pool->gifts, UINT64_MAX);
    pass_flag(p, &pool->full);
    if (!p->writing)
        pool_clear(pool);
    PASS_EACH(p, &pool->waiting, i) {
        struct work part = p->writing ? pool->waiting.items[i].bytes : (struct work){0};
        pass_bytes(p, &part);
        if (!p->writing) {
            refuse_if(p, pool_put(pool, &part));
            free(part.bytes);
        }
    }
}

static void pass_member(struct passage *p, struct ledger_entry *m)
{
    pass(p, &m->id, UINT64_MAX);
    pass(p, &m->number, UINT64_MAX);
    pass(p, &m->wanted, UINT64_MAX);
    pass(p, &m->executions, UINT64_MAX);
    pass_flag(p, &m->hungry);
    pass_bytes(p, &m->item);
    PASS_EACH(p, &m->leaves, i) {
        GROW(p, &m->leaves, 0);
        pass_small(p, &m->leaves.items[i], UINT32_MAX);
    }
}

static void pass_members(struct passage *p, struct ledger *l)
{
    PASS_EACH(p, &l->members, i) {
        GROW(p, &l->members, (struct ledger_entry){0});
        pass_member(p, &l->members.items[i]);
    }
    PASS_EACH(p, &l->hungry, i) {
        GROW(p, &l->hungry, 0);
        pass(p, &l->hungry.items[i], UINT64_MAX);
    }
    PASS_EACH(p, &l->returned, i) {
        GROW(p, &l->returned, (struct work){0});
        pass_bytes(p, &l->returned.items[i]);
    }
}

static void pass_knowledge(struct passage *p, struct ledger *l)
{
    PASS_EACH(p, &l->racy, i) {
        GROW(p, &l->racy, 0);
        pass(p, &l->racy.items[i], UINT64_MAX);
    }
    pass_small(p, &l->lessons.count, SHARED_LESSONS);
    for (uint32_t i = 0; i < l->lessons.count; i++) {
        pass(p, &l->lessons.items[i].key, UINT64_MAX);
        pass(p, &l->lessons.items[i].with, UINT64_MAX);
    }
    PASS_EACH(p, &l->findings, i) {
        GROW(p, &l->findings, (struct work){0});
        pass_bytes(p, &l->findings.items[i]);
    }
}

static void pass_all(struct passage *p, struct ledger *l)
{
    pass_totals(p, l);
    pass_bounds(p, &l->bounds);
    pass_members(p, l);
    pass_knowledge(p, l);
    if (l->parts)
        pass_pool(p, &l->pool);
    pass_small(p, &l->feed.hb.width, EVENT_MAX_THREADS);
    refuse_if(p, l->feed.hb.width % 8 != 0); /* rows of clocks are read in blocks */
    if (l->grove)
        snapshot_grove(p, l->grove, l->memory);
}

void snapshot_write(struct work *to, const struct ledger *l)
{
    struct passage p = {.bytes = to, .writing = true};
    bytes_put(to, SNAPSHOT_MAGIC);
    bytes_put(to, SNAPSHOT_VERSION);
    pass_all(&p, (struct ledger *)l); /* nothing is changed when writing */
}

/* ---- does it fit together? ---- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef VEC(uint64_t) numbers;

/* Each once? */
static bool differ(numbers *v)
{
    bool all = true;
    if (v->count)
        qsort(v->items, v->count, sizeof *v->items, by_number);
    for (size_t i = 1; i < v->count; i++)
        all &= v->items[i - 1] != v->items[i];
    return all;
}

static bool members_fit(const struct ledger *l)
{
    numbers ids = {0}, hungry = {0};
    size_t wait = 0, busy = 0;
    bool fit = true;
    for (size_t i = 0; i < l->members.count; i++) {
        const struct ledger_entry *m = &l->members.items[i];
        vec_push(&ids, m->id);
        wait += m->hungry;
        busy += m->item.length > 0;
    }
    for (size_t i = 0; i < l->hungry.count && fit; i++) {
        const struct ledger_entry *m = ledger_find(l, l->hungry.items[i]);
        fit = m && m->hungry;
        vec_push(&hungry, l->hungry.items[i]);
    }
    fit &= differ(&ids) && differ(&hungry) && wait == hungry.count && (!l->parts || busy == l->pool.out);
    vec_free(&ids);
    vec_free(&hungry);
    return fit;
}

static uint32_t leaf_of(const struct work *item)
{
    struct work w = *item;
    return work_open(&w) == WORK_ITEM ? (uint32_t)work_get(&w) : 0;
}

/* Who has which leaf: each that is out is somebody's, and an item is about one of its member's. */
static bool leaves_fit(const struct ledger *l)
{
    numbers out = {0};
    bool fit = true;
    for (size_t i = 0; i < l->members.count; i++) {
        const struct ledger_entry *m = &l->members.items[i];
        fit &= !m->item.length || feed_has(&m->leaves, leaf_of(&m->item));
        for (size_t k = 0; k < m->leaves.count; k++)
            vec_push(&out, m->leaves.items[k]);
    }
    for (size_t i = 0; i < l->returned.count; i++)
        vec_push(&out, leaf_of(&l->returned.items[i]));
    for (size_t i = 0; i < out.count && fit; i++)
        fit = out.items[i] > GROVE_TOP && out.items[i] < l->grove->used &&
              more_at(l->grove, (uint32_t)out.items[i])->state == GROVE_OUT;
    fit &= differ(&out) && out.count == feed_out(l->grove);
    vec_free(&out);
    return fit;
}

static bool findings_fit(const struct ledger *l)
{
    bool fit = l->findings.count <= SHARED_FINDINGS && l->racy.count <= SHARED_RACY;
    for (size_t i = 0; i < l->findings.count && fit; i++) {
        struct ledger_finding f = {0};
        struct work w = l->findings.items[i];
        w.at = 0;
        w.failed = false;
        fit = !ledger_read_found(&w, &f);
        vec_free(&f.steps);
        vec_free(&f.racy);
    }
    return fit;
}

int snapshot_read(struct ledger *l, struct work *in)
{
    struct passage p = {.bytes = in};
    in->failed = false;
    if (work_get(in) != SNAPSHOT_MAGIC || work_get(in) != SNAPSHOT_VERSION || in->failed)
        return -1;
    pass_all(&p, l);
    if (in->failed || in->at != in->length)
        return -1;
    return members_fit(l) && findings_fit(l) && (!l->grove || leaves_fit(l)) ? 0 : -1;
}
