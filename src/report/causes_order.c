/* A data race, and heap blocks that were freed too early: what would have ordered the two accesses, and why
 * nothing did. */
#include "report/causes_impl.h"

#include "object/object.h"
#include "report/stacks.h"
#include "report/steps.h"

#include <stdatomic.h>
#include <string.h>

/* ---- memory orders ---- */

static const char *order_name(uint32_t told)
{
    static const char *const names[] = {"seq_cst", "relaxed", "consume", "acquire", "release", "acq_rel"};
    return names[told < 6 ? told : 0];
}

static int releases(uint32_t told)
{
    return told == 0 || told - 1 == memory_order_release || told - 1 == memory_order_acq_rel;
}

static int is_atomic(const struct event *e)
{
    return e->size && !(e->flags & EVENT_PLAIN) && operation_of(e->kind)->object == OBJECT_MEMORY &&
           !operation_is(e->kind, OP_EVERYWHERE | OP_PLAIN | OP_SILENT);
}

/* An atomic operation of the first thread after its access that the second one saw before its own, and that
 * orders nothing because of its memory order. */
static int too_weak(struct inquiry *q, size_t first, int second)
{
    int thread = inquiry_event(q, first)->thread;
    for (size_t i = first + 1; i < q->end; i++) {
        const struct event *by = inquiry_event(q, i);
        if (by->thread != thread || !is_atomic(by) || !event_writes(by))
            continue;
        for (size_t k = i + 1; k < q->end; k++) {
            const struct event *seen = inquiry_event(q, k);
            if (seen->thread != second || seen->object != by->object || !is_atomic(seen) ||
                !event_reads(seen))
                continue;
            int release = releases(q->tale->events.items[i].order);
            size_t weak = release ? k : i;
            inquiry_say(q, weak, "%s %s %s with memory_order_%s%s, which does not %s: memory_order_%s would "
                                 "order them",
                        inquiry_thread(q, inquiry_event(q, weak)->thread), release ? "read" : "updated",
                        inquiry_name(q, weak), order_name(q->tale->events.items[weak].order),
                        inquiry_step(q, weak),
                        release ? "acquire what was released" : "release what was done before",
                        release ? "acquire" : event_class(by->kind) == CLASS_RMW ? "acq_rel" : "release");
            return 1;
        }
    }
    return 0;
}

/* ---- locks ---- */

/* The last time before `before` that the thread gave the lock back. */
static size_t given_back(const struct inquiry *q, int thread, uint64_t lock, size_t before)
{
    for (size_t i = before; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == thread && e->object == lock && steps_effect(e) == 'r')
            return i;
    }
    return NO_EVENT;
}

static int only_reading(const struct held *a, const struct held *b, uint64_t *lock)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            if (a->lock[i] == b->lock[k]) {
                *lock = a->lock[i];
                return 1;
            }
    return 0;
}

/* A lock that one of them has and the other had until just before. */
static int gave_back_too_early(struct inquiry *q, int thread, size_t before, const struct held *other)
{
    for (int i = 0; i < other->count; i++) {
        size_t unlock = given_back(q, thread, other->lock[i], before);
        if (unlock == NO_EVENT)
            continue;
        inquiry_say(q, unlock, "%s had given back %s%s, before its access", inquiry_thread(q, thread),
                    names_object(q->n, other->lock[i], 0, q->end), inquiry_step(q, unlock));
        return 1;
    }
    return 0;
}

void inquiry_unordered(struct inquiry *q, size_t first, int second)
{
    struct held a, b;
    uint64_t lock;
    int thread = inquiry_event(q, first)->thread;
    if (too_weak(q, first, second))
        return;
    inquiry_held(q, thread, first, &a);
    inquiry_held(q, second, q->end, &b);
    if (only_reading(&a, &b, &lock)) {
        inquiry_say(q, NO_EVENT, "both hold %s, but for reading, which several threads may at once",
                    names_object(q->n, lock, 0, q->end));
        return;
    }
    if (!a.count && !b.count)
        inquiry_say(q, NO_EVENT, "nothing orders the two: no lock is held at either, and nothing that %s did "
                                 "after its access was waited for by %s before its own",
                    inquiry_thread(q, thread), inquiry_thread(q, second));
    else
        inquiry_say(q, NO_EVENT, "no common lock: %s held %s, %s %s", inquiry_thread(q, thread),
                    inquiry_locks(q, &a), inquiry_thread(q, second), inquiry_locks(q, &b));
    if (!gave_back_too_early(q, thread, first, &b))
        gave_back_too_early(q, second, q->end, &a);
}

/* ---- the kinds ---- */

void causes_of_race(struct inquiry *q)
{
    const struct finding *f = &q->told->finding;
    if (f->fact_count < 2)
        return;
    size_t first = stacks_event_at(q->tale, q->told, f->facts[0].thread, f->facts[0].pc);
    if (first < q->end)
        inquiry_unordered(q, first, f->facts[1].thread);
}

