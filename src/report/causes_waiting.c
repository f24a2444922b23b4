/* A deadlock: for who waits on a condition the signal that came too early, and the values that were looked
 * at before waiting: has what is waited for happened already, and why was it not noticed? Threads that have
 * ended. A livelock: the round that each thread goes. */
#include "report/causes_impl.h"

#include "object/object.h"
#include "report/steps.h"
#include "report/words.h"

#include <string.h>

#define LOOKED 60 /* accesses before a wait that are asked about */
#define ROUND 24  /* operations of a round at most */

/* ---- conditions ---- */

static size_t last_wait(const struct inquiry *q, int thread, uint64_t condition)
{
    for (size_t i = q->end; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == thread && e->object == condition && object_role(e) == ROLE_WAIT)
            return i;
    }
    return NO_EVENT;
}

/* The last signal of another thread; it came before the wait, or the thread would not wait. */
static size_t last_signal(const struct inquiry *q, int thread, uint64_t condition, size_t before)
{
    for (size_t i = before; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        int role = object_role(e);
        if (e->object == condition && e->thread != thread && (role == ROLE_SIGNAL || role == ROLE_LOST))
            return i;
    }
    return NO_EVENT;
}

static void tell_signal(struct inquiry *q, int thread, uint64_t condition, size_t wait)
{
    const char *name = names_object(q->n, condition, 0, q->end);
    size_t signal = last_signal(q, thread, condition, wait);
    if (signal == NO_EVENT) {
        inquiry_say(q, NO_EVENT, "nobody signals %s", name);
        return;
    }
    const struct event *e = inquiry_event(q, signal);
    inquiry_say(q, signal, "the signal on %s came too early: %s gave it%s, when %s", name,
                inquiry_thread(q, e->thread), inquiry_step(q, signal),
                object_role(e) == ROLE_LOST ? "nobody waited" : "another thread waited");
    inquiry_say(q, wait, "%s waits since%s", inquiry_thread(q, thread),
                *inquiry_step(q, wait) ? inquiry_step(q, wait) + 3 : " then");
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
static size_t opened(const struct inquiry *q, int thread, uint64_t mutex, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == thread && e->object == mutex && steps_effect(e) == 'r')
            return i;
    }
    return NO_EVENT;
}

static void tell_missed(struct inquiry *q, int thread, uint64_t mutex, size_t look, size_t write, size_t wait)
{
    const char *name = inquiry_name(q, look);
    const struct event *w = inquiry_event(q, write);
    struct held held;
    inquiry_say(q, look, "%s had read %s: %s%s", inquiry_thread(q, thread), name, inquiry_value(q, look),
                inquiry_step(q, look));
    inquiry_say(q, write, "but %s wrote %s = %s%s: it waits for what has happened already",
                inquiry_thread(q, w->thread), name, inquiry_value(q, write), inquiry_step(q, write));
    const char *lock = names_object(q->n, mutex, 0, q->end);
    size_t gap = opened(q, thread, mutex, look, wait);
    inquiry_held(q, w->thread, write, &held);
    if (gap != NO_EVENT)
        inquiry_say(q, gap, "between its look and its wait %s gave back %s%s: look at %s again after "
                            "locking it",
                    inquiry_thread(q, thread), lock, inquiry_step(q, gap), name);
    else if (!held_has(&held, mutex))
        inquiry_say(q, write, "%s wrote it without holding %s, so it could come between look and wait",
                    inquiry_thread(q, w->thread), lock);
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
static size_t locked(const struct inquiry *q, int thread, uint64_t mutex, size_t wait)
{
    for (size_t i = wait; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == thread && e->object == mutex && steps_effect(e) == 'h')
            return i;
    }
    return 0;
}

/* The values that the thread read before it waited: those that have changed since say more than those that
 * have not. */
static void tell_looks(struct inquiry *q, int thread, uint64_t mutex, size_t wait)
{
    size_t looks[3], count = 0, left = LOOKED, since = locked(q, thread, mutex, wait);
    uint64_t seen[LOOKED];
    size_t seen_count = 0;
    for (size_t i = wait; i-- > 0 && left;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread || !event_reads(e))
            continue;
        left--;
        size_t k = 0;
        while (k < seen_count && seen[k] != e->object)
            k++;
        if (k < seen_count)
            continue;
        seen[seen_count++] = e->object;
        size_t write = written_since(q, e->object, thread, i);
        if (write != NO_EVENT) {
            inquiry_object(q, e->object);
            tell_missed(q, thread, mutex, i, write, wait);
            return;
        }
        if (count < 3 && (i > since || written_by_another(q, e->object, thread)))
            looks[count++] = i;
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
        inquiry_object(q, s->next.other);
        tell_signal(q, (int)s->thread, s->next.other, wait);
        tell_looks(q, (int)s->thread, s->next.object, wait);
    }
    if (conditions)
        tell_ended(q);
}
