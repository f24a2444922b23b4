#include "base/htable.h"

#include "base/ensure.h"

void htable_init_in(struct htable *t, struct htable_entry *entries, uint32_t room)
{
    ensure(room && !(room & (room - 1)));
    *t = (struct htable){.entries = entries, .mask = room - 1, .run = 1};
}

int htable_init(struct htable *t, struct arena *a, uint32_t room)
{
    struct htable_entry *entries = arena_alloc(a, room * sizeof *entries);
    htable_init_in(t, entries, room);
    t->arena = a;
    return entries ? 0 : -1;
}

static struct htable_entry *next_free(const struct htable *t, uint64_t key)
{
    uint32_t i = htable_hash(key) & t->mask;
    while (htable_has(t, &t->entries[i]))
        i = (i + 1) & t->mask;
    return &t->entries[i];
}

struct htable_entry *htable_another(const struct htable *t, const struct htable_entry *e)
{
    uint64_t key = e->key;
    ensure(htable_has(t, e));
    do {
        e = &t->entries[((uint32_t)(e - t->entries) + 1) & t->mask];
    } while (htable_has(t, e) && e->key != key);
    return (struct htable_entry *)e;
}

static bool grow(struct htable *t)
{
    struct htable larger = *t;
    uint32_t room = 2 * (t->mask + 1);
    if (!t->arena || !room || !(larger.entries = arena_alloc(t->arena, room * sizeof *larger.entries)))
        return false;
    larger.mask = room - 1;
    for (uint32_t i = 0; i <= t->mask; i++)
        if (htable_has(t, &t->entries[i]))
            *next_free(&larger, t->entries[i].key) = t->entries[i];
    *t = larger;
    return true;
}

bool htable_put(struct htable *t, struct htable_entry *free, uint64_t key, uint32_t value)
{
    ensure(!htable_has(t, free));
    if (t->count * 2 > t->mask) {
        if (!grow(t))
            return false;
        free = next_free(t, key);
    }
    *free = (struct htable_entry){key, value, t->run};
    t->count++;
    return true;
}