/* The pointer through which the failing thread came to the block: read before it was freed. */
static void tell_pointer(struct inquiry *q, const struct event *block, size_t freed, int thread)
{
    for (size_t i = q->end; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread || !event_reads(e) || e->size != 8 || e->value - block->object >= block->size)
            continue;
        inquiry_object(q, e->object);
        inquiry_say(q, i, "%s had taken the pointer from %s%s%s", inquiry_thread(q, thread),
                    inquiry_name(q, i), inquiry_step(q, i), i < freed ? ", before the free" : "");
        return;
    }
}

/* The stack of a thread that has ended: where the pointer to it came from. */
void causes_of_stack(struct inquiry *q)
{
    const struct finding *f = &q->told->finding;
    for (size_t i = q->end; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != f->thread || !event_reads(e) || e->size != 8 || e->value != f->object)
            continue;
        const char *name = inquiry_name(q, i);
        inquiry_object(q, e->object);
        inquiry_say(q, i, "%s had taken the pointer from %s%s", inquiry_thread(q, f->thread), name,
                    inquiry_step(q, i));
        inquiry_origin(q, e->object, name);
        return;
    }
}

static size_t freed_at(const struct inquiry *q, uint64_t address, size_t *allocated)
{
    size_t freed = NO_EVENT;
    *allocated = NO_EVENT;
    for (size_t i = 0; i < q->end; i++) {
        const struct event *e = inquiry_event(q, i);
        if (e->kind == EV_ALLOC && address - e->object < e->size)
            *allocated = i;
        else if (operation_is(e->kind, OP_EVERYWHERE) && *allocated != NO_EVENT &&
                 e->object == inquiry_event(q, *allocated)->object)
            freed = i;
    }
    return freed;
}

/* A block from before main, of whose allocation there is no event; size 0: it is none, or is not freed. */
static struct event early_block(const struct inquiry *q, size_t *freed)
{
    const struct finding *f = &q->told->finding;
    uint64_t size = 0;
    for (uint32_t i = 0; i < f->fact_count; i++)
        size = f->facts[i].kind == FACT_ALLOCATED_EARLY ? f->facts[i].number : size;
    for (size_t i = q->end; i-- > 0 && size;) {
        const struct event *e = inquiry_event(q, i);
        if (!operation_is(e->kind, OP_EVERYWHERE) || f->object - e->object >= size)
            continue;
        *freed = i;
        return (struct event){.object = e->object, .size = (uint32_t)size};
    }
    return (struct event){0};
}

void causes_of_heap(struct inquiry *q)
{
    const struct finding *f = &q->told->finding;
    size_t allocated, freed = freed_at(q, f->object, &allocated);
    struct event early = allocated == NO_EVENT ? early_block(q, &freed) : (struct event){0};
    if (early.size && inquiry_event(q, freed)->thread != f->thread) {
        tell_pointer(q, &early, freed, f->thread);
        inquiry_unordered(q, freed, f->thread);
        return;
    }
    if (allocated == NO_EVENT || freed == NO_EVENT || freed < allocated) {
        inquiry_stale(q); /* beyond the end: an index, perhaps */
        return;
    }
    const struct event *by = inquiry_event(q, freed);
    if (by->thread == f->thread)
        return;
    tell_pointer(q, inquiry_event(q, allocated), freed, f->thread);
    inquiry_unordered(q, freed, f->thread);
}

/* A lock that is used wrongly: who took it last, and who gave it back. */
void causes_of_misuse(struct inquiry *q)
{
    uint64_t lock = q->told->finding.object;
    size_t taken = NO_EVENT, given = NO_EVENT;
    for (size_t i = 0; i < q->end; i++) {
        const struct event *e = inquiry_event(q, i);
        char effect = e->object == lock ? steps_effect(e) : e->other == lock ? steps_effect(e) : 0;
        if (effect == 'h' && e->object == lock) {
            taken = i;
            given = NO_EVENT;
        } else if ((effect == 'r' && e->object == lock) || effect == 'c') {
            given = given == NO_EVENT ? i : given;
        }
    }
    if (taken == NO_EVENT) {
        inquiry_say(q, NO_EVENT, "nobody had locked %s before", names_object(q->n, lock, 0, q->end));
        return;
    }
    inquiry_say(q, taken, "%s was locked last by %s%s", inquiry_name(q, taken),
                inquiry_thread(q, inquiry_event(q, taken)->thread), inquiry_step(q, taken));
    if (given != NO_EVENT)
        inquiry_say(q, given, "%s gave it back%s", inquiry_thread(q, inquiry_event(q, given)->thread),
                    inquiry_step(q, given));
}
