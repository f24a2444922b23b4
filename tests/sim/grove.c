/* Several virtual workers that share a search through a grove (explore/share/grove.h), as processes would:
 * beside that memory they have nothing in common. Whose turn it is, when somebody splits, saves a
 * checkpoint or dies is random; one may also die in the middle of taking or splitting, just before or
 * just after its checkpoint became valid. */
#include "tally.h"

#include "base/mem.h"
#include "explore/share/portion.h"

#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MAIL = 1 << 22 };

struct saved {
    struct work item; /* length 0: it had nothing to do */
    uint32_t leaf;
    struct sim_tally tally;
};

struct member {
    struct sim_worker w;
    struct saved saved;
    bool busy;
    sim_traces found;
    struct game *game;
};

struct game {
    struct grove *grove;
    struct member *members;
    int count;
    struct rng rng;
    const struct sim_team *team;
    jmp_buf dead;
};

static bool chance(struct game *g, int thousandths)
{
    return rng_below(&g->rng, 1000) < (uint32_t)thousandths;
}

static void save_counts(struct member *m)
{
    m->saved.tally = sim_tally_save(&m->w, &m->found);
}

static void save_place(struct member *m, uint32_t leaf)
{
    int saved = m->w.strategy->save(&m->w.engine, &m->saved.item);
    assert(saved);
    (void)saved;
    save_counts(m);
    m->saved.leaf = leaf;
}

static void commit_place(void *member, uint32_t leaf)
{
    struct member *m = member;
    if (chance(m->game, m->game->team->deaths))
        longjmp(m->game->dead, 1);
    save_place(m, leaf);
    if (chance(m->game, m->game->team->deaths))
        longjmp(m->game->dead, 1);
}

static void commit_leaf(void *member, uint32_t leaf)
{
    struct member *m = member;
    if (chance(m->game, m->game->team->deaths))
        longjmp(m->game->dead, 1);
    m->saved.item.length = 0;
    if (leaf)
        grove_item(&m->saved.item, leaf);
    save_counts(m);
    m->saved.leaf = leaf;
    if (chance(m->game, m->game->team->deaths))
        longjmp(m->game->dead, 1);
}

static void set_up(struct member *m)
{
    struct sim_worker *w = &m->w;
    w->collect = 0;
    w->engine = (struct engine){.config = &w->config, .trace = &w->trace, .arena = &w->arena,
                                .next = w->next, .live = &w->live, .grove = m->game->grove,
                                .member = (int)(m - m->game->members), .state = w->engine.state};
}

static bool nobody_else(void *ctx, int member)
{
    return false;
}

static void die(struct member *m)
{
    const struct sim_program *p = m->w.p;
    const struct saved *s = &m->saved;
    int sleep = m->w.config.sleep;
    const char *engine = engine_name(m->w.strategy);
    grove_died(m->game->grove, (int)(m - m->game->members), s->leaf, nobody_else, NULL);
    sim_worker_close(&m->w);
    sim_worker_open(&m->w, p, engine, sleep);
    set_up(m);
    m->busy = s->item.length > 0;
    struct work item = s->item;
    int status = m->busy ? m->w.strategy->adopt(&m->w.engine, &item) : 0;
    assert(!status);
    (void)status;
    sim_tally_restore(&s->tally, &m->w, &m->found);
}

static uint32_t leaf_of(struct member *m)
{
    struct portion_view v = m->w.strategy->portion(&m->w.engine);
    return portion_leaf(&v);
}

static struct grove_moves moves(struct member *m, void (*commit)(void *, uint32_t))
{
    return (struct grove_moves){.member = (int)(m - m->game->members),
                                .leaving = m->saved.leaf,
                                .at = m->saved.leaf ? leaf_of(m) : 0,
                                .commit = commit, .ctx = m};
}

static void next(struct game *g, struct member *m)
{
    struct grove_moves way = moves(m, commit_leaf);
    m->busy = grove_next(g->grove, &way);
    if (!m->busy) {
        struct portion_view v = m->w.strategy->portion(&m->w.engine);
        portion_leave(&v);
        return;
    }
    struct work item = m->saved.item;
    int status = m->w.strategy->adopt(&m->w.engine, &item);
    assert(!status);
    (void)status;
}

static void go_on(struct game *g, struct member *m)
{
    m->busy = sim_tally_once(g->team, &m->w, &m->found);
    assert(!m->w.engine.incomplete);
    if (chance(g, g->team->deaths)) {
        die(m);
        return;
    }
    if (!m->busy) {
        next(g, m);
        return;
    }
    if (leaf_of(m) != m->saved.leaf) {
        struct grove_moves way = moves(m, commit_place);
        grove_move(g->grove, &way);
    }
    struct portion_view v = m->w.strategy->portion(&m->w.engine);
    if (chance(g, g->team->splits))
        portion_grow(&v, commit_place, m);
    else if (rng_below(&g->rng, 16) == 0)
        save_place(m, m->saved.leaf);
}

static void turn(struct game *g)
{
    struct member *m = &g->members[rng_below(&g->rng, (uint32_t)g->count)];
    if (setjmp(g->dead)) {
        die(m);
        return;
    }
    if (m->busy)
        go_on(g, m);
    else
        next(g, m);
}

static void sum(struct game *g, struct sim_team *t)
{
    for (int i = 0; i < g->count; i++) {
        struct member *m = &g->members[i];
        sim_tally_close(t, &m->w, &m->found);
        free(m->saved.item.bytes);
    }
    struct grove_stats stats = grove_stats(g->grove);
    t->splits_done = (long)stats.splits;
    t->additions = (long)stats.inserted;
    t->overlaps = (long)stats.overlaps;
    t->full = grove_full(g->grove);
}

void sim_grove_run(struct sim_team *t, const struct sim_program *p, const char *engine, int sleep)
{
    static struct game g;
    g = (struct game){.count = t->workers, .team = t};
    g.members = mem_alloc((size_t)g.count * sizeof *g.members);
    g.grove = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(g.grove != MAP_FAILED);
    rng_seed(&g.rng, t->seed);
    grove_init(g.grove, t->memory ? t->memory : 1ull << 30);
    for (int i = 0; i < g.count; i++) {
        struct member *m = &g.members[i];
        m->game = &g;
        sim_worker_open(&m->w, p, engine, sleep);
        set_up(m);
        m->saved.item = (struct work){.bytes = malloc(MAIL), .room = MAIL};
    }
    while (!grove_finished(g.grove))
        turn(&g);
    sum(&g, t);
    munmap(g.grove, GROVE_SIZE);
    free(g.members);
}
