#include "explore/share/acts.h"

#include "base/ensure.h"

bool acts_same(const struct act *a, const struct act *b)
{
    return a->object == b->object && a->object2 == b->object2 && a->size == b->size &&
           a->thread == b->thread && a->role == b->role && a->role2 == b->role2 && a->kind == b->kind;
}

uint32_t acts_hash(const struct act *a)
{
    uint64_t rest = (uint64_t)a->size << 32 | (uint64_t)a->thread << 16 | (uint64_t)a->role << 8 | a->kind;
    uint64_t h = (a->object ^ a->object2 << 17) * 0x9e3779b97f4a7c15u ^ rest * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((h * 0x94d049bb133111ebu) >> 32);
}

/* Its slot, or the empty one where it belongs. */
static uint32_t *slot_of(struct acts *t, const struct act *a)
{
    ensure(t->used > t->count);
    uint32_t mask = t->used - 1, i = acts_hash(a) & mask;
    while (t->slots[i] && !acts_same(&t->items[t->slots[i] - 1], a))
        i = (i + 1) & mask;
    return &t->slots[i];
}

void acts_rebuild(struct acts *t)
{
    ensure(t->count <= t->used);
    for (uint32_t i = 0; i < t->used; i++)
        t->slots[i] = 0;
    for (uint32_t i = 0; i < t->count; i++)
        *slot_of(t, &t->items[i]) = i + 1;
}

static void more_slots(struct acts *t)
{
    ensure(t->count < ACTS_ROOM);
    t->used = t->used ? 2 * t->used : 256;
    acts_rebuild(t);
}

uint32_t acts_find(const struct acts *t, const struct act *a)
{
    return t->used ? *slot_of((struct acts *)t, a) - 1 : ACTS_NONE;
}

uint32_t acts_number(struct acts *t, const struct act *a)
{
    if (2 * t->count >= t->used)
        more_slots(t);
    uint32_t *slot = slot_of(t, a);
    if (!*slot) {
        t->items[t->count] = *a;
        *slot = ++t->count;
    }
    return *slot - 1;
}
