/* See happens.h: entries, their clocks, and taking them back. Cost: a row is copied and joined with the
 * rows of the accesses it depends on (8 threads: one 16-byte vector each); an undo is a few stores per
 * access. What an event does to its object is in happens_objects.c. */
#include "explore/dpor/happens_objects.h"

#include "base/ensure.h"
#include "object/section.h"

#include <string.h>

int hb_init(struct happens *h, struct engine *e)
{
    ensure(e->trace && e->arena);
    h->trace = e->trace;
    h->arena = e->arena;
    h->memory = engine_memory(e);
    h->limits = e->limits;
    h->width = 8;
    h->room = e->trace->event_room + EVENT_MAX_THREADS;
    h->access_room = 8 * h->room;
    h->race_room = 8 * h->room;
    h->robbery_room = 2 * h->room;
    h->entries = arena_alloc(e->arena, (size_t)h->room * sizeof *h->entries);
    h->rows = arena_alloc(e->arena, (size_t)h->room * EVENT_MAX_THREADS * sizeof *h->rows);
    h->accesses = arena_alloc(e->arena, (size_t)h->access_room * sizeof *h->accesses);
    h->races = arena_alloc(e->arena, (size_t)h->race_room * sizeof *h->races);
    h->robberies = arena_alloc(e->arena, (size_t)h->robbery_room * sizeof *h->robberies);
    h->changes = arena_alloc(e->arena, (size_t)h->room * sizeof *h->changes);
    h->of_step = arena_alloc(e->arena, e->trace->step_room * sizeof *h->of_step);
    memset(h->last, 0xff, sizeof h->last);
    bool all = h->entries && h->rows && h->accesses && h->races && h->robberies && h->changes && h->of_step;
    return all ? hb_slots_init(h) : -1;
}

/* The act of a section grows after its entry was made. */
static void forget_robberies(struct happens *h)
{
    if (h->searched > h->count)
        h->searched = h->count;
    if (h->sections)
        h->searched = 0;
    while (h->robbery_count && h->robberies[h->robbery_count - 1].second >= h->searched)
        h->robbery_count--;
    if (h->listed > h->count)
        h->listed = h->count;
    while (h->change_count && h->changes[h->change_count - 1] >= h->listed)
        h->change_count--;
}

void hb_begin(struct happens *h)
{
    ensure(h->performed <= h->room);
    const struct trace *t = h->trace;
    uint32_t known = t->known;
    h->seen = h->seen < known ? h->seen : known;
    for (uint32_t i = t->prefix; i-- > 0 && t->steps[i].event >= known;)
        h->of_step[i] = HB_NONE;
    bool wide = h->wide != 0;
    h->count = h->performed;
    while (h->count && h->entries[h->count - 1].event >= known) {
        const struct hb_entry *e = &h->entries[--h->count];
        h->last[e->act.thread] = e->previous;
        while (h->access_count > e->accesses)
            hb_pop_access(h);
    }
    h->performed = h->kept = h->count;
    while (h->race_count && h->races[h->race_count - 1].second >= h->count)
        h->race_count--;
    h->race_kept = h->race_count;
    forget_robberies(h);
    if (wide && !h->wide)
        hb_refind_wide(h);
}

/* More threads than a row has room for: rows move apart, the last first. */
static void widen(struct happens *h, uint32_t thread)
{
    ensure(thread < EVENT_MAX_THREADS);
    uint32_t old = h->width;
    while (h->width <= thread)
        h->width *= 2;
    for (uint32_t i = h->count; i-- > 0;) {
        vtime *to = h->rows + (size_t)i * h->width;
        memmove(to, h->rows + (size_t)i * old, old * sizeof *to);
        memset(to + old, 0, (h->width - old) * sizeof *to);
    }
}

