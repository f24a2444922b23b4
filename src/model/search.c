/* Generate_RG (figure 2.2) and Generate_BSRG (figure 2.3) over any expander: what happens to one
 * state. The successors come as a batch; the table is touched for all of them before any is looked
 * up, which hides most of the cache misses. bfs.c, and search_dfs below, decide the order. */
#include "model/search_impl.h"

#include "base/progress.h"
#include "model/gen.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { COMPILE_AT = 100000, PART = 128 };

static pthread_mutex_t note_lock = PTHREAD_MUTEX_INITIALIZER;

void search_note(struct model_search *se, struct model_finding f)
{
    pthread_mutex_lock(&note_lock);
    uint64_t *n = &se->counts[f.kind];
    if (*n < (se->o.keep ? se->o.keep : 64)) {
        if (f.nsteps) {
            struct model_step *copy = mem_alloc(f.nsteps * sizeof *copy);
            memcpy(copy, f.steps, f.nsteps * sizeof *copy);
            f.steps = copy;
        }
        vec_push(&se->findings, f);
    }
    ++*n;
    if (f.kind == FOUND_OVERFLOW)
        se->incomplete = "a port overflows: nothing beyond that was explored";
    if (se->o.stop_at_first && f.kind != FOUND_OVERFLOW)
        search_stop(se, "stopped at the first finding");
    pthread_mutex_unlock(&note_lock);
}

void search_check_new(struct model_search *se, struct expander *x, const uint8_t *state, store_id id)
{
    if (!se->s->ninvariants)
        return;
    int bad = -1;
    if (x->code)
        bad = gen_invariant(x->code, state);
    else
        for (int i = 0; i < se->s->ninvariants && bad < 0; i++)
            if (!eval(&x->run, se->s->invariants[i].expr, state))
                bad = i;
    if (bad >= 0)
        search_note(se, (struct model_finding){.kind = FOUND_INVARIANT, .state = id, .invariant = bad});
}

/* The processes that have a message waiting. */
static void mail(const struct sys *s, const struct gstate *g, uint64_t set[2])
{
    set[0] = set[1] = 0;
    for (int q = 0; q < s->nqueues; q++)
        if (g->b[s->fixed + q]) {
            int owner = s->ports[s->queues[q].port].owner;
            set[owner >> 6] |= 1ull << (owner & 63);
        }
}

static void check_blocked(struct model_search *se, struct expander *x, const struct gstate *g,
                          store_id id)
{
    uint64_t waiting[2];
    mail(se->s, g, waiting);
    waiting[0] &= ~x->busy[0];
    waiting[1] &= ~x->busy[1];
    for (int p = 0; (waiting[0] | waiting[1]) && p < se->s->nprocs; p++) {
        if (!(waiting[p >> 6] >> (p & 63) & 1))
            continue;
        int open;
        x->tmp.count = 0;
        step_enabled(&x->run, g, p, &x->tmp, &open);
        int port = x->tmp.count ? -1 : step_unspecified(&x->run, g, p);
        if (port >= 0)
            search_note(se, (struct model_finding){
                                .kind = FOUND_UNSPECIFIED, .state = id, .proc = p, .port = port});
    }
}

void search_check_state(struct model_search *se, struct expander *x, const struct gstate *g, store_id id)
{
    if (x->too_many)
        search_stop(se, "a state has too many edges under bsra: try --reduce por");
    for (size_t i = 0; i < x->faults.count; i++) {
        const struct fault_at *f = &x->faults.items[i];
        int overflow = f->fault.kind == FAULT_OVERFLOW || f->fault.kind == FAULT_SIZE;
        search_note(se, (struct model_finding){.kind = overflow ? FOUND_OVERFLOW : FOUND_FAULT,
                                         .state = id,
                                         .steps = x->steps.items + f->steps,
                                         .nsteps = f->nsteps,
                                         .fault = f->fault});
    }
    if (!x->enabled && !step_is_final(se->s, g))
        search_note(se, (struct model_finding){.kind = FOUND_DEADLOCK, .state = id});
    if (se->s->scheme != SCHEME_INSTANT)
        check_blocked(se, x, g, id);
}

