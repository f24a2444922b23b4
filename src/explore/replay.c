/* Follows the steps that the host left in the trace (prefix), then anything: used by `raddle replay`
 * and for telling the story of a finding. Beyond the recorded steps the running thread goes on while
 * it can, then the first enabled one; in turn where threads change something and put it back, so that
 * those who wait come to look while it is put back, too (await_undo.h). */
#include "explore/engine.h"

#include "base/ensure.h"
#include "trace/shared.h"

static int replay_init(struct engine *e)
{
    return 0;
}

/* Threads that would change something and put it back for ever are seen to wait once the places are known. */
static void replay_begin(struct engine *e)
{
    for (uint32_t i = 0; e->lessons && i < e->lessons->count; i++)
        if (e->lessons->items[i].with == LESSON_UNDO)
            e->awaits = e->undoes = 1;
}

static int replay_choose(struct engine *e, const struct decision *d)
{
    ensure(d->last < EVENT_MAX_THREADS);
    bool goes_on = d->last >= 0 && !e->undoes && tset_has(d->enabled, d->last);
    int next = d->last >= 0 ? tset_next(d->enabled, goes_on ? d->last : d->last + 1) : -1;
    return next >= 0 ? next : tset_first(d->enabled);
}

static int replay_branch(struct engine *e, const struct event *op, int n)
{
    return 0;
}

static int replay_end(struct engine *e, enum outcome o)
{
    return 0;
}

const struct engine_class engine_replay = {
    .guarantee = "one schedule",
    .follows = 1,
    .init = replay_init,
    .begin = replay_begin,
    .choose = replay_choose,
    .branch = replay_branch,
    .end = replay_end,
};
