/* Several virtual workers that share a search through the coordinator, as processes would: all that
 * passes between them is bytes. Whose turn it is, when somebody splits, saves a checkpoint or dies is
 * random. A worker that dies loses its engine and goes on from its checkpoint, counters included. */
#include "tally.h"

#include "farm/share.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAIL = 1 << 22 };

struct saved {
    struct work item; /* length 0: it had nothing to do */
    struct sim_tally tally;
};

struct member {
    struct sim_worker w;
    struct work mail;
    struct saved saved;
    bool busy;
    sim_traces found;
};

struct game {
    struct share share;
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
    s->item.length = 0;
    if (m->busy) {
        int saved = m->w.strategy->save(&m->w.engine, &s->item);
        assert(saved);
        (void)saved;
    }
}

static void die(struct member *m)
{
    struct sim_worker fresh;
    const struct saved *s = &m->saved;
    sim_worker_open(&fresh, m->w.p, engine_name(m->w.strategy), m->w.config.sleep);
    fresh.collect = 0;
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
    sim_tally_restore(&s->tally, &m->w, &m->found);
}

static void tell(struct game *g, struct member *m)
{
    int status = share_tell(&g->share, (int)(m - g->members), &m->mail, &g->answer);
    assert(!status);
    if (m->busy)
        status = m->w.strategy->learn(&m->w.engine, &g->answer);
    assert(!status);
    (void)status;
}

static void take(struct game *g, struct member *m)
{
    if (!share_take(&g->share, (int)(m - g->members), &g->answer))
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
    if (m->w.strategy->report(&m->w.engine, !m->busy, &m->mail))
        tell(g, m);
    if (!m->busy)
        save(m);
    else if (rng_below(&g->rng, 1000) < (uint32_t)g->team->splits &&
             m->w.strategy->split(&m->w.engine, &m->mail)) {
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
        sim_tally_close(t, &m->w, &m->found);
        free(m->mail.bytes);
        free(m->saved.item.bytes);
    }
    t->splits_done = (long)g->share.splits;
    t->additions = (long)g->share.additions;
    t->full = g->share.full;
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
    share_init(&g.share);
    g.share.memory = t->memory;
    for (int i = 0; i < g.count; i++) {
        sim_worker_open(&g.members[i].w, p, engine, sleep);
        g.members[i].w.collect = 0;
        g.members[i].mail = mailbox();
        g.members[i].saved.item = mailbox();
    }
    while (!share_finished(&g.share)) {
        struct member *m = &g.members[rng_below(&g.rng, (uint32_t)g.count)];
        if (m->busy)
            go_on(&g, m);
        else
            take(&g, m);
    }
    sum(&g, t);
    free(g.answer.bytes);
    free(g.members);
    share_free(&g.share);
}
