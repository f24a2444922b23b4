/* Memory behind happens.h: keyed by the 8-byte word of an access, with a mask of the bytes, so that different
 * fields are independent and overlapping accesses of different sizes are not. An access that covers several
 * words has one record in each. FREE of a block puts a record into every word that was accessed; a word
 * accessed later for the first time looks at the list of frees. */
#include "explore/dpor/happens_objects.h"

#include "base/ensure.h"

#define FEW_BYTES 256 /* beyond, only the words that somebody accessed are looked at */

/* Does it concern words that nobody may have accessed yet? */
static bool is_wide(const struct act *a)
{
    return operation_is(a->kind, OP_EVERYWHERE) || a->role == ROLE_AWAIT ||
           (a->role <= ROLE_WRITE && a->size > FEW_BYTES);
}

void hb_refind_wide(struct happens *h)
{
    ensure(!h->wide);
    for (uint32_t i = h->access_count; i > 0 && !h->wide; i--)
        if (is_wide(&h->entries[h->accesses[i - 1].entry].act))
            h->wide = i;
}

/* The access races with an earlier one, and happens after it. */
static inline void meet(struct happens *h, uint32_t entry, vtime *row)
{
    struct hb_entry *e = &h->entries[h->count];
    hb_add_race(h, entry);
    join(h, row, hb_row(h, entry));
    e->latest = entry > e->latest ? entry : e->latest;
}

/* Accesses with different masks in one word: back until every byte of ours was written. An AWAIT is
 * in the chain too, as one of all its bytes: a read is not dependent with it, nor with reads. */
static void walk_mixed(struct happens *h, const struct hb_slot *s, bool writes, uint8_t mask,
                       vtime *row)
{
    for (uint32_t i = s->last; i && mask; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        if (!(a->mask & mask) || (!writes && a->role != ROLE_WRITE))
            continue;
        const struct hb_entry *e = &h->entries[a->entry];
        if (!knows(row, e))
            meet(h, a->entry, row);
        if (a->role == ROLE_WRITE)
            mask &= (uint8_t)~a->mask;
    }
}

/* All accesses to the word have the same mask: the last write, and for a write the reads after it. */
static inline void walk_word(struct happens *h, const struct hb_slot *s, bool writes, vtime *row)
{
    uint32_t i = writes ? s->last : s->last_write;
    for (; i; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        const struct hb_entry *e = &h->entries[a->entry];
        if (!knows(row, e))
            meet(h, a->entry, row);
        if (a->role == ROLE_WRITE)
            break;
    }
}

/* A word or object seen for the first time: had its block been freed, had it been polled? */
void hb_look_at_wide(struct happens *h, const struct act *a, vtime *row)
{
    ensure(h->wide <= h->access_count);
    uint32_t seen = HB_NONE;
    for (uint32_t i = h->wide; i > 0; i--) {
        uint32_t entry = h->accesses[i - 1].entry;
        const struct act *wide = &h->entries[entry].act;
        if (entry == seen || !is_wide(wide))
            continue;
        seen = entry;
        if (!knows(row, &h->entries[entry]) && act_dependent(wide, a))
            meet(h, entry, row);
    }
}

static void touch_word(struct happens *h, uint64_t word, uint8_t mask, int role, vtime *row,
                       bool performed)
{
    bool writes = role == ROLE_WRITE;
    uint32_t slot = hb_find_slot(h, word + 1);
    struct hb_slot *s = &h->slots[slot];
    if (!s->last) {
        if (__builtin_expect(h->wide != 0, 0))
            hb_look_at_wide(h, &h->entries[h->count].act, row);
    } else if (__builtin_expect(!s->mixed && s->masks == mask, 1)) {
        walk_word(h, s, writes, row);
    } else {
        walk_mixed(h, s, writes, mask, row);
    }
    if (performed)
        hb_push_access(h, slot, role, mask, 0);
}

/* A big block: only the words somebody accessed. */
static void touch_known_words(struct happens *h, const struct act *a, vtime *row, bool performed)
{
    uint64_t first = a->object >> 3, last = (a->object + a->size - 1) >> 3;
    for (uint32_t i = 1; i < h->slot_count; i++) {
        uint64_t word = h->slots[i].key - 1;
        if (!(h->slots[i].key & HB_SYNC_KEY) && word >= first && word <= last &&
            h->slots[i].last)
            touch_word(h, word, 0xff, a->role, row, performed);
    }
}

static __attribute__((noinline)) void touch_words(struct happens *h, const struct act *a,
                                                  vtime *row, bool performed)
{
    uint32_t races = h->race_count;
    uint64_t end = a->object + a->size;
    if (a->size > FEW_BYTES) {
        touch_known_words(h, a, row, performed);
    } else {
        for (uint64_t at = a->object; at < end; at = (at | 7) + 1) {
            uint64_t stop = (at | 7) + 1 < end ? (at | 7) + 1 : end;
            uint8_t mask = (uint8_t)(((1u << (stop - at)) - 1) << (at & 7));
            touch_word(h, at >> 3, mask, a->role, row, performed);
        }
    }
    if (performed && is_wide(a)) {
        if (h->access_count == h->entries[h->count].accesses)
            hb_push_access(h, hb_find_slot(h, (a->object >> 3) + 1), a->role, 0xff, 0);
        h->wide = h->access_count;
    }
    hb_drop_covered_races(h, races);
}

void hb_touch_memory(struct happens *h, const struct act *a, vtime *row, bool performed)
{
    uint32_t offset = a->object & 7;
    if (__builtin_expect(offset + a->size <= 8 && !operation_is(a->kind, OP_EVERYWHERE), 1))
        touch_word(h, a->object >> 3, (uint8_t)(((1u << a->size) - 1) << offset), a->role, row,
                   performed);
    else
        touch_words(h, a, row, performed);
}