/* A fresh entry for the thread with the clock of its last one. */
static struct hb_entry *new_entry(struct happens *h, const struct event *ev, uint32_t event)
{
    ensure(h->count < h->room);
    uint32_t t = ev->thread;
    if (t >= h->width)
        widen(h, t);
    struct hb_entry *e = &h->entries[h->count];
    vtime *row = row_of(h, h->count);
    e->event = event;
    e->previous = h->last[t];
    e->accesses = h->access_count;
    e->latest = 0;
    e->time = 0;
    e->step = HB_NONE;
    e->flags = 0;
    e->act.thread = (uint8_t)t;
    e->act.role = e->act.role2 = ROLE_NONE;
    e->act.object = e->act.object2 = 0;
    e->act.kind = ev->kind;
    if (e->previous != HB_NONE)
        vrow_copy(row, hb_row(h, e->previous), h->width);
    else
        vrow_clear(row, h->width);
    return e;
}

/* The entry that a local event follows in another thread: start after create, join after exit,
 * leaving a barrier, being woken in a monitor by the one who entered last, going on after a
 * synchronous message was received. */
static uint32_t followed(struct happens *h, const struct event *ev, unsigned follows)
{
    if (follows == FOLLOWS_THREAD)
        return ev->object < EVENT_MAX_THREADS ? h->last[ev->object] : HB_NONE;
    if (follows != FOLLOWS_OBJECT && follows != FOLLOWS_GIVER)
        return HB_NONE;
    const struct hb_slot *s = &h->slots[hb_object_slot(h, ev->object)];
    uint32_t access = follows == FOLLOWS_OBJECT ? s->last_write : s->last;
    return access ? h->accesses[access - 1].entry : HB_NONE;
}

/* All who met there come before: those of earlier openings are before them. */
static void join_meeting(struct happens *h, const struct event *ev, vtime *row)
{
    uint64_t left = ev->value;
    uint32_t i = h->slots[hb_object_slot(h, ev->object)].last;
    for (; i && left; i = h->accesses[i - 1].older) {
        if (h->accesses[i - 1].role != ROLE_MEET)
            continue;
        join(h, row, hb_row(h, h->accesses[i - 1].entry));
        left--;
    }
    ensure(!left);
}

static uint32_t observe_local(struct happens *h, const struct event *ev, uint32_t event)
{
    unsigned follows = operation_of(ev->kind)->follows;
    if (follows == FOLLOWS_NOTHING)
        return HB_NONE;
    uint32_t from = followed(h, ev, follows);
    struct hb_entry *e = new_entry(h, ev, event);
    vtime *row = row_of(h, h->count);
    if (from != HB_NONE)
        join(h, row, hb_row(h, from));
    else if (follows == FOLLOWS_MEETING)
        join_meeting(h, ev, row);
    if (follows == FOLLOWS_ITSELF)
        e->time = ++row[ev->thread];
    if (follows == GIVES_OBJECT) {
        e->time = row[ev->thread]; /* who comes after it comes after its thread's last step */
        hb_gives(h, ev->object);
    }
    h->last[ev->thread] = h->count;
    return h->count++;
}

static inline __attribute__((always_inline)) void compute(struct happens *h, struct hb_entry *e,
                                                          const struct event *ev, bool performed)
{
    vtime *row = row_of(h, h->count);
    if (h->all_conflict && e->act.role == ROLE_READ)
        e->act.role = ROLE_WRITE;
    if (e->act.role <= ROLE_WRITE) {
        hb_touch_memory(h, &e->act, row, performed);
        if (__builtin_expect(e->act.object2 != 0, 0))
            hb_touch_second(h, &e->act, row, performed);
    } else {
        hb_touch_sync(h, &e->act, ev, row, performed);
    }
    e->time = ++row[ev->thread];
    if (__builtin_expect(e->time > VTIME_MAX, 0)) {
        h->overflow = true;
        limit_reached(h->limits, LIMIT_CLOCK, VTIME_MAX);
    }
}

/* Entry k came of the step under way: a thread's step, possibly with a branch inside it. */
static uint32_t note_step(struct happens *h, uint32_t entry)
{
    const struct trace *t = h->trace;
    uint32_t s = t->step_count;
    while (s > 0 && t->steps[s - 1].branch)
        h->of_step[--s] = entry;
    ensure(s > 0);
    h->of_step[--s] = entry;
    return s;
}

