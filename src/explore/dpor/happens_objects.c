/* The objects behind happens.h. Memory is keyed by the 8-byte word of an access, with a mask of the
 * bytes, so that different fields are independent and overlapping accesses of different sizes are
 * not; synchronization objects by their address. An access that covers several words has one record
 * in each. FREE of a block puts a record into every word that was accessed; a word accessed later for
 * the first time looks at the list of frees.
 *
 * A new access walks its object's chain backwards to the last access that conflicts with everything,
 * joining the clocks of those it depends on. Blocking operations keep two clocks: one with everything
 * before them, and one without the releases that only made room for them — an acquisition that is not
 * in the second races with them. */
#include "explore/dpor/happens_objects.h"

#include "base/ensure.h"

#include <string.h>

static inline uint32_t hash(uint64_t key)
{
    return (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32);
}

static void grow_slots(struct happens *h)
{
    struct hb_slot *old = h->slots;
    uint32_t n = h->slot_room, *moved;
    h->slot_room *= 2;
    h->slot_count = 0;
    h->slots = arena_alloc(h->arena, h->slot_room * sizeof *h->slots);
    moved = arena_alloc(h->arena, n * sizeof *moved);
    ensure(h->slots && moved);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].key) {
            moved[i] = hb_find_slot(h, old[i].key);
            h->slots[moved[i]] = old[i];
        }
    for (uint32_t i = 0; i < h->access_count; i++)
        h->accesses[i].slot = moved[h->accesses[i].slot];
}

uint32_t hb_find_slot(struct happens *h, uint64_t key)
{
    uint32_t mask = h->slot_room - 1, i = hash(key) & mask;
    while (h->slots[i].key != key) {
        if (!h->slots[i].key) {
            if (2 * h->slot_count >= h->slot_room) {
                grow_slots(h);
                return hb_find_slot(h, key);
            }
            h->slots[i].key = key;
            h->slot_count++;
            break;
        }
        i = (i + 1) & mask;
    }
    return i;
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

/* Twice the room for an array; the old one stays where it is in the arena. False: there is none. */
static __attribute__((noinline)) bool make_room(struct happens *h, void *array, uint32_t *room,
                                                size_t size)
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

static void add_race(struct happens *h, uint32_t first);
static __attribute__((noinline)) void add_race_with_room(struct happens *h, uint32_t first)
{
    if (make_room(h, &h->races, &h->race_room, sizeof *h->races))
        add_race(h, first);
}

static void add_race(struct happens *h, uint32_t first)
{
    if (__builtin_expect(h->race_count == h->race_room, 0)) {
        add_race_with_room(h, first);
        return;
    }
    h->races[h->race_count++] = (struct hb_race){first, h->count, HB_NONE};
}

static void push_access(struct happens *h, uint32_t slot, int role, uint8_t mask, uint32_t count);
static __attribute__((noinline)) void push_with_room(struct happens *h, uint32_t slot, int role,
                                                     uint8_t mask, uint32_t count)
{
    if (make_room(h, &h->accesses, &h->access_room, sizeof *h->accesses))
        push_access(h, slot, role, mask, count);
}

static void push_access(struct happens *h, uint32_t slot, int role, uint8_t mask, uint32_t count)
{
    struct hb_slot *s = &h->slots[slot];
    if (__builtin_expect(h->access_count == h->access_room, 0)) { /* events that cover many words */
        push_with_room(h, slot, role, mask, count);
        return;
    }
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

/* ---- memory ---------------------------------------------------------------------------------- */

/* Accesses with different masks in one word: back until every byte of ours was written. */
static void walk_mixed(struct happens *h, const struct hb_slot *s, bool writes, uint8_t mask,
                       hb_time *row)
{
    for (uint32_t i = s->last; i && mask; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        if (!(a->mask & mask) || (!writes && a->role == ROLE_READ))
            continue;
        const struct hb_entry *e = &h->entries[a->entry];
        if (!knows(row, e)) {
            add_race(h, a->entry);
            join(h, row, hb_row(h, a->entry));
        }
        if (a->role == ROLE_WRITE)
            mask &= (uint8_t)~a->mask;
    }
}

/* All accesses to the word have the same mask: the last write, and for a write the reads after it. */
static inline void walk_word(struct happens *h, const struct hb_slot *s, bool writes, hb_time *row)
{
    uint32_t i = writes ? s->last : s->last_write;
    for (; i; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        const struct hb_entry *e = &h->entries[a->entry];
        if (!knows(row, e)) {
            add_race(h, a->entry);
            join(h, row, hb_row(h, a->entry));
        }
        if (a->role == ROLE_WRITE)
            break;
    }
}

/* A word or object seen for the first time: had its block been freed, had it been polled? */
static void look_at_wide(struct happens *h, const struct act *a, hb_time *row)
{
    ensure(h->wide <= h->access_count);
    uint32_t seen = HB_NONE;
    for (uint32_t i = h->wide; i > 0; i--) {
        uint32_t entry = h->accesses[i - 1].entry;
        const struct act *wide = &h->entries[entry].act;
        if (entry == seen || !is_wide(wide))
            continue;
        seen = entry;
        if (!knows(row, &h->entries[entry]) && act_dependent(wide, a)) {
            add_race(h, entry);
            join(h, row, hb_row(h, entry));
        }
    }
}

static void touch_word(struct happens *h, uint64_t word, uint8_t mask, int role, hb_time *row,
                       bool performed)
{
    bool writes = role == ROLE_WRITE;
    uint32_t slot = hb_find_slot(h, word + 1);
    struct hb_slot *s = &h->slots[slot];
    if (!s->last) {
        if (__builtin_expect(h->wide != 0, 0))
            look_at_wide(h, &h->entries[h->count].act, row);
    } else if (__builtin_expect(!s->mixed && s->masks == mask, 1)) {
        walk_word(h, s, writes, row);
    } else {
        walk_mixed(h, s, writes, mask, row);
    }
    if (performed)
        push_access(h, slot, role, mask, 0);
}

/* Several words: races found per word may not be immediate, since an access to one word can happen
 * before an access to another. */
static void drop_covered_races(struct happens *h, uint32_t from)
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

/* A big block: only the words somebody accessed. */
static void touch_known_words(struct happens *h, const struct act *a, hb_time *row, bool performed)
{
    uint64_t first = a->object >> 3, last = (a->object + a->size - 1) >> 3;
    for (uint32_t i = 0; i < h->slot_room; i++) {
        uint64_t word = h->slots[i].key - 1;
        if (h->slots[i].key && !(h->slots[i].key & HB_SYNC_KEY) && word >= first && word <= last &&
            h->slots[i].last)
            touch_word(h, word, 0xff, a->role, row, performed);
    }
}

static __attribute__((noinline)) void touch_words(struct happens *h, const struct act *a,
                                                  hb_time *row, bool performed)
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
            push_access(h, hb_find_slot(h, (a->object >> 3) + 1), a->role, 0xff, 0);
        h->wide = h->access_count;
    }
    drop_covered_races(h, races);
}

