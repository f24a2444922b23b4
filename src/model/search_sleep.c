/* BSRA with sleep sets over a graph of states (section 2.6). A state is stored with the sleep set
 * it was expanded with; when it is met again with a set that does not contain that one, it is
 * expanded again with what both have in common. Sets only shrink, so this ends. The sets lie beside
 * the store, found by a small table of their own. */
#include "model/chan.h"
#include "model/search_impl.h"

#include <stdlib.h>

static size_t entry_size(const struct sys *s, const uint8_t *entry)
{
    int16_t queue;
    memcpy(&queue, entry + 2, 2);
    return 4 + (size_t)s->ports[s->queues[queue].port].data;
}

static int contains(const struct sys *s, const uint8_t *set, size_t count, const uint8_t *entry)
{
    size_t n = entry_size(s, entry);
    for (size_t i = 0; i < count; i += entry_size(s, set + i))
        if (entry_size(s, set + i) == n && !memcmp(set + i, entry, n))
            return 1;
    return 0;
}

/* Removes from a what is not in b; tells whether anything was. */
static int intersect(const struct sys *s, struct sleep_set *a, const uint8_t *b, size_t nb)
{
    size_t kept = 0, before = a->count;
    for (size_t i = 0, n; i < before; i += n) {
        n = entry_size(s, a->entries + i);
        if (!contains(s, b, nb, a->entries + i))
            continue;
        memmove(a->entries + kept, a->entries + i, n);
        kept += n;
    }
    a->count = kept;
    return kept < before;
}

struct sleeper {
    struct model_search *se;
    struct worker w;
    VEC(size_t) open; /* indices of sets */
    uint32_t *table;  /* store_id → index + 1 */
    size_t mask;
};

static size_t place(const struct sleeper *z, store_id id)
{
    size_t i = (size_t)(id * 0x9e3779b97f4a7c15u >> 20) & z->mask;
    while (z->table[i] && z->se->sleeps.items[z->table[i] - 1].id != id)
        i = (i + 1) & z->mask;
    return i;
}

static void rehash(struct sleeper *z)
{
    free(z->table);
    z->mask = z->mask * 2 + 1;
    z->table = mem_alloc((z->mask + 1) * sizeof *z->table);
    for (size_t i = 0; i < z->se->sleeps.count; i++)
        z->table[place(z, z->se->sleeps.items[i].id)] = (uint32_t)i + 1;
}

static void arrive(struct sleeper *z, store_id id, const uint8_t *sleep, size_t nsleep)
{
    size_t i = place(z, id);
    if (z->table[i]) {
        if (intersect(z->se->s, &z->se->sleeps.items[z->table[i] - 1], sleep, nsleep))
            vec_push(&z->open, z->table[i] - 1);
        return;
    }
    struct sleep_set set = {id, mem_alloc(nsleep + 1), nsleep};
    if (nsleep)
        memcpy(set.entries, sleep, nsleep);
    vec_push(&z->se->sleeps, set);
    z->table[i] = (uint32_t)z->se->sleeps.count;
    vec_push(&z->open, z->se->sleeps.count - 1);
    if (z->se->sleeps.count * 2 > z->mask)
        rehash(z);
}

static void visit(struct sleeper *z, size_t k)
{
    struct model_search *se = z->se;
    struct expander *x = &z->w.x;
    store_id id = se->sleeps.items[k].id;
    struct gstate g;
    const uint8_t *state = store_state(&se->store, id, &g.len);
    memcpy(g.b, state, (size_t)g.len);
    bsra_expand(x, &g, se->sleeps.items[k].entries, se->sleeps.items[k].count);
    for (size_t i = 0; i < x->succs.count; i++) {
        const struct succ *s = &x->succs.items[i];
        const uint8_t *bytes = x->bytes.items + s->off;
        int fresh;
        z->w.breathe(&z->w);
        store_id to = store_put(&z->w.w, bytes, s->len, store_hash(bytes, s->len), id, &fresh);
        if (!to) {
            search_stop(se, "the memory budget is used up");
            return;
        }
        if (fresh)
            search_check_new(se, x, bytes, to);
        arrive(z, to, x->sleeps.items + s->sleep, s->nsleep);
    }
    z->w.edges += x->succs.count;
    search_check_state(se, x, &g, id);
}

static void no_queue(struct worker *w, store_id id, const uint8_t *state, int len)
{
}

void search_sleep(struct model_search *se)
{
    struct sleeper z = {.se = se, .mask = 1023};
    struct progress p;
    z.table = mem_alloc((z.mask + 1) * sizeof *z.table);
    progress_begin(&p, se->o.quiet);
    search_worker_open(&z.w, se);
    z.w.enqueue = no_queue;
    search_start(se, &z.w);
    if (se->initial)
        arrive(&z, se->initial, NULL, 0);
    while (z.open.count && !se->stop) {
        size_t k = z.open.items[--z.open.count];
        visit(&z, k);
        search_limits(se, &p, (int)z.open.count);
    }
    progress_end(&p);
    search_worker_close(&z.w);
    vec_free(&z.open);
    free(z.table);
}

/* States arrive in the order in which they lie in the store, so the sets are sorted. */
const struct sleep_set *search_sleep_of(const struct model_search *se, store_id id)
{
    size_t lo = 0, hi = se->sleeps.count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (se->sleeps.items[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < se->sleeps.count && se->sleeps.items[lo].id == id ? &se->sleeps.items[lo] : NULL;
}
