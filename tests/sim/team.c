/* Several virtual workers that share a search through the pool, as processes would: all that
 * passes between them is bytes. Whose turn it is, when somebody splits, saves a checkpoint or dies is
 * random. A worker that dies loses its engine and goes on from its checkpoint, counters included. */
#include "tally.h"

#include "farm/pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAIL = 1 << 22 };

struct saved {
    struct work item; /* length 0: it had nothing to do */
    struct bound_stats bounds;
    struct sim_tally tally;
};

struct member {
    struct sim_worker w;
    struct work mail;
    struct saved saved;
    struct bound_stats bounds;
    bool busy;
    sim_traces found;
};

struct game {
    struct pool pool;
    struct member *members;
    int count;
    struct rng rng;
    const struct sim_team *team;
    struct work answer;
};

static void save(struct member *m)
{
    struct saved *s = &m->saved;
    s->tally = sim_tally_save(&m->w, &m->found);
    s->bounds = m->bounds;
    s->item.length = 0;
    if (m->busy) {
        int saved = m->w.strategy->save(&m->w.engine, &s->item);
        assert(saved);
        (void)saved;
    }
}

/* As the runtime sees it: one of several workers. */
static void open_worker(struct member *m, struct sim_worker *w, const struct sim_program *p,
                        const char *engine, int sleep)
{
    sim_worker_open(w, p, engine, sleep);
    w->collect = 0;
    w->config.jobs = 2;
    w->engine.bounds = &m->bounds;
    int status = w->strategy->init(&w->engine);
    assert(!status);
    (void)status;
}

static void die(struct member *m)
{
    struct sim_worker fresh;
    const struct saved *s = &m->saved;
    open_worker(m, &fresh, m->w.p, engine_name(m->w.strategy), m->w.config.sleep);
    sim_worker_close(&m->w);
    m->w = fresh;
    m->w.engine.config = &m->w.config;
    m->w.engine.trace = &m->w.trace;
    m->w.engine.arena = &m->w.arena;
    m->w.engine.next = m->w.next;
    m->w.engine.live = &m->w.live;
    int status = m->w.strategy->init(&m->w.engine);
    m->busy = s->item.length > 0;
    struct work item = s->item;
    if (m->busy)
        status |= m->w.strategy->adopt(&m->w.engine, &item);
    assert(!status);
    m->bounds = s->bounds;
    sim_tally_restore(&s->tally, &m->w, &m->found);
}

static void tell(struct game *g, struct member *m)
{
    int status = pool_tell(&g->pool, &m->mail, !m->busy);
    assert(!status);
    (void)status;
}

static void take(struct game *g, struct member *m)
{
    if (!pool_take(&g->pool, &g->answer))
        return;
    int status = m->w.strategy->adopt(&m->w.engine, &g->answer);
    assert(!status);
    (void)status;
    m->busy = true;
    save(m);
}

static void go_on(struct game *g, struct member *m)
{
    m->busy = sim_tally_once(g->team, &m->w, &m->found);
    if (rng_below(&g->rng, 1000) < (uint32_t)g->team->deaths) {
        die(m); /* before anybody heard of it */
        return;
    }
    bool told = m->w.strategy->give(&m->w.engine, m->busy ? GIVE_AFTER : GIVE_LAST, &m->mail);
    if (told)
        tell(g, m);
    if (!m->busy || told)
        save(m);
    else if (rng_below(&g->rng, 1000) < (uint32_t)g->team->splits &&
             m->w.strategy->give(&m->w.engine, GIVE_PART, &m->mail)) {
        tell(g, m);
        save(m);
    } else if (rng_below(&g->rng, 16) == 0) {
        save(m);
    }
}

static void sum(struct game *g, struct sim_team *t)
{
    for (int i = 0; i < g->count; i++) {
        struct member *m = &g->members[i];
        for (int k = 0; k < BOUND_STATS; k++)
            t->of_bound[k] += (long)m->bounds.executions[k];
        sim_tally_close(t, &m->w, &m->found);
        free(m->mail.bytes);
        free(m->saved.item.bytes);
    }
    t->splits_done = (long)g->pool.gifts;
}

static struct work mailbox(void)
{
    return (struct work){.bytes = malloc(MAIL), .room = MAIL};
}

void sim_team_run(struct sim_team *t, const struct sim_program *p, const char *engine, int sleep)
{
    struct game g = {.count = t->workers, .team = t};
    g.members = mem_alloc((size_t)g.count * sizeof *g.members);
    rng_seed(&g.rng, t->seed);
    pool_init(&g.pool, t->memory);
    for (int i = 0; i < g.count; i++) {
        open_worker(&g.members[i], &g.members[i].w, p, engine, sleep);
        g.members[i].mail = mailbox();
        g.members[i].saved.item = mailbox();
    }
    while (!pool_finished(&g.pool)) {
        struct member *m = &g.members[rng_below(&g.rng, (uint32_t)g.count)];
        if (m->busy)
            go_on(&g, m);
        else
            take(&g, m);
    }
    sum(&g, t);
    free(g.answer.bytes);
    free(g.members);
    pool_free(&g.pool);
}