void hb_touch_memory(struct happens *h, const struct act *a, hb_time *row, bool performed)
{
    uint32_t offset = a->object & 7;
    if (__builtin_expect(offset + a->size <= 8 && !operation_is(a->kind, OP_EVERYWHERE), 1))
        touch_word(h, a->object >> 3, (uint8_t)(((1u << a->size) - 1) << offset), a->role, row,
                   performed);
    else
        touch_words(h, a, row, performed);
}

/* ---- synchronization objects ------------------------------------------------------------------ */

/* Was the object not available to the operation when the access came? */
static bool unavailable(const struct happens *h, const struct act *by, const struct hb_access *a)
{
    const struct operation *o = operation_of(by->kind);
    return o->closed && o->closed(by->kind, a->role, &h->trace->events[h->entries[a->entry].event],
                                  a->count);
}

/* The send of the only message that a receive could get: it cannot be moved before that, but before
 * those whose messages had to come later. */
static uint32_t only_message(const struct act *a, const struct event *ev)
{
    return operation_is(a->kind, OP_ONE_SOURCE) && ev->other <= 1 ? ev->match : 0;
}

/* Was another reader inside when this one came in? */
static bool beside_reader(const struct hb_access *a)
{
    return a->role == ROLE_READER_IN && a->count > 1;
}

/* Does one of those stay inside, whatever else happens without this one, the access a? Then a writer
 * that waits cannot come just before a. `last` is the last access to the lock. */
