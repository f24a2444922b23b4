/* The signature is the sum over all events of a hash of (thread, index in the thread, vector clock):
 * the vector clock names exactly the events that happen before, so the terms do not depend on the
 * order in which independent events came, and neither does their sum. A choice (raddle_choose, the
 * waiter that a signal wakes) adds its value. Sums are kept per entry, so a retained prefix costs
 * nothing. */
#include "explore/signature.h"

int signature_init(struct signature *s, struct engine *e)
{
    if (hb_init(&s->hb, e))
        return -1;
    s->sum = arena_alloc(e->arena, (size_t)s->hb.room * sizeof *s->sum);
    return s->sum ? 0 : -1;
}

void signature_begin(struct signature *s)
{
    hb_begin(&s->hb);
    s->counted = s->hb.count;
}

static uint64_t term(const struct signature *s, uint32_t entry, const struct event *ev)
{
    const struct hb_entry *e = &s->hb.entries[entry];
    const hb_time *row = hb_row(&s->hb, entry);
    uint64_t h = signature_mix(ev->thread, (uint64_t)e->time);
    if (!e->time)
        return 0;
    for (uint32_t t = 0; t < s->hb.width; t++)
        if (row[t])
            h += signature_mix(t + 1, (uint64_t)row[t]);
    if (ev->kind == EV_CHOOSE || ev->kind == EV_COND_SIGNAL)
        h += signature_mix(~0ull, ev->value);
    return signature_mix(h, ev->kind);
}

void signature_observe(struct signature *s, const struct event *ev)
{
    hb_observe(&s->hb, ev);
    for (; s->counted < s->hb.count; s->counted++)
        s->sum[s->counted] = signature_now(s) + term(s, s->counted, ev);
}
