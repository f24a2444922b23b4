#include "explore/match/past.h"

#include "base/ensure.h"

int match_past_init(struct match_past *p, struct match_model *m, uint32_t room)
{
    size_t before = m->arena->used;
    *p = (struct match_past){.room = room};
    p->entries = arena_alloc(m->arena, room * sizeof *p->entries);
    p->places = arena_alloc(m->arena, room * sizeof *p->places);
    m->limit += m->arena->used - before; /* reserved at its largest size, which costs nothing */
    return p->entries && p->places ? 0 : -1;
}

void match_past_note(struct match_past *p, const struct match_marking *k, uint32_t event,
                     const struct match_local *from, const struct match_effect *e)
{
    p->partly |= p->count == p->room || p->place_count + (uint32_t)e->puts > p->room;
    if (p->partly)
        return;
    p->entries[p->count++] = (struct past_entry){.from = (struct match_local *)from, .event = event,
                                                 .puts = (uint16_t)e->puts, .created = e->created >= 0};
    for (int i = 0; i < e->puts; i++)
        p->places[p->place_count++] = k->place[e->put[i]->slot];
}

/* Choices are not looked at: up to the first one. The last step is not shared, so that there is one whose
 * number of events is known. */
void match_past_share(struct match_past *p, const struct trace *t, const struct match_step *plan,
                      uint32_t count)
{
    uint32_t at = 0, n = 0;
    match_past_forget(p);
    for (; !p->partly && n + 1 < t->step_count && !t->steps[n].branch; n++) {
        uint32_t next = at;
        while (next < count && plan[next].local)
            next++;
        if (next == count || plan[next].thread != t->steps[n].pick)
            break;
        at = next + 1;
    }
    if (!n || t->steps[n].branch)
        return;
    ensure(at <= count && n < t->step_count);
    p->steps = n;
    p->known = t->steps[n].event;
    p->planned = at;
}

void match_past_rewind(struct match_past *p, struct match_model *m)
{
    struct match_marking *k = &m->now;
    if (!p->known) {
        p->count = p->place_count = 0;
        p->partly = false;
        match_marking_reset(m, k);
        return;
    }
    while (p->count && p->entries[p->count - 1].event >= p->known) {
        const struct past_entry *e = &p->entries[--p->count];
        ensure(p->place_count >= e->puts && k->threads > e->created);
        for (int i = e->puts; i > 0; i--) {
            struct match_place *was = p->places[--p->place_count];
            k->place[was->slot] = was;
        }
        if (e->created)
            k->local[--k->threads] = NULL;
        k->local[e->from->thread] = e->from;
    }
}
