/* The signature is the sum over all events of a hash of (thread, index in the thread, vector clock):
 * the vector clock names exactly the events that happen before, so the terms do not depend on the
 * order in which independent events came, and neither does their sum. Whatever was chosen on the way
 * (raddle_choose, which waiter is woken, which message is received, which timer fires) stands in the steps
 * and adds its value; of a message the sending event, since its number among those that wait depends on the
 * order of arrival. Sums are kept per entry, so a retained prefix costs nothing. */
#include "explore/signature.h"

#include "base/ensure.h"

int signature_init(struct signature *s, struct engine *e)
{
    if (hb_init(&s->hb, e))
        return -1;
    s->sum = arena_alloc(e->arena, (size_t)s->hb.room * sizeof *s->sum);
    s->steps = arena_alloc(e->arena, (size_t)s->hb.room * sizeof *s->steps);
    return s->sum && s->steps ? 0 : -1;
}

void signature_begin(struct signature *s)
{
    hb_begin(&s->hb);
    s->counted = s->hb.count;
}

/* What was chosen since the entry before; 0: nothing. */
static uint64_t chosen_since(const struct signature *s, uint32_t entry)
{
    ensure(entry <= s->hb.count);
    const struct trace *t = s->hb.trace;
    uint64_t h = 0;
    for (uint32_t i = entry ? s->steps[entry - 1] : 0; i < t->step_count; i++)
        if (t->steps[i].branch)
            h = signature_mix(h + t->steps[i].branch, t->steps[i].pick + 1u);
    return h;
}

static uint64_t choices(struct signature *s, uint32_t entry, const struct event *ev)
{
    const struct trace *t = s->hb.trace;
    uint64_t h = chosen_since(s, entry);
    s->steps[entry] = t->step_count;
    if (operation_is(ev->kind, OP_ONE_SOURCE) && ev->match) {
        const struct event *send = &t->events[ev->match - 1];
        h = signature_mix(send->thread + 1u, send->index + 1u);
    }
    return h;
}

static uint64_t term(struct signature *s, uint32_t entry, const struct event *ev)
{
    ensure(entry < s->hb.count);
    const struct hb_entry *e = &s->hb.entries[entry];
    const vtime *row = hb_row(&s->hb, entry);
    uint64_t h = signature_mix(ev->thread, (uint64_t)e->time), chosen = choices(s, entry, ev);
    if (!e->time && !chosen)
        return 0;
    for (uint32_t t = 0; t < s->hb.width; t++)
        if (row[t])
            h += signature_mix(t + 1, (uint64_t)row[t]);
    if (chosen)
        h += signature_mix(~0ull, chosen);
    return signature_mix(h, ev->kind);
}

void signature_observe(struct signature *s, const struct event *ev)
{
    hb_observe(&s->hb, ev);
    for (; s->counted < s->hb.count; s->counted++)
        s->sum[s->counted] = (s->counted ? s->sum[s->counted - 1] : 0) + term(s, s->counted, ev);
}

uint64_t signature_now(const struct signature *s)
{
    uint64_t sum = s->counted ? s->sum[s->counted - 1] : 0, chosen = chosen_since(s, s->counted);
    return chosen ? signature_mix(sum, chosen) : sum;
}