static void note_choice(struct happens *h, uint32_t entry, uint32_t event)
{
    const struct trace *t = h->trace;
    uint32_t s = t->step_count;
    if (s > 0 && t->steps[s - 1].branch && t->steps[s - 1].event == event)
        h->of_step[s - 1] = entry;
}

static bool retries(const struct hb_entry *e)
{
    return operation_is(e->act.kind, OP_RETRIES);
}

/* A look of a loop at one variable, which is performed only if it may let the loop end. */
static bool awaits(const struct hb_entry *e)
{
    return e->flags & HB_SPUN && e->act.role <= ROLE_WRITE && !retries(e);
}

/* The lock of a loop that takes a mutex, looks and gives it back. */
static bool takes_in_round(const struct hb_entry *e)
{
    return e->flags & HB_SPUN && operation_is(e->act.kind, OP_LOCKS) && !operation_is(e->act.kind, OP_WOKEN);
}

/* Which it may have had to wait for, although the variable, or the mutex, was there. */
static bool waits_for_values(const struct hb_entry *e)
{
    return awaits(e) || takes_in_round(e);
}

static bool can_be_robbed(const struct hb_entry *e)
{
    if (!(e->flags & (HB_SPUN | HB_ENDABLE)))
        return false;
    return e->flags & HB_ENDABLE || waits_for_values(e) || retries(e);
}

/* What could wait is made up for, up to the event. */
static __attribute__((noinline)) void catch_up(struct happens *h, uint32_t event)
{
    ensure(h->seen <= event);
    for (; h->seen < event; h->seen++)
        observe_local(h, &h->trace->events[h->seen], h->seen);
    h->performed = h->count;
}

void hb_observe(struct happens *h, const struct event *ev)
{
    uint32_t event = (uint32_t)(ev - h->trace->events);
    if (h->seen != event)
        catch_up(h, event);
    h->seen = event + 1;
    if (event_class(ev->kind) == CLASS_LOCAL) {
        uint32_t entry = observe_local(h, ev, event);
        if (entry != HB_NONE && ev->kind == EV_CHOOSE)
            note_choice(h, entry, event);
        h->performed = h->count;
        return;
    }
    if (__builtin_expect(h->sections != NULL, 0) && hb_goes_on_in_section(h, ev))
        return;
    struct hb_entry *e = new_entry(h, ev, event);
    e->act = act_of(ev);
    e->step = note_step(h, h->count);
    e->flags = (uint16_t)((ev->flags & EVENT_SPUN ? HB_SPUN : 0) |
                          (ev->flags & (EVENT_TIMED | EVENT_CANCELLABLE) ? HB_TIMED : 0));
    compute(h, e, ev, true);
    if (__builtin_expect(ev->kind == EV_SECTION, 0))
        hb_begins_section(h, e);
    h->robbed |= can_be_robbed(e);
    h->last[ev->thread] = h->count++;
    h->performed = h->count;
}

void hb_pending(struct happens *h, const struct event *op)
{
    if (event_class(op->kind) == CLASS_LOCAL)
        return;
    if (h->seen != h->trace->event_count)
        catch_up(h, h->trace->event_count);
    struct hb_entry *e = new_entry(h, op, h->trace->event_count);
    e->act = act_of_pending(op);
    e->flags = HB_PENDING | (op->flags & (EVENT_SPUN | EVENT_SPINNING) ? HB_SPUN : 0);
    compute(h, e, op, false);
    if (__builtin_expect(op->kind == EV_SECTION, 0))
        e->act = section_act(NULL, op->thread);
    h->robbed |= can_be_robbed(e);
    h->count++;
}

/* Entry i: was it there, or may it have been, when the thread of e stood before e? */
static bool could_rob(const struct happens *h, uint32_t i, const struct hb_entry *e,
                      const struct tset *enabled)
{
    const struct hb_entry *k = &h->entries[i];
    if (__builtin_expect(e->flags & HB_ENDABLE, 0))
        return k->step != HB_NONE && k->act.thread != e->act.thread && !hb_before(h, i, e->previous) &&
               hb_concerns(h, &k->act, (uint32_t)(e - h->entries));
    if (k->step == HB_NONE || k->act.thread == e->act.thread || !act_dependent(&k->act, &e->act))
        return false;
    if (takes_in_round(e) && !operation_is(k->act.kind, OP_LOCKS))
        return false;
    return i > e->previous ? tset_has(&enabled[k->step], e->act.thread) : !hb_before(h, i, e->previous);
}

