#include "rt/core/round.h"

#include "base/ensure.h"
#include "rt/check/finding.h"
#include "rt/core/record.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"

/* (What a plain write has written is known later; whoever reads it compares that.) */
static bool same_event(const struct event *a, const struct event *b)
{
    bool written_later = operation_is(a->kind, OP_PLAIN) && event_class(a->kind) == CLASS_WRITE;
    return a->kind == b->kind && a->thread == b->thread && a->object == b->object && a->pc == b->pc &&
           a->size == b->size && (written_later || a->value == b->value);
}

static bool gives_way(const struct event *e)
{
    return e->kind == EV_YIELD || e->kind == EV_SLEEP;
}

/* The same events, but for giving way: how long and how often may follow from a counter that nobody
 * looks at. */
static bool same_events(const struct event *a, const struct event *a_end, const struct event *b,
                        const struct event *b_end)
{
    for (;; a++, b++) {
        while (a < a_end && gives_way(a))
            a++;
        while (b < b_end && gives_way(b))
            b++;
        if (a == a_end || b == b_end)
            return a == a_end && b == b_end;
        if (!same_event(a, b))
            return false;
    }
}

/* Did the last two rounds take the same steps, with the same effect? */
static bool went_round(uint32_t length)
{
    const struct trace *t = rt.trace;
    if (!length || t->step_count < 2ull * length)
        return false;
    const struct step *second = &t->steps[t->step_count - length], *first = second - length;
    const struct event *middle = &t->events[second->event];
    for (uint32_t i = 0; i < length; i++)
        if (first[i].pick != second[i].pick || first[i].branch != second[i].branch)
            return false;
    return same_events(&t->events[first->event], middle, middle, &t->events[t->event_count]);
}

/* Those who took the last steps. */
static struct tset who_moved(uint32_t length)
{
    const struct trace *t = rt.trace;
    struct tset moved = {{0}};
    for (uint32_t i = t->step_count - length; i < t->step_count; i++)
        if (!t->steps[i].branch)
            tset_add(&moved, t->steps[i].pick);
    return moved;
}

/* Where each of them stands now; and who waits. */
static void describe(struct finding *f, const struct tset *moved)
{
    TSET_FOR(i, &rt.live) {
        if (tset_has(moved, i))
            finding_fact(f, FACT_ROUND, i, rt.next[i].pc, 0);
        else
            sync_describe_wait(f, &rt.all[i]);
    }
}

void round_ends(uint32_t length)
{
    uint32_t steps = rt.trace->step_count;
    if (!went_round(length))
        sched_end_execution(OUTCOME_ABANDONED);
    struct tset moved = who_moved(length);
    int first = tset_first(&moved);
    ensure(first >= 0 && tset_has(&rt.live, first));
    record_step(length, STEP_ROUND);
    struct finding *f = finding_new(FINDING_LIVELOCK, rt.next[first].pc, 0,
                                    "livelock: steps %u to %u can be repeated for ever, "
                                    "and no thread gets on",
                                    steps - length + 1, steps);
    f->thread = (uint16_t)first;
    describe(f, &moved);
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}
