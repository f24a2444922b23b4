/* An atomic section is one entry: each of its accesses adds to the entry's clock, races and act. Nobody else
 * does anything meanwhile, so nobody has seen the clock before it is complete. What the races of single
 * accesses are to the section is known only from all of them: a later access can be after an event that the
 * race of an earlier one is before (hb_drop_covered_races). */
#include "explore/dpor/happens_objects.h"

#include "base/ensure.h"
#include "object/section.h"

/* Can what follows depend on what was there? The order of sections also tells of accesses that are no
 * events. */
static bool reads(unsigned kind)
{
    return event_class(kind) != CLASS_WRITE || kind == EV_SECTION;
}

static const struct section *longer(struct happens *h, const struct section *s, const struct act *a)
{
    const struct section *there = section_with(s, a->object, a->size, a->role, reads(a->kind));
    if (there)
        return there;
    struct section *new = arena_alloc(h->arena, sizeof *new), *of = (struct section *)s;
    if (!new) {
        h->overflow = true;
        limit_reached(h->limits, LIMIT_MEMORY, h->memory >> 10);
        return s;
    }
    *new = (struct section){.before = s, .next = of ? of->longer : NULL, .object = a->object,
                            .size = a->size, .role = a->role, .reads = reads(a->kind)};
    if (of)
        of->longer = new;
    return new;
}

void hb_begins_section(struct happens *h, struct hb_entry *e)
{
    if (!h->sections)
        h->sections = (struct section *)longer(h, NULL, &e->act);
    e->act = section_act(h->sections, e->act.thread);
}

bool hb_goes_on_in_section(struct happens *h, const struct event *ev)
{
    const struct trace *t = h->trace;
    uint32_t step = t->step_count - 1, entry = h->of_step[step], races = h->race_count;
    if (t->steps[step].branch || entry == HB_NONE || h->entries[entry].act.role != ROLE_SECTION)
        return false;
    ensure(entry + 1 == h->count && h->entries[entry].act.thread == ev->thread);
    struct hb_entry *e = &h->entries[entry];
    const struct section *s = section_of(&e->act);
    e->act = act_of(ev);
    ensure(e->act.role <= ROLE_WRITE && !e->act.object2);
    if (h->all_conflict)
        e->act.role = ROLE_WRITE;
    h->count--; /* it is under construction again */
    while (races && h->races[races - 1].second == entry)
        races--;
    hb_touch_memory(h, &e->act, row_of(h, entry), true);
    hb_drop_covered_races(h, races);
    e->act = section_act(longer(h, s, &e->act), e->act.thread);
    h->count++;
    return true;
}
