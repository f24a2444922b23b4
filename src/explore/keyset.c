#include "explore/keyset.h"

#include "base/ensure.h"

int keyset_init(struct keyset *s, struct arena *a, uint64_t bytes)
{
    *s = (struct keyset){.room = 4096, .limit = 4096, .arena = a};
    while (s->limit * 2 * sizeof *s->slots <= bytes / 2) /* old tables stay in the arena */
        s->limit *= 2;
    s->slots = arena_alloc(a, s->room * sizeof *s->slots);
    return s->slots ? 0 : -1;
}

/* Where the way of a key begins, which ends at it or at an empty slot. */
static uint64_t home(uint64_t key)
{
    return (key * 0x9e3779b97f4a7c15u) >> 20;
}

/* Where key is, or the empty slot where it belongs. */
static uint64_t *find(const struct keyset *s, uint64_t key)
{
    for (uint64_t i = home(key);; i++) {
        uint64_t *slot = &s->slots[i & (s->room - 1)];
        if (!*slot || *slot == key)
            return slot;
    }
}

static bool grow(struct keyset *s)
{
    ensure(s->count <= s->room);
    struct keyset larger = *s;
    if (s->room >= s->limit)
        return false;
    larger.room *= 2;
    larger.slots = arena_alloc(s->arena, larger.room * sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (uint64_t i = 0; i < s->room; i++)
        if (s->slots[i])
            *find(&larger, s->slots[i]) = s->slots[i];
    *s = larger;
    return true;
}

bool keyset_has(const struct keyset *s, uint64_t key)
{
    return *find(s, key | !key) != 0;
}

bool keyset_add(struct keyset *s, uint64_t key)
{
    ensure(s->count < s->room);
    key |= !key;
    uint64_t *slot = find(s, key);
    if (*slot)
        return false;
    if (s->count * 2 >= s->room) {
        if (!grow(s))
            return true;
        slot = find(s, key);
    }
    *slot = key;
    s->count++;
    return true;
}

void keyset_remove(struct keyset *s, uint64_t key)
{
    uint64_t *hole = find(s, key | !key), mask = s->room - 1;
    if (!*hole)
        return;
    *hole = 0;
    s->count--;
    for (uint64_t i = (uint64_t)(hole - s->slots) + 1; s->slots[i & mask]; i++) {
        uint64_t *slot = &s->slots[i & mask];
        uint64_t way = (i - home(*slot)) & mask, back = (i - (uint64_t)(hole - s->slots)) & mask;
        if (back > way) /* its way does not lead through the hole */
            continue;
        *hole = *slot;
        *slot = 0;
        hole = slot;
    }
}

void keyset_clear(struct keyset *s)
{
    for (uint64_t i = 0; i < s->room; i++)
        s->slots[i] = 0;
    s->count = 0;
}
