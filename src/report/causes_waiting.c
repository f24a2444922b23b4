/* A deadlock: for who waits on a condition the signal that came too early, and the values that were looked
 * at before waiting: has what is waited for happened already, and why was it not noticed? Threads that have
 * ended. A livelock: the round that each thread goes. */
#include "report/causes_impl.h"

#include "object/object.h"
#include "report/steps.h"
#include "report/words.h"

#include <string.h>

#define LOOKED 60 /* accesses before a wait that are asked about */
#define LOOKS_TOLD 3
#define ROUND 24  /* operations of a round at most */

/* ---- conditions ---- */

/* A thread that waits on a condition, and what it had looked at before. */
struct cond_waiter {
    int thread;
    uint64_t condition, mutex;
    size_t since;       /* its wait */
    size_t look, write; /* what it read, and who has changed that since; NO_EVENT: nobody */
};

static size_t last_wait(const struct inquiry *q, int thread, uint64_t condition)
{
    for (size_t i = q->end; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == thread && e->object == condition && object_role(e) == ROLE_WAIT)
            return i;
    }
    return NO_EVENT;
}

/* The last signal of another thread between two events. */
static size_t last_signal(const struct inquiry *q, const struct cond_waiter *w, size_t from, size_t to)
{
    for (size_t i = to; i-- > from;) {
        const struct event *e = inquiry_event(q, i);
        int role = object_role(e);
        if (e->object == w->condition && e->thread != w->thread &&
            (role == ROLE_SIGNAL || role == ROLE_LOST))
            return i;
    }
    return NO_EVENT;
}

/* Of the signals that came before the wait the last. It came too early if it was to tell what the thread has
 * not seen; otherwise it was for somebody else, or for an earlier wait. */
static void tell_early(struct inquiry *q, const struct cond_waiter *w, size_t signal)
{
    const struct event *e = inquiry_event(q, signal);
    const char *name = names_object(q->n, w->condition, 0, q->end), *step = inquiry_step(q, signal);
    const char *who = inquiry_thread(q, e->thread);
    const char *what = operation_is(e->kind, OP_BROADCASTS) ? "broadcast" : "signal";
    if (w->write != NO_EVENT && w->write < w->since && signal > w->look)
        inquiry_say(q, signal, "the %s on %s came too early: %s gave it%s, when %s%s", what, name, who, step,
                    object_role(e) == ROLE_LOST ? "nobody waited" : inquiry_thread(q, w->thread),
                    object_role(e) == ROLE_LOST ? "" : " did not wait yet");
    else if (object_role(e) == ROLE_LOST)
        inquiry_say(q, signal, "the last signal on %s was given by %s%s, when nobody waited", name, who,
                    step);
    else if (operation_is(e->kind, OP_BROADCASTS))
        inquiry_say(q, signal, "the last broadcast on %s was given by %s%s, before this wait", name, who,
                    step);
    else
        inquiry_say(q, signal, "the last signal on %s was given by %s%s and woke %s%s", name, who, step,
                    inquiry_thread(q, (int)e->value - 1),
                    (int)e->value - 1 == w->thread ? ", which waits again" : "");
}

static void tell_signal(struct inquiry *q, const struct cond_waiter *w)
{
    const char *name = names_object(q->n, w->condition, 0, q->end);
    size_t other = last_signal(q, w, w->since, q->end), early = last_signal(q, w, 0, w->since);
    if (other != NO_EVENT) {
        const struct event *e = inquiry_event(q, other);
        inquiry_say(q, other, "%s signalled %s%s, which woke %s, not %s: a signal wakes one thread, a "
                              "broadcast all that wait",
                    inquiry_thread(q, e->thread), name, inquiry_step(q, other),
                    inquiry_thread(q, (int)e->value - 1), inquiry_thread(q, w->thread));
    } else if (early != NO_EVENT) {
        tell_early(q, w, early);
    } else {
        inquiry_say(q, NO_EVENT, "nobody signals %s", name);
        return;
    }
    inquiry_say(q, w->since, "%s waits since%s", inquiry_thread(q, w->thread),
                *inquiry_step(q, w->since) ? inquiry_step(q, w->since) + 3 : " then");
}

/* ---- what it looked at ---- */

static size_t written_since(const struct inquiry *q, uint64_t address, int thread, size_t since)
{
    for (size_t i = q->end; i-- > since + 1;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread && event_on(e, address) && event_writes(e))
            return i;
    }
    return NO_EVENT;
}

/* Did the thread give the mutex back between its look and its wait? */
static size_t opened(const struct inquiry *q, const struct cond_waiter *w)
{
    for (size_t i = w->look; i < w->since; i++) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == w->thread && e->object == w->mutex && steps_effect(e) == 'r')
            return i;
    }
    return NO_EVENT;
}

/* What it waits for has happened: why was that not noticed? */
static void tell_missed(struct inquiry *q, const struct cond_waiter *w)
{
    const char *name = inquiry_name(q, w->look), *lock = names_object(q->n, w->mutex, 0, q->end);
    int writer = inquiry_event(q, w->write)->thread;
    size_t gap = opened(q, w);
    struct held held;
    inquiry_say(q, w->look, "%s had read %s: %s%s", inquiry_thread(q, w->thread), name,
                inquiry_value(q, w->look), inquiry_step(q, w->look));
    inquiry_say(q, w->write, "but %s wrote %s = %s%s: it waits for what has happened already",
                inquiry_thread(q, writer), name, inquiry_value(q, w->write), inquiry_step(q, w->write));
    inquiry_held(q, writer, w->write, &held);
    if (w->write > w->since) {
        if (last_signal(q, w, w->write, q->end) == NO_EVENT)
            inquiry_say(q, w->write, "and nobody signals %s after that",
                        names_object(q->n, w->condition, 0, q->end));
    } else if (gap != NO_EVENT) {
        inquiry_say(q, gap, "between its look and its wait %s gave back %s%s: look at %s again after "
                            "locking it",
                    inquiry_thread(q, w->thread), lock, inquiry_step(q, gap), name);
    } else if (!held_has(&held, w->mutex)) {
        inquiry_say(q, w->write, "%s wrote it without holding %s, so it could come between look and wait",
                    inquiry_thread(q, writer), lock);
    }
}

