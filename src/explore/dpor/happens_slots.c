/* The slots of happens_objects.h: one for every object that was ever accessed, found through a hash
 * table, and the chains of accesses that begin there. Slot 0 is for all objects that there is no room for
 * any more. */
#include "explore/dpor/happens_objects.h"

#include "base/ensure.h"

#include <string.h>

enum { FIRST_SLOTS = 1024 };

int hb_slots_init(struct happens *h)
{
    h->slot_room = FIRST_SLOTS;
    h->slot_count = 1;
    h->slots = arena_alloc(h->arena, h->slot_room * sizeof *h->slots);
    return h->slots && !htable_init(&h->slot_of, h->arena, 2 * FIRST_SLOTS) ? 0 : -1;
}

/* Twice the room for an array; the old one stays where it is in the arena. False: there is none. */
static bool make_room(struct happens *h, void *array, uint32_t *room, size_t size)
{
    uint64_t bytes = 2ull * *room * size;
    void **at = array, *p = bytes > h->memory ? NULL : arena_alloc(h->arena, bytes);
    if (!p) {
        h->overflow = true;
        limit_reached(h->limits, LIMIT_MEMORY, h->memory >> 10);
        return false;
    }
    memcpy(p, *at, *room * size);
    *at = p;
    *room *= 2;
    return true;
}

bool hb_more_races(struct happens *h)
{
    ensure(h->race_count == h->race_room);
    return make_room(h, &h->races, &h->race_room, sizeof *h->races);
}

bool hb_more_accesses(struct happens *h)
{
    ensure(h->access_count == h->access_room);
    return make_room(h, &h->accesses, &h->access_room, sizeof *h->accesses);
}

uint32_t hb_new_slot(struct happens *h, uint64_t key)
{
    if ((h->slot_count == h->slot_room && !make_room(h, &h->slots, &h->slot_room, sizeof *h->slots)) ||
        !htable_put(&h->slot_of, htable_find(&h->slot_of, key), key, h->slot_count)) {
        h->overflow = true;
        limit_reached(h->limits, LIMIT_MEMORY, h->memory >> 10);
        return 0;
    }
    h->slots[h->slot_count] = (struct hb_slot){.key = key};
    return h->slot_count++;
}

void hb_pop_access(struct happens *h)
{
    ensure(h->access_count > 0);
    const struct hb_access *a = &h->accesses[--h->access_count];
    struct hb_slot *s = &h->slots[a->slot];
    s->last = a->older;
    s->last_write = a->write_before;
    s->masks = a->masks_before;
    if (h->wide == h->access_count + 1)
        h->wide = 0; /* set right by hb_begin */
}

uint32_t hb_count_before(const struct happens *h, uint32_t entry)
{
    ensure(entry < h->count);
    const struct hb_access *a = &h->accesses[h->entries[entry].accesses];
    return a->older ? h->accesses[a->older - 1].count : 0;
}

/* Several objects: races found for each may not be immediate, since an access to one can happen before an
 * access to another. */
void hb_drop_covered_races(struct happens *h, uint32_t from)
{
    ensure(from <= h->race_count);
    uint32_t kept = from;
    for (uint32_t i = from; i < h->race_count; i++) {
        bool covered = false;
        for (uint32_t k = from; k < h->race_count && !covered; k++)
            covered = h->races[k].first != h->races[i].first
                          ? hb_before(h, h->races[i].first, h->races[k].first)
                          : k < i;
        if (!covered)
            h->races[kept++] = h->races[i];
    }
    h->race_count = kept;
}
