/* The engines of backtrack.c in several workers (explore/share/portion.h), and their checkpoints. */
#include "explore/dpor/backtrack_impl.h"

#include "base/ensure.h"

/* ---- what is given away: threads, or values of a choice ---- */

static void add(struct backtrack *b, int thread, int pick, int values)
{
    ensure(pick >= 0);
    struct act act = {.thread = (uint8_t)thread, .role = ROLE_NONE};
    wakeup_append(&b->offer, &b->offered, act, (uint16_t)pick, (uint16_t)values);
}

static uint32_t offer(struct engine *e, uint32_t step)
{
    ensure(step < e->trace->step_room);
    struct backtrack *b = e->state;
    const struct step *s = &e->trace->steps[step];
    wakeup_drop(&b->offer, &b->offered);
    if (s->branch & STEP_SYMBOLIC && step_next_value(s) >= 0)
        add(b, 0, step_next_value(s), step_kind(s));
    for (int value = s->pick + 1; value < s->branch && !(s->branch & STEP_SYMBOLIC); value++)
        add(b, 0, value, s->branch);
    if (!s->branch)
        TSET_FOR(t, &b->todo[step])
            add(b, t, t, 0);
    return b->offered;
}

static void given(struct engine *e, uint32_t step)
{
    struct backtrack *b = e->state;
    ensure(step < e->trace->prefix);
    b->todo[step] = (struct tset){{0}};
    b->offered = 0; /* who has it drops it */
}

/* What sleeps; and who was tried without that. */
static const struct act *elders(struct engine *e, uint32_t step, uint32_t *count)
{
    struct backtrack *b = e->state;
    const struct step *s = &e->trace->steps[step];
    const struct act *asleep = sleep_at(&b->sleep, step, count);
    ensure(*count <= EVENT_MAX_THREADS);
    struct tset there = {{0}};
    for (uint32_t i = 0; i < *count; i++) {
        b->elders[i] = asleep[i];
        tset_add(&there, asleep[i].thread);
    }
    if (!s->branch)
        TSET_FOR(t, &b->done[step])
            if (t != s->pick && !tset_has(&there, t))
                b->elders[(*count)++] = (struct act){.thread = (uint8_t)t, .role = ROLE_NONE};
    return b->elders;
}

/* ---- checkpoints ---- */

static void put_list(const struct engine *e, uint32_t step, struct work *w)
{
    work_put_set(w, &((const struct backtrack *)e->state)->todo[step]);
}

static void get_list(struct engine *e, uint32_t step, struct work *w)
{
    ((struct backtrack *)e->state)->todo[step] = work_get_set(w);
}

static void put_done(const struct engine *e, uint32_t step, struct work *w)
{
    work_put_set(w, &((const struct backtrack *)e->state)->done[step]);
}

static void get_done(struct engine *e, uint32_t step, struct work *w)
{
    ((struct backtrack *)e->state)->done[step] = work_get_set(w);
}

struct portion_view backtrack_portion(struct engine *e)
{
    struct backtrack *b = e->state;
    return (struct portion_view){.engine = e, .portion = &b->portion, .hb = &b->hb, .sleep = &b->sleep,
                                 .estimate = &b->estimate, .enabled = b->enabled,
                                 .runs = b->estimate.executions, .trees = &b->offer, .offer = offer,
                                 .given = given, .elders = elders, .put_list = put_list,
                                 .get_list = get_list, .put_done = put_done, .get_done = get_done};
}

int backtrack_save(struct engine *e, struct work *out)
{
    struct portion_view v = backtrack_portion(e);
    return portion_save(&v, out);
}

int backtrack_adopt(struct engine *e, struct work *in)
{
    struct portion_view v = backtrack_portion(e);
    return portion_adopt(&v, in);
}
