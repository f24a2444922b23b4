/* Everything here happens between two executions. Searches in one worker use the checkpoint only. */
#include "rt/core/team_impl.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    syscall(SYS_clock_gettime, clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t team_clock(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

struct checkpoint *team_next_checkpoint(uint32_t *ticket)
{
    uint32_t index = (atomic_load(&team_box()->ticket) >> 1) ^ 1;
    struct checkpoint *c = &team_box()->checkpoints[index];
    c->counters = rt.shared->counters;
    if (rt.shared->bounds.active)
        c->bounds = rt.shared->bounds;
    c->item.length = 0;
    c->leaf = 0;
    *ticket = index << 1;
    return c;
}

/* The host asks for it every second, but the trees of some searches are large: no more than a fiftieth of
 * the time is spent on this. */
static void save(void)
{
    static uint64_t not_before;
    uint64_t began = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    uint32_t ticket;
    if (began < not_before || !engine_option(&rt.engine, "save", 1))
        return;
    struct checkpoint *c = team_next_checkpoint(&ticket);
    if (!rt.strategy->save || !rt.strategy->save(&rt.engine, &c->item))
        return;
    if (rt.engine.grove)
        c->leaf = team_leaf();
    atomic_store(&team_box()->ticket, ticket);
    team_box()->saved = 1;
    not_before = began + 50 * (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - began);
}

/* Posts and waits for the reply; -1: the search is to stop. */
static int post(enum post_kind kind, uint32_t ticket)
{
    struct exchange *x = team_box();
    uint64_t one = 1, since = team_clock();
    if (rt.engine.box && (kind == POST_WORK || kind == POST_DRY))
        tell_passed(&rt.engine);
    x->post = kind;
    rt.shared->phase = PHASE_WAITING;
    atomic_store(&x->ticket, ticket | 1);
    syscall(SYS_write, rt.shared->config.team_fd, &one, sizeof one);
    for (uint32_t t; (t = atomic_load(&x->ticket)) & 1;) {
        if (atomic_load(&rt.shared->stop))
            return -1;
        syscall(SYS_futex, &x->ticket, FUTEX_WAIT, t, NULL, NULL, 0);
    }
    x->idle_ns += team_clock() - since;
    rt.shared->phase = PHASE_BETWEEN;
    rt_pulse();
    return (int)x->reply;
}

uint32_t team_leaf(void)
{
    struct portion_view v = rt.strategy->portion(&rt.engine);
    return portion_leaf(&v);
}

void team_leave(void)
{
    struct portion_view v = rt.strategy->portion(&rt.engine);
    portion_leave(&v);
}

static bool start_over(uint32_t ticket);

static bool next_leaf(bool leaving);

bool team_post_work(uint32_t ticket)
{
    int reply = post(POST_WORK, ticket);
    team_box()->mail.length = 0;
    if (reply == REPLY_AGAIN)
        return start_over(ticket);
    if (reply != REPLY_ANSWER)
        return false;
    struct portion_view v = rt.engine.box ? rt.strategy->portion(&rt.engine) : (struct portion_view){0};
    if (rt.engine.box && portion_learn(&v, &team_box()->answer))
        rt_internal("the answer of the host cannot be understood");
    return true;
}

/* Executions that count are taken from what all workers have together. One that counted for nothing is
 * followed by another one for the same. */
static uint64_t counted(void)
{
    return rt.shared->executions + rt.shared->blocked;
}

static uint64_t taken_at = UINT64_MAX; /* counted() when one was taken */

bool team_may_execute(void)
{
    uint64_t one;
    int fd = rt.shared->config.budget_fd;
    if (fd < 0 || counted() == taken_at)
        return true;
    taken_at = counted();
    return syscall(SYS_read, fd, &one, sizeof one) == sizeof one;
}

static void give_executions_back(uint64_t n)
{
    if (n && rt.shared->config.budget_fd >= 0)
        syscall(SYS_write, rt.shared->config.budget_fd, &n, sizeof n);
    taken_at = UINT64_MAX;
}

void team_discard(void)
{
    struct shared *s = rt.shared;
    give_executions_back(counted());
    uint64_t events = s->events, steps = s->steps_total;
    s->discarded += s->executions + s->blocked;
    s->counters = (struct counters){.events = events, .steps_total = steps};
    s->exchange.saved = 0;
}

/* The host has a portion for us; sampling engines get the numbers of their next executions. */
static void adopt(struct work *item)
{
    struct exchange *x = team_box();
    if (rt.engine.box) {
        team_farm_leaves(item);
        return;
    }
    if (!rt.strategy->strides) {
        item->own = rt.shared->config.jobs <= 1 && !rt.shared->config.farm;
        if (rt.strategy->adopt(&rt.engine, item))
            rt_internal("the work given by the host cannot be understood");
        return;
    }
    bool range = work_open(item) == WORK_RANGE;
    x->range_first = work_get(item);
    x->range_left = work_get(item);
    if (!range || item->failed)
        rt_internal("the executions given by the host cannot be understood");
    fresh_engine();
}