static bool reader_stays(const struct happens *h, uint32_t last, const struct hb_access *a)
{
    ensure(beside_reader(a));
    uint8_t left[EVENT_MAX_THREADS] = {0};
    int inside = (int)a->count - 1;
    for (uint32_t i = last; &h->accesses[i - 1] != a; i = h->accesses[i - 1].older) {
        const struct hb_access *b = &h->accesses[i - 1];
        uint32_t thread = h->entries[b->entry].act.thread;
        if (knows(hb_row(h, b->entry), &h->entries[a->entry]))
            continue;
        if (b->role == ROLE_READER_OUT) {
            left[thread]++;
            inside--;
        } else if (b->role == ROLE_READER_IN && left[thread]) {
            left[thread]--; /* it had come in later */
            inside++;
        }
    }
    return inside > 0;
}

/* Back along the chain of one object: `row` collects everything dependent, `free_row` only what the
 * operation cannot be moved before without being disabled. */
static void walk_sync(struct happens *h, const struct act *by, uint32_t last, int role, uint64_t racy,
                      uint32_t only, hb_time *row, hb_time *free_row)
{
    uint64_t conflicts = role_conflicts[role];
    bool walks_on = operation_is(by->kind, OP_PAST_TAKERS);
    for (uint32_t i = last; i; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        const struct hb_entry *e = &h->entries[a->entry];
        if (!role_in(conflicts, a->role))
            continue;
        if (only && only == e->event + 1) {
            join(h, row, hb_row(h, a->entry));
            join(h, free_row, hb_row(h, a->entry));
            continue;
        }
        bool waits = racy != ~0ull && !by->object2, beside = waits && beside_reader(a);
        bool closed = waits && (unavailable(h, by, a) || (beside && reader_stays(h, last, a)));
        if (role_in(racy, a->role) && !closed && !knows(free_row, e)) {
            add_race(h, a->entry);
            if (!beside) /* or the race with the first of the readers would be hidden */
                join(h, free_row, hb_row(h, a->entry));
        }
        if (!knows(row, e))
            join(h, row, hb_row(h, a->entry));
        if (role_in(role_stops, a->role) && !walks_on && !closed &&
            !h->slots[a->slot].awaited)
            break;
    }
}

static uint32_t count_after(const struct happens *h, const struct hb_slot *s, const struct act *a,
                            int role)
{
    return object_count_after(a->kind, role, s->last ? h->accesses[s->last - 1].count : 0);
}

/* A wait for which the initial tokens suffice is independent of posts. */
static void refine_semaphore(const struct happens *h, struct act *a, const struct hb_slot *s,
                             const struct event *ev)
{
    uint64_t posts = s->last ? h->accesses[s->last - 1].count : 0;
    a->role = (uint8_t)object_refined_role(a->role, ev, posts);
}

/* The signal that woke the waiter: its row precedes the wake-up, and unless the wait was timed it
 * cannot be overtaken. False if it was neither signalled nor timed out. */
static bool follow_signal(struct happens *h, const struct act *a, const struct event *ev,
                          hb_time *row, hb_time *free_row)
{
    const struct hb_slot *s = &h->slots[hb_object_slot(h, ev->other)];
    const uint64_t handed_on = ROLE_SET(SIGNAL) | ROLE_SET(LOST); /* by a waiter who was cancelled */
    uint32_t by = 0;
    bool timed = false, timed_out = false;
    for (uint32_t i = s->last; i; i = h->accesses[i - 1].older) {
        const struct hb_entry *e = &h->entries[h->accesses[i - 1].entry];
        if (e->act.thread == a->thread && !role_in(handed_on, e->act.role)) {
            timed_out = e->act.role == ROLE_TIMEOUT; /* it is that, or its wait */
            timed = !timed_out && e->flags & HB_TIMED;
            break;
        }
        const struct event *signal = &h->trace->events[e->event];
        if (e->act.role == ROLE_SIGNAL && object_wakes(signal, a->thread))
            by = i;
    }
    if (!by || timed_out)
        return timed_out;
    uint32_t entry = h->accesses[by - 1].entry;
    if (timed && !knows(free_row, &h->entries[entry]))
        add_race(h, entry);
    join(h, row, hb_row(h, entry));
    join(h, free_row, hb_row(h, entry));
    return true;
}

/* ---- waiting loops and cancellation ------------------------------------------------------------- */

static uint64_t address_of(const struct hb_slot *s)
{
    return s->key & HB_SYNC_KEY ? s->key & ~HB_SYNC_KEY : (s->key - 1) << 3;
}

