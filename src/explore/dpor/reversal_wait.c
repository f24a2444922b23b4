/* A wait that a request to cancel its thread can end (HB_ENDABLE). Its thread's next operation is not one
 * event, as the algorithms take it to be: it goes on with a token or the mutex, leaves a queue, or is
 * cancelled, depending on several objects, and each of these is dependent with other things. So
 *   - it races with everything that concerns one of its forms (hb_robber): what lies in between in
 *     happens-before may only have changed the form;
 *   - the thread may have come before that in each place between the others that concern the wait: it is
 *     tried in all of them;
 *   - what it does there is worked out from all the objects as they are there (operation.next). */
#include "explore/dpor/reversal.h"

#include "base/ensure.h"

uint32_t hb_queued(const struct happens *h, uint32_t wait)
{
    ensure(h->entries[wait].flags & HB_ENDABLE);
    if (operation_of(h->entries[wait].act.kind)->object == OBJECT_SEMAPHORE)
        return HB_NONE;
    uint32_t k = h->entries[wait].previous;
    while (k != HB_NONE && h->entries[k].act.role != ROLE_WAIT)
        k = h->entries[k].previous;
    return k;
}

static bool meets(const struct act *a, uint64_t object, int role)
{
    return (a->object == object && role_in(role_conflicts[role], a->role)) ||
           (a->object2 == object && role_in(role_conflicts[role], a->role2));
}

bool hb_concerns(const struct happens *h, const struct act *a, uint32_t wait)
{
    const struct act *w = &h->entries[wait].act;
    if (meets(a, EVENT_CANCEL_OBJECT(w->thread), ROLE_CANCEL_SEEN))
        return true;
    uint32_t queued = hb_queued(h, wait);
    if (queued == HB_NONE)
        return meets(a, w->object, ROLE_TAKE);
    const struct act *q = &h->entries[queued].act;
    return meets(a, q->object, ROLE_TIMEOUT) || meets(a, q->object2, ROLE_ACQUIRE);
}

/* Everything before the first event, and what r has, in this order; of a choice its step alone. */
static const struct hb_entry *past_entry(const struct reversal *r, const struct happens *h, uint32_t first,
                                         uint32_t i)
{
    if (i < first)
        return &h->entries[i];
    const struct rev_item *it = &r->items[i - first];
    return it->branch ? NULL : &h->entries[it->entry];
}

static int tokens_of(const struct act *a)
{
    return (a->role == ROLE_POST) - (a->role == ROLE_TAKE || a->role == ROLE_RESERVED);
}

static bool is_of_semaphore(const struct happens *h, uint32_t i, uint64_t object)
{
    const struct hb_entry *e = &h->entries[i];
    return e->act.object == object && e->time && !(e->flags & HB_PENDING) &&
           operation_of(e->act.kind)->object == OBJECT_SEMAPHORE;
}

/* Just before entry `first`: as the last one before it left it, or the first one after it found it. */
static int tokens_before(const struct happens *h, uint32_t first, uint64_t object)
{
    ensure(first < h->count);
    for (uint32_t i = first; i-- > 0;)
        if (is_of_semaphore(h, i, object))
            return (int)h->trace->events[h->entries[i].event].value;
    for (uint32_t i = first; i < h->count; i++)
        if (is_of_semaphore(h, i, object))
            return (int)h->trace->events[h->entries[i].event].value - tokens_of(&h->entries[i].act);
    return 0; /* only those who wait for a first one know of it */
}

static void learn_tokens(const struct reversal *r, const struct happens *h, uint32_t first, uint64_t object,
                         struct object_wait *w)
{
    w->tokens = tokens_before(h, first, object);
    for (uint32_t i = 0; i < first + r->count; i++) {
        const struct hb_entry *e = past_entry(r, h, first, i);
        if (!e || !e->time || e->act.object != object)
            continue;
        w->posts += e->act.role == ROLE_POST;
        w->tokens += i < first ? 0 : tokens_of(&e->act);
    }
}

static void learn_queue(const struct reversal *r, const struct happens *h, uint32_t first, uint32_t queued,
                        struct object_wait *w)
{
    const struct hb_entry *q = &h->entries[queued];
    ensure(q->act.object2 && operation_of(q->act.kind)->object == OBJECT_CONDITION);
    w->timed = h->trace->events[q->event].flags & EVENT_TIMED;
    w->is_free = true;
    for (uint32_t i = 0; i < first + r->count; i++) {
        const struct hb_entry *e = past_entry(r, h, first, i);
        if (!e || !e->time)
            continue;
        if (e->act.object == q->act.object && e->act.role == ROLE_SIGNAL && e > q)
            w->signalled |= object_wakes(&h->trace->events[e->event], q->act.thread);
        if (e->act.object == q->act.object2 && e->act.role == ROLE_ACQUIRE)
            w->is_free = false;
        else if (meets(&e->act, q->act.object2, ROLE_ACQUIRE))
            w->is_free = true;
    }
}

