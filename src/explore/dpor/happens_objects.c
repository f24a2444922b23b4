/* Synchronization objects behind happens.h, by their exact address.
 *
 * A new access walks its object's chain backwards to the last access that conflicts with everything,
 * joining the clocks of those it depends on. Blocking operations keep two clocks: one with everything
 * before them, and one without the releases that only made room for them — an acquisition that is not
 * in the second races with them. */
#include "explore/dpor/happens_objects.h"

#include "base/ensure.h"

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
                      uint32_t only, vtime *row, vtime *free_row)
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
            hb_add_race(h, a->entry);
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
                          vtime *row, vtime *free_row)
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
        hb_add_race(h, entry);
    join(h, row, hb_row(h, entry));
    join(h, free_row, hb_row(h, entry));
    return true;
}

/* The place in a port that a later taker got: it could not come before that was given back, nor is that why
 * it comes after whoever had it before. */
static void follow_place(struct happens *h, const struct hb_slot *s, const struct event *ev, vtime *row)
{
    for (uint32_t i = s->last; i; i = h->accesses[i - 1].older) {
        const struct hb_entry *e = &h->entries[h->accesses[i - 1].entry];
        if (e->act.role == ROLE_PLACE_FREE && h->trace->events[e->event].value + ev->size == ev->value)
            join(h, row, hb_row(h, h->accesses[i - 1].entry));
    }
}

/* ---- waiting loops and cancellation ------------------------------------------------------------- */

static uint64_t address_of(const struct hb_slot *s)
{
    return s->key & HB_SYNC_KEY ? s->key & ~HB_SYNC_KEY : (s->key - 1) << 3;
}

static void walk_awaited(struct happens *h, const struct hb_slot *s, vtime *row)
{
    for (uint32_t i = s->last; i; i = h->accesses[i - 1].older) {
        const struct hb_access *a = &h->accesses[i - 1];
        if (!role_in(role_conflicts[ROLE_AWAIT], a->role))
            continue;
        if (!knows(row, &h->entries[a->entry])) {
            hb_add_race(h, a->entry);
            join(h, row, hb_row(h, a->entry));
        }
        if (a->role == ROLE_WRITE && !s->mixed)
            break;
    }
}

/* Everything that changes one of the objects. */
static void touch_awaited(struct happens *h, const struct act *a, vtime *row, bool performed)
{
    uint32_t races = h->race_count;
    for (uint32_t i = 1; i < h->slot_count; i++) {
        struct hb_slot *s = &h->slots[i];
        if (!s->last || !(a->object2 & event_object_bit(address_of(s))))
            continue;
        walk_awaited(h, s, row);
        s->awaited = 1;
        if (performed)
            hb_push_access(h, i, ROLE_AWAIT, s->key & HB_SYNC_KEY ? 1 : 0xff,
                        h->accesses[s->last - 1].count);
    }
    if (performed)
        h->wide = h->access_count;
    hb_drop_covered_races(h, races);
}

static void touch_one(struct happens *h, const struct act *a, uint64_t object, int role, vtime *row,
                      bool performed)
{
    uint32_t slot = hb_object_slot(h, object);
    walk_sync(h, a, h->slots[slot].last, role, ~0ull, 0, row, row);
    if (performed)
        hb_push_access(h, slot, role, 1, 0);
}

void hb_gives(struct happens *h, uint64_t object)
{
    hb_push_access(h, hb_object_slot(h, object), ROLE_RELEASE, 1, 0);
}

void hb_touch_second(struct happens *h, const struct act *a, vtime *row, bool performed)
{
    uint32_t races = h->race_count;
    touch_one(h, a, a->object2, a->role2, row, performed);
    while (races && h->races[races - 1].second == h->count)
        races--; /* those of its first object too */
    hb_drop_covered_races(h, races);
}

/* Is the entry under construction a wait that can be ended? What it races with is another matter then
 * (reversal_wait.c), not what was found since `races`. */
static bool note_ending(struct happens *h, const struct act *a, uint32_t races)
{
    if (!operation_of(a->kind)->next || (a->role2 != ROLE_CANCEL_SEEN && a->role != ROLE_CANCEL_SEEN))
        return false;
    h->entries[h->count].flags |= HB_ENDABLE;
    h->race_count = races;
    return true;
}

static void touch_rare(struct happens *h, const struct act *a, const struct event *ev, vtime *row,
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
    if (!note_ending(h, a, races))
        hb_drop_covered_races(h, races);
}

void hb_touch_sync(struct happens *h, struct act *a, const struct event *ev, vtime *row,
                   bool performed)
{
    vtime free_row[EVENT_MAX_THREADS] __attribute__((aligned(16)));
    uint32_t races = h->race_count;
    if (__builtin_expect(a->role >= ROLE_AWAIT, 0)) {
        touch_rare(h, a, ev, row, performed);
        return;
    }
    vrow_copy(free_row, row, h->width);
    bool woken = operation_is(a->kind, OP_WOKEN);
    if (woken && !follow_signal(h, a, ev, row, free_row))
        return;
    uint32_t slot = hb_object_slot(h, a->object);
    struct hb_slot *s = &h->slots[slot];
    if (__builtin_expect(!s->last && h->wide, 0)) {
        hb_look_at_wide(h, a, row);
        join(h, free_row, row);
    }
    if (performed)
        refine_semaphore(h, a, s, ev);
    walk_sync(h, a, s->last, a->role, object_overtakes(ev, a->object2), only_message(a, ev), row,
              free_row);
    h->counted |= hb_is_counted(a->role);
    if (__builtin_expect(h->counted, 0) && performed && a->role == ROLE_PLACE_LATER)
        follow_place(h, s, ev, row);
    if (performed)
        hb_push_access(h, slot, a->role, 1, count_after(h, s, a, a->role));
    if (a->object2 && a->role2 < ROLE_AWAIT) {
        slot = hb_object_slot(h, a->object2);
        s = &h->slots[slot];
        walk_sync(h, a, s->last, a->role2, ~0ull, 0, row, free_row);
        if (performed)
            hb_push_access(h, slot, a->role2, 1, count_after(h, s, a, a->role2));
    } else if (a->object2) {
        hb_touch_second(h, a, row, performed);
        if (note_ending(h, a, races))
            return;
    }
    if (h->race_count - races > 1 && (a->object2 || woken))
        hb_drop_covered_races(h, races);
}