static void walk_awaited(struct happens *h, const struct hb_slot *s, hb_time *row)
{
    for (uint32_t i = s->last; i; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        if (!role_in(role_conflicts[ROLE_AWAIT], a->role))
            continue;
        if (!knows(row, &h->entries[a->entry])) {
            add_race(h, a->entry);
            join(h, row, hb_row(h, a->entry));
        }
        if (a->role == ROLE_WRITE && !s->mixed)
            break;
    }
}

/* Everything that changes one of the objects. */
static void touch_awaited(struct happens *h, const struct act *a, hb_time *row, bool performed)
{
    uint32_t races = h->race_count;
    for (uint32_t i = 0; i < h->slot_room; i++) {
        struct hb_slot *s = &h->slots[i];
        if (!s->key || !s->last || !(a->object2 & event_object_bit(address_of(s))))
            continue;
        walk_awaited(h, s, row);
        s->awaited = 1;
        if (performed)
            push_access(h, i, ROLE_AWAIT, s->key & HB_SYNC_KEY ? 1 : 0xff,
                        h->accesses[s->last - 1].count);
    }
    if (performed)
        h->wide = h->access_count;
    drop_covered_races(h, races);
}

static void touch_one(struct happens *h, const struct act *a, uint64_t object, int role, hb_time *row,
                      bool performed)
{
    uint32_t slot = hb_object_slot(h, object);
    walk_sync(h, a, h->slots[slot].last, role, ~0ull, 0, row, row);
    if (performed)
        push_access(h, slot, role, 1, 0);
}

void hb_gives(struct happens *h, uint64_t object)
{
    push_access(h, hb_object_slot(h, object), ROLE_RELEASE, 1, 0);
}

void hb_touch_second(struct happens *h, const struct act *a, hb_time *row, bool performed)
{
    uint32_t races = h->race_count;
    touch_one(h, a, a->object2, a->role2, row, performed);
    while (races && h->races[races - 1].second == h->count)
        races--; /* those of its first object too */
    drop_covered_races(h, races);
}

static void touch_rare(struct happens *h, const struct act *a, const struct event *ev, hb_time *row,
                       bool performed)
{
    uint32_t races = h->race_count;
    if (a->role == ROLE_AWAIT) {
        touch_awaited(h, a, row, performed);
        return;
    }
    if (operation_is(a->kind, OP_WOKEN))
        follow_signal(h, a, ev, row, row);
    touch_one(h, a, a->object, a->role, row, performed);
    if (a->object2)
        touch_one(h, a, a->object2, a->role2, row, performed);
    drop_covered_races(h, races);
}

void hb_touch_sync(struct happens *h, struct act *a, const struct event *ev, hb_time *row,
                   bool performed)
{
    hb_time free_row[EVENT_MAX_THREADS] __attribute__((aligned(16)));
    uint32_t races = h->race_count;
    if (__builtin_expect(a->role >= ROLE_AWAIT, 0)) {
        touch_rare(h, a, ev, row, performed);
        return;
    }
    copy_row(h, free_row, row);
    bool woken = operation_is(a->kind, OP_WOKEN);
    if (woken && !follow_signal(h, a, ev, row, free_row))
        return;
    uint32_t slot = hb_object_slot(h, a->object);
    struct hb_slot *s = &h->slots[slot];
    if (__builtin_expect(!s->last && h->wide, 0)) {
        look_at_wide(h, a, row);
        join(h, free_row, row);
    }
    if (performed)
        refine_semaphore(h, a, s, ev);
    walk_sync(h, a, s->last, a->role, object_overtakes(ev, a->object2), only_message(a, ev), row,
              free_row);
    if (performed)
        push_access(h, slot, a->role, 1, count_after(h, s, a, a->role));
    if (a->object2 && a->role2 < ROLE_AWAIT) {
        slot = hb_object_slot(h, a->object2);
        s = &h->slots[slot];
        walk_sync(h, a, s->last, a->role2, ~0ull, 0, row, free_row);
        if (performed)
            push_access(h, slot, a->role2, 1, count_after(h, s, a, a->role2));
    } else if (a->object2) {
        hb_touch_second(h, a, row, performed);
    }
    if (h->race_count - races > 1 && (a->object2 || woken))
        drop_covered_races(h, races);
}

uint32_t hb_count_before(const struct happens *h, uint32_t entry)
{
    ensure(entry < h->count);
    const struct hb_access *a = &h->accesses[h->entries[entry].accesses];
    return a->older ? h->accesses[a->older - 1].count : 0;
}
