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
    uint64_t key;        /* 0 = empty */
    uint32_t last;       /* newest access + 1 */
    uint32_t last_write; /* newest access that conflicts with all + 1 */
    uint8_t masks;       /* the one mask of all accesses, or the union with MIXED set */
    uint8_t mixed;
    uint8_t awaited; /* there are AWAITs, which taking it is not dependent with; sticks */
};

#define HB_SYNC_KEY (1ull << 63)

/* The slot of a key: word + 1 for memory; other objects by their exact address, since two of them may
 * lie in one word. */
uint32_t hb_find_slot(struct happens *h, uint64_t key);

static inline uint32_t hb_object_slot(struct happens *h, uint64_t address)
{
    return hb_find_slot(h, address | HB_SYNC_KEY);
}

/* The entry under construction (h->count, clock `row`) performs, or is about to perform, its act: finds
 * races, joins clocks, and records the access if performed. */
void hb_touch_memory(struct happens *h, const struct act *a, hb_time *row, bool performed);
void hb_gives(struct happens *h, uint64_t object); /* the same for a local event: others take it later */
void hb_touch_sync(struct happens *h, struct act *a, const struct event *ev, hb_time *row,
                   bool performed);
/* The other object of what can be cancelled, or cancels. */
void hb_touch_second(struct happens *h, const struct act *a, hb_time *row, bool performed);

/* Takes back the newest access; afterwards hb_refind_wide if h->wide became 0. */
void hb_pop_access(struct happens *h);
void hb_refind_wide(struct happens *h);

static inline hb_time *row_of(struct happens *h, uint32_t entry)
{
    return h->rows + (size_t)entry * h->width;
}

/* Rows are short: a call of memcpy would cost more than the copying. */
typedef hb_time hb_block __attribute__((vector_size(16), aligned(2), may_alias));

static inline void copy_row(const struct happens *h, hb_time *to, const hb_time *from)
{
    for (uint32_t i = 0; i < h->width; i += 8)
        *(hb_block *)&to[i] = *(const hb_block *)&from[i];
}

static inline void clear_row(const struct happens *h, hb_time *to)
{
    for (uint32_t i = 0; i < h->width; i += 8)
        *(hb_block *)&to[i] = (hb_block){0};
}

static inline void join(const struct happens *h, hb_time *to, const hb_time *from)
{
    for (uint32_t i = 0; i < h->width; i += 8) {
        hb_block x = *(const hb_block *)&to[i], y = *(const hb_block *)&from[i];
        *(hb_block *)&to[i] = (x & (x > y)) | (y & ~(x > y));
    }
}

static inline bool knows(const hb_time *row, const struct hb_entry *e)
{
    return row[e->act.thread] >= e->time;
}

#endif
