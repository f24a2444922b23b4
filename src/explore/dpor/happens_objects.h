/* Inside happens: the objects that events concern, with the chain of accesses to each. */
#ifndef EXPLORE_HAPPENS_OBJECTS_H
#define EXPLORE_HAPPENS_OBJECTS_H

#include "explore/dpor/happens.h"

struct hb_access {
    uint32_t slot, older;   /* chain of the slot, + 1 */
    uint32_t entry;
    uint32_t write_before;  /* slot's last_write before this access */
    uint32_t count;         /* mutex: depth of the owner; rwlock: readers; semaphore: posts so far */
    uint8_t mask, masks_before;
    uint8_t role;
};

struct hb_slot {
    uint64_t key;
    uint32_t last;       /* newest access + 1 */
    uint32_t last_write; /* newest access that conflicts with all + 1 */
    uint8_t masks;       /* the one mask of all accesses, or the union with MIXED set */
    uint8_t mixed;
    uint8_t awaited; /* there are AWAITs, which taking it is not dependent with; sticks */
};

#define HB_SYNC_KEY (1ull << 63)

uint32_t hb_new_slot(struct happens *h, uint64_t key);

/* The slot of a key: word + 1 for memory; other objects by their exact address, since two of them may
 * lie in one word. */
static inline uint32_t hb_find_slot(struct happens *h, uint64_t key)
{
    const struct htable_entry *e = htable_find(&h->slot_of, key);
    return __builtin_expect(htable_has(&h->slot_of, e), 1) ? e->value : hb_new_slot(h, key);
}

static inline uint32_t hb_object_slot(struct happens *h, uint64_t address)
{
    return hb_find_slot(h, address | HB_SYNC_KEY);
}

int hb_slots_init(struct happens *h);
/* More room. False: there is none, and the limit has been named. */
bool hb_more_races(struct happens *h);
bool hb_more_accesses(struct happens *h);

/* `first` and the entry under construction race. */
static inline void hb_add_race(struct happens *h, uint32_t first)
{
    if (__builtin_expect(h->race_count < h->race_room, 1) || hb_more_races(h))
        h->races[h->race_count++] = (struct hb_race){first, h->count, HB_NONE};
}

static inline void hb_push_access(struct happens *h, uint32_t slot, int role, uint8_t mask, uint32_t count)
{
    struct hb_slot *s = &h->slots[slot];
    if (__builtin_expect(h->access_count == h->access_room, 0) && !hb_more_accesses(h))
        return; /* events that cover many words */
    h->accesses[h->access_count++] = (struct hb_access){
        .slot = slot, .older = s->last, .entry = h->count, .write_before = s->last_write,
        .count = count, .mask = mask, .masks_before = s->masks, .role = (uint8_t)role};
    s->last = h->access_count;
    if (role_in(role_stops, role))
        s->last_write = h->access_count;
    if (s->masks && s->masks != mask)
        s->mixed = 1; /* sticks: only costs speed */
    s->masks |= mask;
}

/* Of the races since `from`, all of the entry under construction, those that others make no races. */
void hb_drop_covered_races(struct happens *h, uint32_t from);

/* The entry under construction (h->count, clock `row`) performs, or is about to perform, its act: finds
 * races, joins clocks, and records the access if performed. */
void hb_touch_memory(struct happens *h, const struct act *a, vtime *row, bool performed);
void hb_gives(struct happens *h, uint64_t object); /* the same for a local event: others take it later */
void hb_touch_sync(struct happens *h, struct act *a, const struct event *ev, vtime *row,
                   bool performed);
/* An object that was not accessed before: what concerned it nevertheless. */
void hb_look_at_wide(struct happens *h, const struct act *a, vtime *row);
/* The other object of what can be cancelled, or cancels. */
void hb_touch_second(struct happens *h, const struct act *a, vtime *row, bool performed);

/* Atomic sections (happens_section.c): the entry under construction, whose access is known, begins one; does
 * the event belong to the section of its step? Then it is part of that entry. */
void hb_begins_section(struct happens *h, struct hb_entry *e);
bool hb_goes_on_in_section(struct happens *h, const struct event *ev);

/* Takes back the newest access; afterwards hb_refind_wide if h->wide became 0. */
void hb_pop_access(struct happens *h);
void hb_refind_wide(struct happens *h);

static inline vtime *row_of(struct happens *h, uint32_t entry)
{
    return h->rows + (size_t)entry * h->width;
}

static inline void join(const struct happens *h, vtime *to, const vtime *from)
{
    vrow_join(to, from, h->width);
}

static inline bool knows(const vtime *row, const struct hb_entry *e)
{
    return row[e->act.thread] >= e->time;
}

#endif
