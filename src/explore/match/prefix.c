/* Slots, conditions, tips of the prefix. */
#include "explore/match/prefix.h"

#include "base/ensure.h"

#include <string.h>

enum { FIRST_ENTRIES = 1 << 12 };

/* ---- memory
 * -------------------------------------------------------------------------------------- */

static void *reserve(struct prefix *p, uint64_t bytes)
{
    struct arena *a = p->model->arena;
    size_t before = a->used;
    void *array = arena_alloc(a, bytes);
    p->model->limit += a->used - before; /* at its largest size, which costs nothing */
    return array;
}

int prefix_init(struct prefix *p, struct match_walk *w, uint32_t depth)
{
    struct match_model *m = w->model;
    *p = (struct prefix){.model = m, .walk = w, .size = m->limit - m->arena->used};
    uint64_t events = p->size / sizeof(struct prefix_event) + 64;
    p->room = reserve(p, p->size);
    p->slots = reserve(p, PREFIX_SLOTS * sizeof *p->slots);
    p->object_slot = reserve(p, PREFIX_SLOTS * sizeof *p->object_slot);
    p->events = reserve(p, events * sizeof *p->events);
    p->first = reserve(p, (depth + 2ull) * sizeof *p->first);
    p->last = reserve(p, (depth + 2ull) * sizeof *p->last);
    p->pair_slots = reserve(p, PREFIX_SLOTS * sizeof *p->pair_slots);
    p->merged = reserve(p, PREFIX_SLOTS * sizeof *p->merged);
    p->order[0] = reserve(p, (depth + 2ull) * sizeof *p->order[0]);
    p->order[1] = reserve(p, (depth + 2ull) * sizeof *p->order[1]);
    if (!p->room || !p->slots || !p->object_slot || !p->events || !p->first || !p->last ||
        !p->pair_slots || !p->merged || !p->order[0] || !p->order[1] ||
        htable_init(&p->pairs, m->arena, FIRST_ENTRIES) ||
        htable_init(&p->known, m->arena, FIRST_ENTRIES) ||
        htable_init(&p->reached, m->arena, FIRST_ENTRIES))
        return -1;
    prefix_restart(p);
    return 0;
}

void prefix_restart(struct prefix *p)
{
    struct match_model *m = p->model;
    memset(p->room, 0, p->used);
    memset(p->slots, 0, (p->slot_count + 1) * sizeof *p->slots);
    memset(p->object_slot, 0, p->object_most * sizeof *p->object_slot);
    memset(p->first, 0, (p->most + 1) * sizeof *p->first);
    memset(p->last, 0, (p->most + 1) * sizeof *p->last);
    memset(p->thread_slot, 0, sizeof p->thread_slot);
    memset(p->ended, 0, sizeof p->ended);
    memset(p->joiners, 0, sizeof p->joiners);
    memset(p->creator, 0, sizeof p->creator);
    htable_clear(&p->pairs);
    htable_clear(&p->known);
    htable_clear(&p->reached);
    match_forget_moves(m);
    p->pair_count = 0;
    p->used = p->event_count = p->condition_count = p->added = p->cut = p->now = p->most = 0;
    p->asked = NULL;
    p->stuck = NULL;
    p->races = NULL;
    p->parked = NULL;
    p->shown_count = 0;
    p->slot_count = 1;
    p->begun = p->waits = p->complete = m->wrong = false;
}

void *prefix_need(struct prefix *p, size_t size)
{
    struct match_model *m = p->model;
    size = (size + 7) & ~(size_t)7;
    m->elsewhere = p->used + (p->event_count + 1) * sizeof *p->events;
    if (m->arena->used + m->elsewhere + size > m->limit || p->used + size > p->size) {
        m->full = true;
        return NULL;
    }
    void *memory = p->room + p->used;
    p->used += size;
    return memory;
}

/* ---- slots
 * --------------------------------------------------------------------------------------- */

static uint32_t new_slot(struct prefix *p, enum prefix_kind kind)
{
    if (p->slot_count == PREFIX_SLOTS) {
        p->model->full = true;
        return 0;
    }
    p->slots[p->slot_count].kind = kind;
    return p->slot_count++;
}

uint32_t prefix_thread_slot(struct prefix *p, unsigned thread)
{
    uint32_t *slot = &p->thread_slot[thread];
    if (!*slot) {
        *slot = new_slot(p, PREFIX_THREAD);
        p->slots[*slot].thread = (uint16_t)thread;
    }
    return *slot;
}

uint32_t prefix_object_slot(struct prefix *p, uint32_t object)
{
    uint32_t *slot = &p->object_slot[object];
    if (*slot)
        return *slot;
    *slot = new_slot(p, PREFIX_OBJECT);
    if (object >= p->object_most)
        p->object_most = object + 1;
    struct prefix_condition *root = prefix_put(p, *slot, NULL, NULL);
    p->slots[*slot].root.condition = p->merged[*slot].condition = root;
    p->slots[*slot].model = object;
    if (root)
        root->place = p->model->slots[object]->root;
    return *slot;
}