static void tell_predicate(struct inquiry *q, size_t look)
{
    const struct event *e = inquiry_event(q, look);
    size_t write = inquiry_write(q, e->object, -1, q->end);
    inquiry_say(q, look, "it waits while %s is %s", inquiry_name(q, look), inquiry_value(q, look));
    if (write != NO_EVENT && inquiry_event(q, write)->thread != e->thread)
        inquiry_say(q, write, "which %s wrote last%s", inquiry_thread(q, inquiry_event(q, write)->thread),
                    inquiry_step(q, write));
}

static int written_by_another(const struct inquiry *q, uint64_t address, int thread)
{
    for (size_t i = 0; i < q->end; i++) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread && event_on(e, address) && event_writes(e))
            return 1;
    }
    return 0;
}

/* When the thread took the mutex that it gave back to wait. */
static size_t locked(const struct inquiry *q, const struct cond_waiter *w)
{
    for (size_t i = w->since; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == w->thread && e->object == w->mutex && steps_effect(e) == 'h')
            return i;
    }
    return 0;
}

/* The values that the thread read before it waited: one that has changed since says more than those that
 * have not, of which there are at most three. Returns how many. */
static size_t find_looks(const struct inquiry *q, struct cond_waiter *w, size_t *looks)
{
    size_t count = 0, left = LOOKED, since = locked(q, w);
    uint64_t seen[LOOKED];
    size_t seen_count = 0;
    for (size_t i = w->since; i-- > 0 && left;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != w->thread || !event_reads(e))
            continue;
        left--;
        size_t k = 0;
        while (k < seen_count && seen[k] != e->object)
            k++;
        if (k < seen_count)
            continue;
        seen[seen_count++] = e->object;
        w->write = written_since(q, e->object, w->thread, i);
        w->look = i;
        if (w->write != NO_EVENT)
            return 0;
        if (count < LOOKS_TOLD && (i > since || written_by_another(q, e->object, w->thread)))
            looks[count++] = i;
    }
    return count;
}

static void tell_waiter(struct inquiry *q, struct cond_waiter *w)
{
    size_t looks[LOOKS_TOLD], count = find_looks(q, w, looks);
    inquiry_object(q, w->condition);
    tell_signal(q, w);
    if (w->write != NO_EVENT) {
        inquiry_object(q, inquiry_event(q, w->look)->object);
        tell_missed(q, w);
    }
    for (size_t i = count; i-- > 0;) {
        inquiry_object(q, inquiry_event(q, looks[i])->object);
        tell_predicate(q, looks[i]);
    }
}

/* ---- who has ended ---- */

static void tell_ended(struct inquiry *q)
{
    int told = 0;
    for (size_t i = 0; i < q->end && told < 6; i++) {
        const struct event *e = inquiry_event(q, i);
        if (e->kind != EV_EXIT || !e->thread)
            continue;
        inquiry_say(q, i, "%s has ended%s", inquiry_thread(q, e->thread), inquiry_step(q, i));
        q->out->items.items[q->out->items.count - 1].pc = 0;
        told++;
    }
}

/* ---- rounds ---- */

static int same_act(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->object == b->object && a->pc == b->pc;
}

static void tell_round(struct inquiry *q, int thread)
{
    size_t last[2 * ROUND], count = 0, period;
    for (size_t i = q->end; i-- > 0 && count < 2 * ROUND;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == thread && !(e->flags & EVENT_PLAIN) && !words_silent(e) && e->kind != EV_NOTE)
            last[count++] = i;
    }
    for (period = 1; 2 * period <= count; period++) {
        size_t k = 0;
        while (k < period && same_act(inquiry_event(q, last[k]), inquiry_event(q, last[k + period])))
            k++;
        if (k == period)
            break;
    }
    if (2 * period > count || period == 1) /* of a single look the finding speaks by itself */
        return;
    inquiry_say(q, NO_EVENT, "%s goes round:", inquiry_thread(q, thread));
    for (size_t k = period; k-- > 0;) {
        struct sbuf text = {0};
        words_event(q->n, last[k], &text);
        inquiry_say(q, last[k], "    %s", sbuf_str(&text));
        sbuf_free(&text);
    }
}

void causes_of_waiting(struct inquiry *q)
{
    int conditions = 0, livelock = q->told->finding.kind == FINDING_LIVELOCK;
    for (size_t i = 0; i < q->tale->stacks.count; i++) {
        const struct tale_stack *s = &q->tale->stacks.items[i];
        if (&q->tale->findings.items[s->finding] != q->told)
            continue;
        int woken = operation_is(s->next.kind, OP_WOKEN) && s->next.other;
        size_t wait = woken ? last_wait(q, (int)s->thread, s->next.other) : NO_EVENT;
        if (livelock && !woken)
            tell_round(q, (int)s->thread);
        if (wait == NO_EVENT || conditions++ == 2)
            continue;
        struct cond_waiter w = {.thread = (int)s->thread, .condition = s->next.other, .since = wait,
                                .mutex = s->next.object, .look = NO_EVENT, .write = NO_EVENT};
        tell_waiter(q, &w);
    }
    if (conditions)
        tell_ended(q);
}