/* The first of the changes from entry `from` on, as an index among them. */
static uint32_t first_change(struct happens *h, uint32_t from)
{
    for (; h->listed < h->count; h->listed++)
        if (h->entries[h->listed].act.role != ROLE_READ)
            h->changes[h->change_count++] = h->listed;
    uint32_t low = 0, high = h->change_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (h->changes[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t hb_robber(struct happens *h, uint32_t second, uint32_t from, const struct tset *enabled)
{
    ensure(second < h->count);
    const struct hb_entry *e = &h->entries[second];
    if (!can_be_robbed(e) || e->previous == HB_NONE)
        return 0;
    uint32_t least = e->flags & HB_ENDABLE || waits_for_values(e) ? 0 : e->previous;
    uint32_t i = from > least ? from + 1 : least + 1;
    if (e->act.role == ROLE_READ && !h->sections) { /* of sections is not known at once what they change */
        for (uint32_t k = first_change(h, i); k < h->change_count && h->changes[k] < second; k++)
            if (could_rob(h, h->changes[k], e, enabled))
                return h->changes[k];
        return 0;
    }
    for (; i < second; i++)
        if (could_rob(h, i, e, enabled))
            return i;
    return 0;
}

uint32_t hb_search_robberies(struct happens *h, const struct tset *enabled)
{
    for (; h->searched < h->count; h->searched++) {
        uint32_t first = 0, count = h->robbery_count;
        while ((first = hb_robber(h, h->searched, first, enabled))) {
            if (h->robbery_count == h->robbery_room) {
                h->robbery_count = count;
                return h->searched;
            }
            h->robberies[h->robbery_count++] = (struct hb_race){first, h->searched, HB_NONE};
        }
    }
    return h->count;
}

/* The last entry of the thread of `waiter` before it that concerns what entry i does. */
static uint32_t last_look(const struct happens *h, uint32_t waiter, uint32_t i)
{
    ensure(waiter < h->count && i < h->count);
    uint32_t k = h->entries[waiter].previous;
    while (k != HB_NONE && !act_dependent(&h->entries[k].act, &h->entries[i].act))
        k = h->entries[k].previous;
    return k;
}

/* Is there something, not after the first event, that may have let the second go on? */
static bool may_go_on(const struct happens *h, const struct hb_race *race)
{
    ensure(race->first < race->second);
    const struct act *waiter = &h->entries[race->second].act;
    for (uint32_t i = 0; i < h->performed; i++) {
        const struct hb_entry *e = &h->entries[i];
        if (i == race->first || e->act.thread == waiter->thread || !e->time ||
            (i > race->first && hb_before(h, race->first, i)) || !act_dependent(&e->act, waiter))
            continue;
        uint32_t look = last_look(h, race->second, i);
        if (look != HB_NONE && look < i)
            return true;
    }
    return false;
}

/* Had it to wait until something made it possible, as far as not known from locks and the like? */
static bool waited(const struct happens *h, const struct hb_race *race)
{
    const struct hb_entry *e = &h->entries[race->second];
    return e->flags & HB_SPUN || (e->act.object2 && hb_cut_short(e->act.kind)) ||
           (operation_is(e->act.kind, OP_WOKEN) && h->entries[race->first].act.role == ROLE_SIGNAL);
}

bool hb_cannot(const struct happens *h, const struct hb_race *race)
{
    const struct hb_entry *e = &h->entries[race->second];
    /* And stood there: all that changes the variable, or is done to the mutex, is in the order it was in. */
    if (waits_for_values(e))
        return e->previous != HB_NONE && e->previous < race->first;
    return waited(h, race) && !may_go_on(h, race);
}
