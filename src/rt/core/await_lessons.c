/* What searches have found out about the program and begin again with (trace/shared.h). */
#include "rt/check/finding.h"
#include "rt/code/live.h"
#include "rt/core/await.h"
#include "rt/core/await_reads.h"
#include "rt/core/sched.h"

static uint32_t lessons_known; /* of shared->lessons, looked at so far */
static uint32_t shared_words;
static uint8_t filter[4096];

static uint32_t filter_index(uint64_t pc)
{
    return (uint32_t)(pc ^ pc >> 12) & 4095;
}

void await_lessons_reset(void)
{
    const struct lessons *l = &rt.shared->lessons;
    for (; lessons_known < l->count; lessons_known++) {
        const struct lesson *now = &l->items[lessons_known];
        filter[filter_index(now->key)] = 1;
        shared_words += now->with == LESSON_OWN || now->with == LESSON_WROTE;
        if (!(now->with >> 63) && (uint32_t)now->with == LESSON_MINE)
            await_reads_mine(now->key, now->with);
    }
}

uint32_t await_shared_words(void)
{
    return shared_words;
}

bool await_knows(uint64_t key, uint64_t with)
{
    const struct lessons *l = &rt.shared->lessons;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->items[i].key == key && l->items[i].with == with)
            return true;
    return false;
}

bool await_is(uint64_t pc, uint64_t with)
{
    return filter[filter_index(pc)] && await_knows(pc, with);
}

void await_learn(uint64_t key, uint64_t with)
{
    struct lessons *l = &rt.shared->lessons;
    if (await_knows(key, with))
        return;
    if (l->count == SHARED_LESSONS) {
        finding_limit(LIMIT_LESSONS, SHARED_LESSONS);
        return;
    }
    l->items[l->count++] = (struct lesson){key, with};
    rt.restart = true;
}

#define COPIES 16 /* of a loop's first round, by which others may enter it */

void await_learn_places(uint64_t pc, uint64_t with)
{
    uint64_t alike[COPIES];
    if (await_knows(pc, with))
        return;
    uint32_t n = live_alike(pc, alike, COPIES);
    await_learn(pc, with);
    for (uint32_t i = 0; i < n; i++)
        await_learn(alike[i], with);
}

void await_learn_place(uint64_t pc)
{
    await_learn_places(pc, LESSON_PLACE);
}

void await_learn_loop(const struct thread *t)
{
    const struct spin_entry *end = t->ring + t->ring_count;
    if (t->ring_count > AWAIT_LOOKS)
        return;
    for (const struct spin_entry *r = t->ring; r < end; r++)
        if (!r->is.plain && !await_in_memory(r->is.kind, r->size))
            return;
    for (const struct spin_entry *r = t->ring; r < end; r++)
        if (!r->is.plain)
            await_learn_place(r->pc);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}
