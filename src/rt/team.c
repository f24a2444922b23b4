/* Everything here happens between two executions. Searches in one worker use the checkpoint only. */
#include "rt/team.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct exchange *box(void)
{
    return &rt.shared->exchange;
}

static struct checkpoint *checkpoint_now(void)
{
    return &box()->checkpoints[atomic_load(&box()->ticket) >> 1];
}

/* The other checkpoint, with the counters as they are and nothing to do; valid once its ticket is. */
static struct checkpoint *next_checkpoint(uint32_t *ticket)
{
    uint32_t index = (atomic_load(&box()->ticket) >> 1) ^ 1;
    struct checkpoint *c = &box()->checkpoints[index];
    c->counters = rt.shared->counters;
    c->item.length = 0;
    *ticket = index << 1;
    return c;
}

static void save(void)
{
    uint32_t ticket;
    struct checkpoint *c = next_checkpoint(&ticket);
    if (!rt.strategy->save || !rt.strategy->save(&rt.engine, &c->item))
        return;
    atomic_store(&box()->ticket, ticket);
    box()->saved = 1;
}

/* Posts and waits for the reply; -1: the search is to stop. */
static int post(enum post_kind kind, uint32_t ticket)
{
    struct exchange *x = box();
    uint64_t one = 1;
    x->post = kind;
    rt.shared->phase = PHASE_WAITING;
    atomic_store(&x->ticket, ticket | 1);
    syscall(SYS_write, rt.shared->config.team_fd, &one, sizeof one);
    for (uint32_t t; (t = atomic_load(&x->ticket)) & 1;) {
        if (atomic_load(&rt.shared->stop))
            return -1;
        syscall(SYS_futex, &x->ticket, FUTEX_WAIT, t, NULL, NULL, 0);
    }
    rt.shared->phase = PHASE_BETWEEN;
    rt_pulse();
    return (int)x->reply;
}

static bool post_work(uint32_t ticket)
{
    if (post(POST_WORK, ticket) != REPLY_ANSWER)
        return false;
    if (rt.strategy->learn(&rt.engine, &box()->answer))
        rt_fatal("the answer of the host cannot be understood");
    return true;
}

void team_discard(void)
{
    struct shared *s = rt.shared;
    uint64_t events = s->events, steps = s->steps_total;
    s->discarded += s->executions + s->blocked;
    s->counters = (struct counters){.events = events, .steps_total = steps};
    s->exchange.saved = 0;
}

/* Out of work: waits until there is some. */
static bool wait_for_work(uint32_t ticket)
{
    box()->dry++;
    for (;;) {
        rt.shared->fraction = 0;
        int reply = post(POST_DRY, ticket);
        box()->mail.length = 0;
        if (reply < 0 || reply == REPLY_FINISH)
            return false;
        if (reply == REPLY_ITEM)
            break;
        team_discard();
        fresh_engine();
        next_checkpoint(&ticket);
    }
    if (rt.strategy->adopt(&rt.engine, &checkpoint_now()->item))
        rt_fatal("the work given by the host cannot be understood");
    return true;
}

/* Tells the host why the search so far is void, and waits for where to begin anew. */
static bool begin_anew(enum post_kind why)
{
    uint32_t ticket = atomic_load(&box()->ticket);
    if (post(why, ticket) < 0)
        return false;
    team_discard();
    fresh_engine();
    next_checkpoint(&ticket);
    box()->mail.length = 0;
    return wait_for_work(ticket);
}

bool team_again(void)
{
    return begin_anew(POST_AGAIN);
}

static bool pause_search(void)
{
    return begin_anew(POST_PAUSED);
}

static bool split(void)
{
    uint32_t ticket;
    if (!rt.strategy->split(&rt.engine, &box()->mail))
        return true;
    struct checkpoint *c = next_checkpoint(&ticket);
    if (!rt.strategy->save(&rt.engine, &c->item))
        rt_fatal("a checkpoint does not fit into its memory");
    return post_work(ticket);
}

bool team_between(bool more)
{
    struct exchange *x = box();
    if (rt.shared->config.jobs > 1 && rt.strategy->report(&rt.engine, !more, &x->mail)) {
        uint32_t ticket = atomic_load(&x->ticket);
        if (!more) {
            next_checkpoint(&ticket);
            return wait_for_work(ticket);
        }
        if (!post_work(ticket))
            return false;
    }
    uint32_t wants = atomic_load_explicit(&x->wants, memory_order_relaxed);
    if (!more || RT_LIKELY(!wants))
        return more;
    atomic_store(&x->wants, 0);
    if (wants & WANT_PAUSE)
        return pause_search();
    if (wants & WANT_SPLIT)
        return split();
    save();
    return true;
}

bool team_resume(void)
{
    struct shared *s = rt.shared;
    struct exchange *x = box();
    uint32_t ticket = atomic_load(&x->ticket);
    if (x->redo) {
        x->redo = 0;
        s->counters =
            x->saved ? checkpoint_now()->counters : (struct counters){0};
        fresh_engine();
    }
    if (x->saved && checkpoint_now()->item.length) {
        if (rt.strategy->adopt(&rt.engine, &checkpoint_now()->item))
            rt_fatal("the checkpoint cannot be understood");
        return true;
    }
    if (s->config.jobs == 1)
        return true;
    x->mail.length = 0;
    return wait_for_work(ticket);
}