/* Puts a part of the batch into the store; returns how many states were new. */
static int insert_part(struct worker *w, store_id parent, size_t from, size_t to)
{
    struct expander *x = &w->x;
    struct model_search *se = w->se;
    uint64_t hashes[PART];
    int fresh_count = 0;
    for (size_t i = from; i < to; i++) {
        const struct succ *s = &x->succs.items[i];
        hashes[i - from] = store_hash(x->bytes.items + s->off, s->len);
        store_prefetch(&se->store, hashes[i - from]);
    }
    for (size_t i = from; i < to; i++)
        store_prefetch_entry(&se->store, hashes[i - from]);
    for (size_t i = from; i < to; i++) {
        const struct succ *s = &x->succs.items[i];
        const uint8_t *state = x->bytes.items + s->off;
        int fresh;
        store_id id = store_put(&w->w, state, s->len, hashes[i - from], parent, &fresh);
        if (!id) {
            search_stop(se, "the memory budget is used up");
            return fresh_count;
        }
        if (fresh) {
            fresh_count++;
            search_check_new(se, x, state, id);
            w->enqueue(w, id, state, s->len);
        }
    }
    return fresh_count;
}

static int insert_batch(struct worker *w, store_id parent)
{
    size_t n = w->x.succs.count;
    int fresh = 0;
    for (size_t i = 0; i < n && !w->se->store.full; i += PART) {
        w->breathe(w);
        fresh += insert_part(w, parent, i, n - i < PART ? n : i + PART);
    }
    if (w->se->store.full)
        search_stop(w->se, "the memory budget is used up");
    w->edges += n;
    return fresh;
}

void search_visit(struct worker *w, store_id id, const uint8_t *state, int len)
{
    struct gstate g;
    g.len = len;
    memcpy(g.b, state, (size_t)len);
    expand(&w->x, &g);
    int fresh = insert_batch(w, id);
    if (w->x.reduced && fresh == 0 && w->se->s->ninvariants + w->se->s->nasserts > 0) {
        w->edges -= w->x.succs.count;
        expand_full(&w->x, &g);
        insert_batch(w, id);
    }
    search_check_state(w->se, &w->x, &g, id);
}

void search_start(struct model_search *se, struct worker *w)
{
    uint8_t state[SYS_STATE_MAX + STORE_SLACK];
    int len = sys_initial(se->s, state), fresh;
    se->initial = store_put(&w->w, state, len, store_hash(state, len), 0, &fresh);
    if (!se->initial) {
        search_stop(se, "the memory budget is too small to begin with");
        return;
    }
    search_check_new(se, &w->x, state, se->initial);
    w->enqueue(w, se->initial, state, len);
}

void search_stop(struct model_search *se, const char *why)
{
    if (!se->stop)
        se->incomplete = why;
    se->stop = 1;
}

void search_limits(struct model_search *se, struct progress *p, int depth)
{
    double t = progress_now() - p->started;
    if (se->store.full)
        search_stop(se, "the memory budget is used up");
    if (se->o.interrupted && *se->o.interrupted)
        search_stop(se, "interrupted");
    if (se->o.seconds > 0 && t > se->o.seconds)
        search_stop(se, "the time is used up");
    if (progress_due(p))
        progress_line(p, "%s states, depth %d, %s states/s, %zu MiB",
                      progress_number(se->store.count), depth,
                      progress_number((uint64_t)((double)se->store.count / (t > 0 ? t : 1))),
                      store_bytes(&se->store) >> 20);
}

static void grow_alone(struct worker *w)
{
    store_writer_flush(&w->w);
    if (store_crowded(&w->se->store))
        store_grow(&w->se->store);
}

void search_worker_open(struct worker *w, struct model_search *se)
{
    *w = (struct worker){.se = se, .breathe = grow_alone};
    expand_open(&w->x, se->s, se->o.reduce);
    w->x.code = se->code;
    store_writer_open(&w->w, &se->store);
}