uint32_t prefix_pair_slot(struct prefix *p, uint32_t object, unsigned thread)
{
    uint64_t key = (uint64_t)object << 16 | thread;
    struct htable_entry *e = htable_find(&p->pairs, key);
    if (htable_has(&p->pairs, e))
        return e->value;
    uint32_t slot = new_slot(p, PREFIX_PAIR), *end = &p->slots[object].readers;
    if (!slot || !htable_put(&p->pairs, e, key, slot)) {
        p->model->full = true;
        return 0;
    }
    while (*end)
        end = &p->slots[*end].readers;
    *end = slot;
    p->pair_slots[p->pair_count++] = slot;
    p->slots[slot].object = object;
    p->slots[slot].thread = (uint16_t)thread;
    return slot;
}

/* ---- conditions
 * ---------------------------------------------------------------------------------- */

struct prefix_condition *prefix_put(struct prefix *p, uint32_t slot, struct prefix_condition *up,
                                    struct prefix_event *maker)
{
    ensure(!up || up->slot == slot);
    struct prefix_condition *c = slot ? prefix_need(p, sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->slot = slot;
    c->maker = maker;
    c->number = ++p->condition_count;
    c->up = up;
    c->depth = up ? up->depth + 1 : 1;
    c->jump = c;
    if (!up)
        return c;
    const struct prefix_condition *j = up->jump;
    c->jump = up->depth - j->depth == j->depth - j->jump->depth ? j->jump : up;
    c->beside = up->down;
    up->down = c;
    return c;
}

bool prefix_above(const struct prefix_condition *a, const struct prefix_condition *b)
{
    if (!a || a == b)
        return true;
    while (b && b->depth > a->depth)
        b = b->jump->depth >= a->depth ? b->jump : b->up;
    return a == b;
}

const struct prefix_condition *prefix_touched(const struct prefix_event *e, uint32_t slot)
{
    for (int i = 0; i < e->touches; i++)
        if (e->touched[i]->slot == slot)
            return e->touched[i];
    return NULL;
}

/* ---- what fits together
 * -------------------------------------------------------------------------- */

static bool join(struct prefix *p, const struct prefix_event *e)
{
    for (uint32_t s = 1; e && s < e->tip_count; s++) {
        if (p->slots[s].kind == PREFIX_PAIR)
            continue;
        struct prefix_condition *mine = p->merged[s].condition, *other = e->tips[s].condition;
        if (mine == other || prefix_above(other, mine))
            continue;
        if (!prefix_above(mine, other))
            return false;
        p->merged[s].condition = other;
    }
    return true;
}

/* Who has read what was taken since did so before that; of what is still there the last ones are
 * noted. */
static bool join_readers(struct prefix *p, const struct prefix_event *e)
{
    for (uint32_t i = 0; e && i < p->pair_count && p->pair_slots[i] < e->tip_count; i++) {
        uint32_t s = p->pair_slots[i];
        struct prefix_event *r = e->tips[s].reader, **mine = &p->merged[s].reader;
        if (!r || r == *mine)
            continue;
        const struct prefix_condition *now = p->merged[p->slots[s].object].condition;
        if (prefix_touched(r, p->slots[s].object) == now) {
            if (!*mine || r->from->depth > (*mine)->from->depth)
                *mine = r;
            continue;
        }
        uint32_t thread = p->thread_slot[r->thread];
        ensure(now->maker);
        if (!prefix_above(r->tips[thread].condition, prefix_tip(p, now->maker, thread).condition))
            return false;
    }
    return true;
}

bool prefix_fit(struct prefix *p, struct prefix_event *const *events, int count)
{
    const struct prefix_event *first = count ? events[0] : NULL;
    uint32_t known = first ? first->tip_count : 1;
    if (known > 1)
        memcpy(p->merged + 1, first->tips + 1, (known - 1) * sizeof *p->merged);
    for (uint32_t s = known; s < p->slot_count; s++)
        p->merged[s] = p->slots[s].root;
    for (int i = 1; i < count; i++)
        if (events[i] != first && !join(p, events[i]))
            return false;
    for (uint32_t i = 0; i < p->pair_count; i++)
        p->merged[p->pair_slots[i]].reader = NULL;
    for (int i = 0; i < count; i++)
        if (!join_readers(p, events[i]))
            return false;
    return true;
}

void prefix_see(struct prefix *p, const struct prefix_condition *thread,
                const struct prefix_condition *target, struct prefix_condition *const *touched,
                const union prefix_tip *tips, uint32_t tip_count)
{
    struct match_marking *k = &p->model->walk;
    const struct match_local *l = thread->local;
    k->local[l->thread] = thread->local;
    for (int i = 0; i < l->touches; i++)
        k->place[l->slots[i]] = touched[i]->place;
    if (target)
        k->local[l->op.object] = target->local;
    k->threads = 0;
    for (int t = 0; t < EVENT_MAX_THREADS && p->thread_slot[t]; t++)
        k->threads += p->thread_slot[t] < tip_count && tips[p->thread_slot[t]].condition;
}
