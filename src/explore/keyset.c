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

/* Where key is, or the empty slot where it belongs. */
static uint64_t *find(const struct keyset *s, uint64_t key)
{
    uint64_t i = (key * 0x9e3779b97f4a7c15u) >> 20;
    for (;; i++) {
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

void keyset_clear(struct keyset *s)
{
    for (uint64_t i = 0; i < s->room; i++)
        s->slots[i] = 0;
    s->count = 0;
}