void search_worker_close(struct worker *w)
{
    for (int i = 0; i < w->se->s->ntrans; i++)
        w->se->executed[i] |= w->x.executed[i];
    w->se->edges += w->edges;
    store_writer_flush(&w->w);
    expand_close(&w->x);
    vec_free(&w->next);
}

/* Compiles the model once it is clear that it is worth it. */
void search_maybe_compile(struct model_search *se)
{
    int possible = se->s->scheme != SCHEME_CAUSAL && se->s->scheme != SCHEME_INSTANT;
    int wanted = se->o.compile || (possible && se->store.count > COMPILE_AT);
    if (se->code || se->o.interpret || se->o.reduce != REDUCE_NONE || !wanted || se->compiled)
        return;
    struct error e = {0};
    se->compiled = 1;
    se->code = gen_load(se->s, &e);
    if (!se->code) {
        se->compiled = 0;
        se->o.interpret = 1;
        if (se->o.compile || !se->o.quiet)
            error_print(&e);
    }
}

/* The open list of figure 2.2: states (or, with hash compaction, copies of them) on a stack. */
struct open_list {
    VEC(store_id) ids;
    VEC(uint8_t) copies;
};

static void push_open(struct worker *w, store_id id, const uint8_t *state, int len)
{
    struct open_list *o = w->queue;
    vec_push(&o->ids, id);
    if (!w->se->store.compact)
        return;
    vec_reserve(&o->copies, o->copies.count + (size_t)len + 2);
    memcpy(o->copies.items + o->copies.count, state, (size_t)len);
    o->copies.count += (size_t)len;
    vec_push(&o->copies, (uint8_t)len);
    vec_push(&o->copies, (uint8_t)(len >> 8));
}

static const uint8_t *pop_open(struct worker *w, store_id *id, int *len)
{
    struct open_list *o = w->queue;
    *id = o->ids.items[--o->ids.count];
    if (!w->se->store.compact)
        return store_state(&w->se->store, *id, len);
    const uint8_t *end = o->copies.items + o->copies.count;
    *len = end[-2] | end[-1] << 8;
    o->copies.count -= (size_t)*len + 2;
    return o->copies.items + o->copies.count;
}

static void depth_first(struct model_search *se)
{
    struct worker w;
    struct open_list open = {0};
    struct progress p;
    progress_begin(&p, se->o.quiet);
    search_worker_open(&w, se);
    w.queue = &open;
    w.enqueue = push_open;
    search_start(se, &w);
    for (uint64_t n = 1; open.ids.count && !se->stop; n++) {
        store_id id;
        int len;
        const uint8_t *state = pop_open(&w, &id, &len);
        search_visit(&w, id, state, len);
        if (n % 256 == 0) {
            search_limits(se, &p, (int)open.ids.count);
            search_maybe_compile(se);
            w.x.code = se->code;
        }
    }
    progress_end(&p);
    search_worker_close(&w);
    vec_free(&open.ids);
    vec_free(&open.copies);
}

void search_run(struct model_search *se, const struct sys *s, const struct search_options *o)
{
    double began = progress_now();
    clock_t cpu = clock();
    *se = (struct model_search){.s = s, .o = *o};
    store_open(&se->store, o->memory, o->compact, o->depth_first || o->jobs < 1 ? 1 : o->jobs);
    se->executed = mem_alloc((size_t)s->ntrans + 1);
    search_maybe_compile(se);
    if (o->reduce == REDUCE_BSRA_SLEEP)
        search_sleep(se);
    else if (o->depth_first)
        depth_first(se);
    else
        search_bfs(se);
    se->states = se->store.count;
    se->deadlocks = se->counts[FOUND_DEADLOCK];
    se->seconds = progress_now() - began;
    se->cpu = (double)(clock() - cpu) / CLOCKS_PER_SEC;
}

void search_free(struct model_search *se)
{
    store_close(&se->store);
    gen_unload(se->code);
    for (size_t i = 0; i < se->findings.count; i++)
        free(se->findings.items[i].steps);
    for (size_t i = 0; i < se->sleeps.count; i++)
        free(se->sleeps.items[i].entries);
    vec_free(&se->findings);
    vec_free(&se->sleeps);
    free(se->executed);
}