bool team_wait_for_work(uint32_t ticket)
{
    team_box()->dry++;
    for (;;) {
        rt.shared->fraction = 0;
        int reply = post(POST_DRY, ticket);
        team_box()->mail.length = 0;
        if (reply < 0 || reply == REPLY_FINISH)
            return false;
        if (reply == REPLY_ITEM)
            break;
        team_discard();
        fresh_engine();
        team_next_checkpoint(&ticket);
    }
    adopt(&team_checkpoint()->item);
    return true;
}

/* What was done is void: from nothing, as soon as there is something to do. */
static bool start_over(uint32_t ticket)
{
    team_discard();
    fresh_engine();
    team_next_checkpoint(&ticket);
    team_box()->mail.length = 0;
    tell_forget_passed(&team_box()->outbox);
    return rt.engine.grove && !rt.engine.box ? next_leaf(false) : team_wait_for_work(ticket);
}

/* ---- with the frames in shared memory: nobody else is asked ---- */

enum { NAP_MIN = 30000, NAP_MAX = 1000000, SPLIT_PAUSE = 2000000 }; /* ns */

/* The next checkpoint: an untouched leaf, or none. */
static void commit_leaf(void *ctx, uint32_t leaf)
{
    uint32_t ticket;
    struct checkpoint *c = team_next_checkpoint(&ticket);
    if (leaf)
        grove_item(&c->item, leaf);
    c->leaf = leaf;
    team_box()->saved = 1;
    atomic_store(&team_box()->ticket, ticket);
}

/* The next checkpoint: where we are, in this leaf. */
static void commit_place(void *ctx, uint32_t leaf)
{
    uint32_t ticket;
    struct checkpoint *c = team_next_checkpoint(&ticket);
    if (!rt.strategy->save(&rt.engine, &c->item))
        rt_fatal("a checkpoint does not fit into its memory");
    c->leaf = leaf;
    team_box()->saved = 1;
    atomic_store(&team_box()->ticket, ticket);
}

static uint64_t runs_before; /* executions when the leaf was taken */

static struct grove_moves moves(void (*commit)(void *, uint32_t), bool leaving)
{
    uint32_t leaf = leaving && team_box()->saved ? team_checkpoint()->leaf : 0;
    return (struct grove_moves){.member = rt.engine.member, .leaving = leaf,
                                .runs = counted() - runs_before,
                                .at = leaf ? team_leaf() : 0, .commit = commit};
}

static void nap(uint64_t ns)
{
    struct timespec t = {0, (long)ns};
    syscall(SYS_nanosleep, &t, NULL);
}

/* The leaf is done, or there was none: takes the next one, waits for one. */
static bool next_leaf(bool leaving)
{
    struct grove *g = rt.engine.grove;
    struct grove_moves m = moves(commit_leaf, leaving);
    uint32_t leaf = grove_next(g, &m);
    uint64_t since = leaf ? 0 : team_clock(), wait = NAP_MIN;
    if (!leaf) {
        team_box()->dry++;
        rt.shared->phase = PHASE_WAITING;
        team_leave();
        grove_hungry(g, rt.engine.member, true);
    }
    m = moves(commit_leaf, false);
    while (!leaf && !grove_finished(g) && !atomic_load(&rt.shared->stop) &&
           !(atomic_load(&team_box()->wants) & WANT_PAUSE)) {
        nap(wait);
        wait = wait < NAP_MAX / 2 ? 2 * wait : NAP_MAX;
        leaf = grove_next(g, &m);
    }
    if (since) {
        grove_hungry(g, rt.engine.member, false);
        team_box()->idle_ns += team_clock() - since;
        rt.shared->phase = PHASE_BETWEEN;
        rt_pulse();
    }
    if (!leaf)
        return atomic_load(&team_box()->wants) & WANT_PAUSE && !atomic_load(&rt.shared->stop) ? team_pause()
                                                                                        : false;
    rt.shared->fraction = 0;
    runs_before = counted();
    if (rt.strategy->adopt(&rt.engine, &team_checkpoint()->item))
        rt_internal("a leaf of the search cannot be understood");
    return true;
}

/* Others have nothing to do: they get part of what we have. Not in the first milliseconds of a search,
 * which may be a short one, and not all the time. */
