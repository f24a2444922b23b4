/* Breadth-first search, level by level: the states found on a level are ranges of the store, which
 * the threads take one by one, so the store is its own queue and every state is reached by a
 * shortest path. With hash compaction the states of a level are kept as copies and freed after it.
 */
#include "model/search_impl.h"

#include <pthread.h>
#include <stdlib.h>

enum { RANGE = 1 << 14, BLOCK = 1 << 16 };

struct crew {
    struct model_search *se;
    struct worker *workers;
    range_list level;
    size_t taken;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int active;  /* threads that have not run out of work on this level */
    int waiting; /* of them, those standing still for the table to grow */
    atomic_int growing;
    struct progress progress;
};

struct hand { /* a thread's argument */
    struct crew *crew;
    struct worker *worker;
};

static void push_range(struct worker *w)
{
    if (w->building.from || w->building.copies)
        vec_push(&w->next, w->building);
    w->building = (struct range){0};
}

static void enqueue_copy(struct worker *w, store_id id, const uint8_t *state, int len)
{
    struct range *r = &w->building;
    uint16_t n = (uint16_t)len;
    if (r->copies && r->bytes + 10 + (size_t)len > BLOCK)
        push_range(w);
    if (!r->copies)
        r->copies = mem_alloc(BLOCK);
    memcpy(r->copies + r->bytes, &id, 8);
    memcpy(r->copies + r->bytes + 8, &n, 2);
    memcpy(r->copies + r->bytes + 10, state, (size_t)len);
    r->bytes += 10 + (size_t)len;
}

static void enqueue_range(struct worker *w, store_id id, const uint8_t *state, int len)
{
    struct range *r = &w->building;
    store_id end = store_next(&w->se->store, id);
    if (id != r->to || end - r->from > RANGE) {
        push_range(w);
        r->from = id;
    }
    r->to = end;
}

static void grow(struct crew *c)
{
    if (store_crowded(&c->se->store))
        store_grow(&c->se->store);
    c->growing = 0;
    c->waiting = 0;
    pthread_cond_broadcast(&c->changed);
}

/* Where a thread may be made to stand still. */
static void safe_point(struct worker *w)
{
    struct crew *c = w->queue;
    if (!store_crowded(&c->se->store) && !c->growing)
        return;
    pthread_mutex_lock(&c->lock);
    c->growing = 1;
    if (++c->waiting == c->active)
        grow(c);
    while (c->growing)
        pthread_cond_wait(&c->changed, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static void visit_copies(struct crew *c, struct worker *w, const struct range *r)
{
    for (size_t at = 0; at < r->bytes && !c->se->stop;) {
        store_id id;
        uint16_t len;
        memcpy(&id, r->copies + at, 8);
        memcpy(&len, r->copies + at + 8, 2);
        search_visit(w, id, r->copies + at + 10, len);
        at += 10u + len;
    }
    free(r->copies);
}

static void visit_range(struct crew *c, struct worker *w, const struct range *r)
{
    const struct store *st = &c->se->store;
    for (store_id id = r->from; id < r->to && !c->se->stop; id = store_next(st, id)) {
        int len;
        const uint8_t *state = store_state(st, id, &len);
        search_visit(w, id, state, len);
    }
}

/* The next range of the level; NULL when there is none, and the thread counts no longer. */
static const struct range *take(struct crew *c)
{
    const struct range *r = NULL;
    pthread_mutex_lock(&c->lock);
    if (c->taken < c->level.count) {
        r = &c->level.items[c->taken++];
    } else {
        c->active--;
        if (c->growing && c->waiting == c->active)
            grow(c);
    }
    pthread_mutex_unlock(&c->lock);
    return r;
}

static void *work(void *arg)
{
    struct hand *h = arg;
    struct crew *c = h->crew;
    for (const struct range *r; (r = take(c));) {
        if (r->copies)
            visit_copies(c, h->worker, r);
        else
            visit_range(c, h->worker, r);
        if (h->worker == c->workers)
            search_limits(c->se, &c->progress, c->se->levels);
    }
    push_range(h->worker);
    store_writer_flush(&h->worker->w);
    return NULL;
}

static void run_level(struct crew *c, int jobs)
{
    struct hand hands[64];
    pthread_t threads[64];
    int n = c->level.count < (size_t)jobs ? (int)c->level.count : jobs;
    c->taken = 0;
    c->active = n;
    for (int i = 0; i < n; i++) {
        hands[i] = (struct hand){c, &c->workers[i]};
        if (i > 0 && pthread_create(&threads[i], NULL, work, &hands[i]))
            error_fatal("cannot start a thread");
    }
    work(&hands[0]);
    for (int i = 1; i < n; i++)
        pthread_join(threads[i], NULL);
}

/* The ranges that the workers found become the level. */
static void next_level(struct crew *c, int jobs)
{
    c->level.count = 0;
    for (int i = 0; i < jobs; i++) {
        push_range(&c->workers[i]);
        for (size_t k = 0; k < c->workers[i].next.count; k++)
            vec_push(&c->level, c->workers[i].next.items[k]);
        c->workers[i].next.count = 0;
        c->workers[i].x.code = c->se->code;
    }
}

void search_bfs(struct model_search *se)
{
    int jobs = se->o.jobs < 1 ? 1 : se->o.jobs > 64 ? 64 : se->o.jobs;
    struct crew c = {.se = se, .workers = mem_alloc((size_t)jobs * sizeof *c.workers)};
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.changed, NULL);
    progress_begin(&c.progress, se->o.quiet);
    for (int i = 0; i < jobs; i++) {
        search_worker_open(&c.workers[i], se);
        c.workers[i].queue = &c;
        c.workers[i].breathe = safe_point;
        c.workers[i].enqueue = se->store.compact ? enqueue_copy : enqueue_range;
    }
    c.active = 1;
    search_start(se, &c.workers[0]);
    for (next_level(&c, jobs); c.level.count && !se->stop; next_level(&c, jobs)) {
        run_level(&c, jobs);
        se->levels++;
        search_limits(se, &c.progress, se->levels);
        search_maybe_compile(se);
    }
    for (size_t i = 0; i < c.level.count; i++)
        free(c.level.items[i].copies);
    progress_end(&c.progress);
    for (int i = 0; i < jobs; i++)
        search_worker_close(&c.workers[i]);
    vec_free(&c.level);
    free(c.workers);
}
