#include "explore/dpor/sleep.h"

#include "base/ensure.h"

int sleep_init(struct sleep *s, struct engine *e)
{
    s->room = e->trace->step_room * 64;
    s->of_step = arena_alloc(e->arena, e->trace->step_room * sizeof *s->of_step);
    s->acts = arena_alloc(e->arena, (size_t)s->room * sizeof *s->acts);
    return s->of_step && s->acts ? 0 : -1;
}

void sleep_enter(struct sleep *s, const struct happens *h, uint32_t step,
                 const struct act *expected)
{
    struct sleep_range *to = &s->of_step[step];
    *to = (struct sleep_range){0, 0};
    if (step == 0)
        return;
    const struct sleep_range from = s->of_step[step - 1];
    to->first = from.first + from.count;
    if (from.count == 0)
        return;
    if (to->first + from.count > s->room) { /* they wake: explored once more, not missed */
        s->loose = true;
        return;
    }
    uint32_t k = h->of_step[step - 1];
    const struct act *done = k == HB_NONE ? NULL : &h->entries[k].act;
    for (uint32_t i = 0; i < from.count; i++) {
        const struct act *a = &s->acts[from.first + i];
        if (done && (a->thread == done->thread || act_wakes(a, done)))
            continue;
        if (!expected || !act_wakes(a, expected))
            s->acts[to->first + to->count++] = *a;
        else if (done)
            s->loose = true; /* a choice within the step comes before what it performs */
    }
}

void sleep_place(struct sleep *s, uint32_t step)
{
    struct sleep_range *r = &s->of_step[step];
    *r = (struct sleep_range){0, 0};
    if (step)
        r->first = s->of_step[step - 1].first + s->of_step[step - 1].count;
}

void sleep_add(struct sleep *s, uint32_t step, const struct act *a)
{
    struct sleep_range *r = &s->of_step[step];
    if (r->first + r->count >= s->room) {
        s->loose = true;
        return;
    }
    s->acts[r->first + r->count++] = *a;
}

void sleep_threads(const struct sleep *s, uint32_t step, struct tset *out)
{
    uint32_t n;
    const struct act *a = sleep_at(s, step, &n);
    for (uint32_t i = 0; i < n; i++)
        tset_add(out, a[i].thread);
}

/* Does nothing that does not happen after the first event come between it and the second? All that touches
 * bytes of the second event conflicts with a write that covers them. */
static bool comes_next(const struct happens *h, const struct hb_race *race)
{
    const struct hb_entry *second = &h->entries[race->second];
    const struct act *write = &h->entries[race->first].act, *a = &second->act;
    if (second->previous != HB_NONE && second->previous > race->first)
        return false; /* it comes there later */
    return second->latest == race->first ||
           (write->role == ROLE_WRITE && a->object >= write->object &&
            a->object + a->size <= write->object + write->size);
}

bool sleep_reverses(const struct sleep *s, const struct happens *h, const struct hb_race *race)
{
    const struct hb_entry *second = &h->entries[race->second];
    const struct act *first = &h->entries[race->first].act, *a = &second->act;
    uint32_t n;
    const struct act *asleep = sleep_at(s, h->entries[race->first].step, &n);
    if (!n || (first->role | a->role) > ROLE_WRITE || first->object2 | a->object2 || !comes_next(h, race))
        return false;
    if (!(second->flags & HB_PENDING) && (a->kind == EV_CAS_FAIL ||
                                          h->trace->events[second->event].flags & EVENT_COMPARE))
        return false; /* it would be another one there */
    for (uint32_t i = 0; i < n; i++)
        if (asleep[i].thread == a->thread)
            return asleep[i].object == a->object && asleep[i].size == a->size &&
                   asleep[i].role == a->role && !asleep[i].object2;
    return false;
}