static void grow(void)
{
    static uint64_t not_before;
    static unsigned asked;
    if (asked++ % 15) /* odd: every second execution may be one that cannot be split */
        return;
    uint64_t now = team_clock();
    if (!not_before)
        not_before = now + 1000000 * engine_option(&rt.engine, "split_after", 20);
    if (now < not_before)
        return;
    struct portion_view v = rt.strategy->portion(&rt.engine);
    if (portion_grow(&v, commit_place, NULL))
        not_before = now + SPLIT_PAUSE * (engine_option(&rt.engine, "split_after", 20) > 0);
}

static bool between_leaves(bool more)
{
    struct exchange *x = team_box();
    if (!more)
        return next_leaf(true);
    if (RT_UNLIKELY(team_leaf() != team_checkpoint()->leaf)) {
        struct grove_moves m = moves(commit_place, true);
        grove_move(rt.engine.grove, &m);
    }
    if (RT_UNLIKELY(grove_wants_split(rt.engine.grove)))
        grow();
    uint32_t wants = atomic_load_explicit(&x->wants, memory_order_relaxed);
    if (RT_LIKELY(!wants))
        return true;
    atomic_store(&x->wants, 0);
    if (wants & WANT_PAUSE)
        return team_pause();
    save();
    return true;
}

/* Tells the host why the search so far is void, and waits for where to begin anew. */
static bool begin_anew(enum post_kind why)
{
    uint32_t ticket = atomic_load(&team_box()->ticket);
    return post(why, ticket) >= 0 && start_over(ticket);
}

bool team_again(void)
{
    return begin_anew(POST_AGAIN);
}

bool team_pause(void)
{
    return begin_anew(POST_PAUSED);
}

/* What was written to be given away goes together with the checkpoint that is without it. */
static bool give(void)
{
    uint32_t ticket;
    struct checkpoint *c = team_next_checkpoint(&ticket);
    if (!rt.strategy->save(&rt.engine, &c->item))
        rt_fatal("a checkpoint does not fit into its memory");
    return team_post_work(ticket);
}

/* A sampling engine on a farm: after its last execution the next range. */
static bool next_in_range(void)
{
    struct exchange *x = team_box();
    uint32_t ticket;
    if (atomic_load_explicit(&x->wants, memory_order_relaxed) & WANT_PAUSE) {
        atomic_store(&x->wants, 0);
        return team_pause();
    }
    if (--x->range_left)
        return true;
    x->mail.length = 0;
    team_next_checkpoint(&ticket);
    return team_wait_for_work(ticket);
}

bool team_between(bool more)
{
    struct exchange *x = team_box();
    if (rt.engine.box)
        return team_farm_between(more);
    if (rt.engine.grove)
        return between_leaves(more);
    if (rt.strategy->strides && rt.shared->config.farm)
        return more && next_in_range();
    if (rt.shared->config.jobs > 1 && rt.strategy->give &&
        rt.strategy->give(&rt.engine, more ? GIVE_AFTER : GIVE_LAST, &x->mail)) {
        uint32_t ticket = atomic_load(&x->ticket);
        if (!more) {
            team_next_checkpoint(&ticket);
            return team_wait_for_work(ticket);
        }
        if (!give())
            return false;
    }
    uint32_t wants = atomic_load_explicit(&x->wants, memory_order_relaxed);
    if (!more || RT_LIKELY(!wants))
        return more;
    atomic_store(&x->wants, 0);
    if (wants & WANT_PAUSE)
        return team_pause();
    if (wants & WANT_SPLIT)
        return rt.strategy->give && rt.strategy->give(&rt.engine, GIVE_PART, &x->mail) ? give() : true;
    save();
    return true;
}

bool team_resume(void)
{
    struct shared *s = rt.shared;
    struct exchange *x = team_box();
    uint32_t ticket = atomic_load(&x->ticket);
    if (x->redo) {
        uint64_t before = counted();
        s->counters =
            x->saved ? team_checkpoint()->counters : (struct counters){0};
        give_executions_back(before - counted());
        fresh_engine();
        if (x->saved && s->bounds.active)
            s->bounds = team_checkpoint()->bounds;
        x->redo = 0; /* killed before this, it is done again */
    }
    runs_before = counted();
    if (x->saved && team_checkpoint()->item.length) {
        if (rt.engine.box)
            return team_farm_resume();
        adopt(&team_checkpoint()->item);
        return true;
    }
    if (s->config.jobs == 1 || (rt.strategy->strides && !s->config.farm))
        return true;
    x->mail.length = 0;
    if (!x->saved) /* what was before is void, and the checkpoint of then, which the host would count again */
        team_next_checkpoint(&ticket);
    return rt.engine.grove && !rt.engine.box ? next_leaf(false) : team_wait_for_work(ticket);
}