static void learn_requests(const struct reversal *r, const struct happens *h, uint32_t first, uint32_t wait,
                           struct object_wait *w)
{
    uint32_t before = h->entries[wait].previous;
    uint64_t requests = EVENT_CANCEL_OBJECT(h->entries[wait].act.thread);
    for (uint32_t i = 0; i < first + r->count; i++) {
        const struct hb_entry *e = past_entry(r, h, first, i);
        if (!e || e->act.role != ROLE_CANCEL || e->act.object != requests)
            continue;
        w->asked = true;
        w->was_asked |= hb_before(h, (uint32_t)(e - h->entries), before);
    }
}

/* What the thread of the wait does at the end of r. False: it waits on. */
static bool next_of(const struct reversal *r, const struct happens *h, uint32_t first, uint32_t wait,
                    struct act *out)
{
    const struct hb_entry *e = &h->entries[wait];
    uint32_t queued = hb_queued(h, wait);
    ensure(e->previous != HB_NONE && operation_of(e->act.kind)->next);
    struct object_wait w = {.before = h->entries[e->previous].act.kind};
    learn_requests(r, h, first, wait, &w);
    if (queued == HB_NONE)
        learn_tokens(r, h, first, e->act.object, &w);
    else
        learn_queue(r, h, first, queued, &w);
    uint8_t role = ROLE_NONE;
    unsigned kind = operation_of(e->act.kind)->next(&w, &role), of = operation_of(kind)->object;
    uint64_t requests = EVENT_CANCEL_OBJECT(e->act.thread);
    *out = (struct act){.object = of == OBJECT_CONDITION ? h->entries[queued].act.object
                                  : of == OBJECT_MUTEX   ? h->entries[queued].act.object2
                                  : of == OBJECT_SIGNALS ? requests
                                                         : e->act.object,
                        .object2 = requests, .size = of == OBJECT_SIGNALS ? 8 : 1, .thread = e->act.thread,
                        .role = role, .role2 = ROLE_CANCEL_SEEN, .kind = (uint8_t)kind};
    return kind != 0;
}

/* Does item i concern the wait, and not come before its thread stands there? */
static bool is_other_end(const struct reversal *r, const struct happens *h, uint32_t wait, uint32_t i)
{
    const struct rev_item *it = &r->items[i];
    return !it->branch && !hb_before(h, it->entry, h->entries[wait].previous) &&
           hb_concerns(h, &it->act, wait);
}

/* The wait itself was not there yet. */
static void take_out_own(struct reversal *r, const struct happens *h, uint32_t wait)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->items[i].act.thread == h->entries[wait].act.thread && r->items[i].entry >= wait) {
            rev_remove_after(r, h, i);
            return;
        }
}

/* Keeps the first so many of those that concern the wait: of what comes before it, and of what does not. */
static void take_out_ends(struct reversal *r, const struct happens *h, uint32_t wait, uint32_t before,
                          uint32_t beside)
{
    for (uint32_t i = 0; i < r->count;) {
        uint32_t *left = hb_before(h, r->items[i].entry, wait) ? &before : &beside;
        if (!is_other_end(r, h, wait, i)) {
            i++;
        } else if (*left) {
            --*left;
            i++;
        } else {
            rev_remove_after(r, h, i);
        }
    }
}

/* Of the steps that concern the wait, and come when its thread stands there or may, the sequence has
 * the first *ends, which becomes their number if that is less. False also if the first event makes no
 * difference there. */
static bool build(struct reversal *r, const struct happens *h, const struct hb_race *race, uint32_t end,
                  uint32_t *ends)
{
    ensure(h->entries[race->second].flags & HB_ENDABLE);
    const struct hb_entry *first = &h->entries[race->first], *wait = &h->entries[race->second];
    uint32_t before = 0, beside = 0;
    r->count = 0;
    r->arrivals = false;
    r->second = race->second;
    rev_append_independent(r, h, race->first, first->step + 1, end);
    take_out_own(r, h, race->second);
    for (uint32_t i = 0; i < r->count; i++)
        if (is_other_end(r, h, race->second, i))
            ++*(hb_before(h, r->items[i].entry, race->second) ? &before : &beside);
    if (*ends > before + beside)
        *ends = before + beside;
    take_out_ends(r, h, race->second, before < *ends ? before : *ends, before < *ends ? *ends - before : 0);
    if (h->counted)
        rev_recount(r, h, race->first);
    struct rev_item *last = &r->items[r->count];
    *last = (struct rev_item){.entry = HB_NONE, .pick = wait->act.thread};
    if (!next_of(r, h, race->first, race->second, &last->act) || !act_dependent(&first->act, &last->act))
        return false;
    r->instead |= last->act.role == ROLE_ANYTHING;
    r->count++;
    return true;
}

void rev_each_wait(struct engine *e, struct reversal *r, const struct happens *h, const struct hb_race *race,
                   void (*try)(struct engine *, const struct hb_race *))
{
    uint32_t ends = HB_NONE;
    do
        if (build(r, h, race, e->trace->step_count, &ends))
            try(e, race);
    while (ends-- > 0);
}
