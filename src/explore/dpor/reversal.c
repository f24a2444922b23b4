/* See reversal.h. The second event may turn out differently when it comes before the first (a
 * compare-exchange that now succeeds, a trylock, the arrival that opens a barrier): its role is worked
 * out from the state before the first event as far as the records tell it; where they do not, the role
 * that conflicts with more is taken, which can only cost a redundant execution. */
#include "explore/dpor/reversal.h"

#include "base/ensure.h"
#include "object/section.h"

#include <emmintrin.h>

int rev_init(struct reversal *r, struct engine *e)
{
    r->items = arena_alloc(e->arena, (e->trace->step_room + 1) * sizeof *r->items);
    r->way = arena_alloc(e->arena, (e->trace->step_room + 1) * sizeof *r->way);
    return r->items && r->way ? 0 : -1;
}

static const struct event *event_of(const struct happens *h, uint32_t entry)
{
    return &h->trace->events[h->entries[entry].event];
}

/* What items of r on the object add to a count. */
static int balance(const struct object_past *past, int plus, int minus, int minus2)
{
    const struct reversal *r = past->steps;
    int n = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct rev_item *it = &r->items[i];
        if (it->branch || it->act.object != past->object)
            continue;
        n += it->act.role == plus;
        n -= it->act.role == minus || it->act.role == minus2;
    }
    return n;
}

/* What is known of the object of the first event just before it. */
static struct object_past past_of(const struct reversal *r, const struct happens *h, uint32_t first)
{
    const struct act *a = &h->entries[first].act;
    return (struct object_past){event_of(h, first), a->role, hb_count_before(h, first), balance, r,
                                a->object};
}

static int readers_left(const struct reversal *r, const struct happens *h, uint32_t first)
{
    struct object_past past = past_of(r, h, first);
    return (int)past.count + balance(&past, ROLE_READER_IN, ROLE_READER_OUT, ROLE_NONE);
}

/* The role that the second event plays if it comes before the first. */
static uint8_t reversed_role(const struct reversal *r, const struct happens *h, uint32_t first,
                             const struct event *ev, const struct act *a)
{
    const struct operation *o = operation_of(a->kind);
    struct object_past past = past_of(r, h, first);
    return o->reversed ? (uint8_t)o->reversed(&past, ev, a->kind, a->role) : a->role;
}

/* Had the thread been asked to end before that request? Then the request changed nothing, and what came
 * after it would be the same before it. Requests to one thread are ordered: the earlier one stays before. */
static bool was_asked_before(const struct happens *h, uint32_t request)
{
    ensure(h->entries[request].act.role == ROLE_CANCEL);
    for (uint32_t i = request; i-- > 0;)
        if (h->entries[i].act.role == ROLE_CANCEL &&
            h->entries[i].act.object == h->entries[request].act.object)
            return true;
    return false;
}

/* `a`, which is what the second event was, becomes what it would be before the first. */
static void reverse(struct reversal *r, const struct happens *h, uint32_t first,
                    uint32_t second, struct act *a)
{
    const struct act *f = &h->entries[first].act;
    if (f->role == ROLE_CANCEL && a->object2 && a->kind == EV_CANCEL_POINT && !was_asked_before(h, first)) {
        a->role = ROLE_ANYTHING; /* it stands in the place of an operation that was not performed */
        r->instead = true;
    }
    if (h->entries[second].flags & HB_PENDING || f->role == ROLE_CANCEL)
        return;
    if (__builtin_expect(a->role == ROLE_SECTION, 0)) {
        if (!section_certain(section_of(a), f))
            a->object = 0;
        return;
    }
    const struct event *ev = event_of(h, second);
    if (ev->kind == EV_CAS_FAIL || (ev->flags & EVENT_COMPARE)) {
        a->role = rev_cas_role(r, h, first, ev);
    } else if (a->role <= ROLE_WRITE) {
        return; /* by far the most frequent */
    } else if (operation_of(a->kind)->instead && f->role == ROLE_SIGNAL) {
        *a = (struct act){.object = ev->other, .size = 1, .thread = a->thread, .role2 = ROLE_NONE,
                          .kind = operation_of(a->kind)->instead};
        a->role = operation_of(a->kind)->role[0];
        r->instead = true;
    } else if (!operation_is(a->kind, OP_BLOCKS)) {
        a->role = reversed_role(r, h, first, ev, a);
        r->arrivals |= hb_is_counted(a->role);
    }
}

static void append(struct reversal *r, const struct happens *h, uint32_t step)
{
    uint32_t k = h->of_step[step];
    const struct step *s = &h->trace->steps[step];
    struct rev_item *it = &r->items[r->count++];
    it->act = h->entries[k].act;
    it->entry = k;
    it->pick = s->pick;
    it->branch = step_kind(s);
}

void rev_append_independent(struct reversal *r, const struct happens *h, uint32_t e, uint32_t step,
                            uint32_t end)
{
    uint32_t thread = h->entries[e].act.thread;
    vtime time = h->entries[e].time;
    for (; step < end; step++) {
        uint32_t k = h->of_step[step];
        if (k != HB_NONE && hb_row(h, k)[thread] < time)
            append(r, h, step);
    }
}

void rev_remove_after(struct reversal *r, const struct happens *h, uint32_t i)
{
    ensure(i < r->count);
    uint32_t kept = i, e = r->items[i].entry;
    for (uint32_t k = i; k < r->count; k++)
        if (!hb_before(h, e, r->items[k].entry))
            r->items[kept++] = r->items[k];
    r->count = kept;
}

/* Is item i a reader that comes in and does not leave within r? */
static bool stays_inside(const struct reversal *r, uint32_t i)
{
    const struct act *in = &r->items[i].act;
    int depth = 1;
    if (r->items[i].branch || in->role != ROLE_READER_IN)
        return false;
    for (uint32_t k = i + 1; k < r->count && depth; k++) {
        const struct rev_item *it = &r->items[k];
        if (it->branch || it->act.thread != in->thread || it->act.object != in->object)
            continue;
        depth += (it->act.role == ROLE_READER_IN) - (it->act.role == ROLE_READER_OUT);
    }
    return depth > 0;
}

/* A writer cannot come in while a reader of r is still inside: such readers wait, unless they let the
 * writer get there. */
static bool clear_way_for_writer(struct reversal *r, const struct happens *h,
                                 const struct hb_race *race)
{
    uint64_t object = h->entries[race->first].act.object;
    uint32_t previous = h->entries[race->second].previous;
    for (uint32_t i = r->count; i-- > 0;) {
        if (r->items[i].act.object != object || !stays_inside(r, i))
            continue;
        if (previous != HB_NONE && hb_before(h, r->items[i].entry, previous))
            return false;
        rev_remove_after(r, h, i);
        i = r->count; /* with it may have gone that another one leaves */
    }
    return readers_left(r, h, race->first) <= 0;
}

/* Was there an arrival at the barrier (a taker of a place) of item `it`, before it, that r leaves out? */
static bool arrival_left_out(const struct happens *h, uint32_t first, const struct rev_item *it, int role)
{
    ensure(first < h->count);
    for (uint32_t k = first; k < it->entry; k++) {
        const struct act *a = &h->entries[k].act;
        if (a->object == it->act.object && a->role == role &&
            hb_before(h, first, k))
            return true;
    }
    return false;
}

void rev_recount(struct reversal *r, const struct happens *h, uint32_t first)
{
    for (uint32_t i = 0; i < r->count; i++) {
        uint8_t *role = &r->items[i].act.role;
        uint8_t more = *role == ROLE_LAST_BUT_ONE ? ROLE_ARRIVE : ROLE_PLACE;
        r->arrivals |= hb_is_counted(*role);
        if (hb_is_counted(*role) && arrival_left_out(h, first, &r->items[i], more))
            *role = more;
    }
}

bool rev_build(struct reversal *r, const struct happens *h, const struct hb_race *race,
               uint32_t end)
{
    ensure(race->first < race->second);
    ensure(race->second < h->count);
    uint32_t step = h->entries[race->first].step;
    r->count = 0;
    r->arrivals = false;
    r->second = race->second;
    rev_append_independent(r, h, race->first, step + 1, end);
    if (operation_of(h->entries[race->second].act.kind)->crowd &&
        h->entries[race->first].act.role != ROLE_CANCEL && !clear_way_for_writer(r, h, race))
        return false;
    if (__builtin_expect(h->counted, 0))
        rev_recount(r, h, race->first);
    struct rev_item *last = &r->items[r->count];
    last->act = h->entries[race->second].act;
    last->entry = HB_NONE;
    last->pick = h->entries[race->second].act.thread;
    last->branch = 0;
    reverse(r, h, race->first, race->second, &last->act);
    const struct operation *o = operation_of(last->act.kind);
    if (o->traits & OP_BLOCKS && o->reversed && h->entries[race->first].act.role != ROLE_CANCEL) {
        last->act.role = reversed_role(r, h, race->first, event_of(h, race->second), &last->act);
        r->arrivals |= hb_is_counted(last->act.role);
        if (last->act.role == o->role[1] && !last->act.object2) /* nor can it be cancelled */
            return false;
    }
    r->count++;
    return true;
}

void rev_build_branch(struct reversal *r, const struct happens *h, uint32_t step, int pick)
{
    ensure(pick >= 0);
    r->count = 0;
    r->arrivals = false;
    r->second = HB_NONE;
    append(r, h, step);
    r->items[0].pick = (uint16_t)pick;
    rev_append_independent(r, h, h->of_step[step], step + 1, h->trace->step_count);
    if (__builtin_expect(h->counted, 0))
        rev_recount(r, h, h->of_step[step]);
}

/* Must item a come before the reversed event for that to exist or be awake at all? */
static bool enables(const struct reversal *r, const struct happens *h, const struct rev_item *a)
{
    uint32_t previous = h->entries[r->second].previous;
    if (previous != HB_NONE && hb_before(h, a->entry, previous))
        return true; /* through a start, join or barrier */
    return a->act.role == ROLE_SIGNAL && operation_is(r->items[r->count - 1].act.kind, OP_WOKEN) &&
           hb_before(h, a->entry, r->second);
}

/* One bit for the word or object of an act; all if it is more than one. */
static uint64_t object_bits(const struct act *a)
{
    if (a->object2 || (a->role <= ROLE_WRITE && (a->object & 7) + a->size > 8))
        return ~0ull;
    return 1ull << ((a->object >> 3) * 0x9e3779b97f4a7c15ull >> 58);
}

/* Item i - 1 is the first of its thread; 0: there is none left. */
static void set_first(struct reversal *r, const struct happens *h, uint32_t thread, uint32_t i)
{
    ensure(thread < EVENT_MAX_THREADS);
    r->first[thread] = i;
    r->times[thread] = i && r->items[i - 1].entry != HB_NONE
                           ? h->entries[r->items[i - 1].entry].time
                           : INT16_MAX;
}

void rev_restore(struct reversal *r, const struct happens *h)
{
    r->start = 0;
    r->left = r->count;
    r->objects = r->written = 0;
    for (uint32_t t = 0; t < h->width; t += 8) {
        _mm_store_si128((__m128i *)&r->times[t], _mm_set1_epi16(INT16_MAX));
        _mm_storeu_si128((__m128i *)&r->first[t], _mm_setzero_si128());
        _mm_storeu_si128((__m128i *)&r->first[t + 4], _mm_setzero_si128());
    }
    for (uint32_t i = r->count; i-- > 0;) {
        struct rev_item *it = &r->items[i];
        it->gone = 0;
        it->next = r->first[it->act.thread];
        set_first(r, h, it->act.thread, i + 1);
        if (it->entry == HB_NONE)
            continue;
        uint64_t bits = object_bits(&it->act);
        r->objects |= bits;
        r->written |= it->act.role == ROLE_READ ? 0 : bits;
    }
}

__attribute__((noinline)) void rev_take(struct reversal *r, const struct happens *h, uint32_t item)
{
    ensure(item < r->count);
    struct rev_item *it = &r->items[item];
    uint32_t thread = it->act.thread, first = r->first[thread];
    it->gone = 1;
    r->left--;
    if (item == r->start)
        while (r->start < r->count && r->items[r->start].gone)
            r->start++;
    while (first && r->items[first - 1].gone)
        first = r->items[first - 1].next;
    set_first(r, h, thread, first);
}

static bool precedes(const struct reversal *r, const struct happens *h, const struct rev_item *a,
                     const struct rev_item *b)
{
    if (a->act.thread == b->act.thread)
        return true;
    if (b->entry != HB_NONE)
        return hb_before(h, a->entry, b->entry);
    return act_dependent(&a->act, &b->act) || enables(r, h, a);
}

bool rev_precedes(const struct reversal *r, const struct happens *h, uint32_t a, uint32_t b)
{
    ensure(a < r->count && b < r->count);
    return precedes(r, h, &r->items[a], &r->items[b]);
}

bool rev_initial(const struct reversal *r, const struct happens *h, uint32_t item)
{
    ensure(item < r->count);
    for (uint32_t i = r->start; i < item; i++)
        if (!r->items[i].gone && precedes(r, h, &r->items[i], &r->items[item]))
            return false;
    return true;
}

/* Of how many threads does something left in r happen before (or is) the entry? Of each thread the
 * first item decides: 8 threads at a time. */
static int threads_before(const struct reversal *r, const struct happens *h, uint32_t entry)
{
    const vtime *row = hb_row(h, entry);
    int before = 0; /* two bits for each */
    for (uint32_t t = 0; t < h->width; t += 8) {
        __m128i times = _mm_load_si128((const __m128i *)&r->times[t]);
        __m128i known = _mm_loadu_si128((const __m128i *)&row[t]);
        before += __builtin_popcount(~_mm_movemask_epi8(_mm_cmpgt_epi16(times, known)) & 0xffff);
    }
    return before / 2;
}

/* The very event that stands in r, in a role whose conflicts are all in happens-before. */
static bool is_same(const struct act *a, const struct rev_item *it)
{
    return !it->branch && a->object == it->act.object && a->role == it->act.role &&
           a->size == it->act.size && !(a->object2 | it->act.object2) &&
           (a->role <= ROLE_WRITE || a->role == ROLE_ACQUIRE || a->role == ROLE_RELEASE);
}

/* May something in r other than the reversed event conflict with a? */
static inline bool may_meet(const struct reversal *r, const struct act *a)
{
    return object_bits(a) & (a->role == ROLE_READ ? r->written : r->objects);
}

static __attribute__((noinline)) bool independent_of_each(const struct reversal *r,
                                                          const struct act *a)
{
    for (uint32_t i = r->count; i-- > r->start;)
        if (!r->items[i].gone && act_wakes(a, &r->items[i].act))
            return false;
    return true;
}

/* Of all that is left in r? What conflicts is often the reversed event, the last one. */
static inline bool independent(const struct reversal *r, const struct act *a)
{
    const struct rev_item *last = &r->items[r->count - 1];
    if (last->entry == HB_NONE && !last->gone && act_wakes(a, &last->act))
        return false;
    return !may_meet(r, a) || independent_of_each(r, a);
}

/* The same for a memory access that is the reversed event itself, which stands last in r: nothing
 * may come before it that conflicts with it or lets its thread get there. */
static bool reversed_first(const struct reversal *r, const struct happens *h, const struct act *a)
{
    uint32_t previous = h->entries[r->second].previous;
    return !may_meet(r, a) && (previous == HB_NONE || !threads_before(r, h, previous));
}

/* The same for an atomic section of which is not known what it touches: what r has of its thread is what it
 * will be. */
static __attribute__((noinline, cold)) bool told_initial(const struct reversal *r, const struct happens *h,
                                                         const struct act *a, int *index)
{
    for (uint32_t i = r->start; i < r->count; i++) {
        const struct rev_item *it = &r->items[i];
        if (it->gone || it->branch || it->act.thread != a->thread)
            continue;
        *index = (int)i;
        return rev_initial(r, h, i);
    }
    *index = -1;
    return true;
}

/* By looking at every item. */
static __attribute__((noinline)) bool weak_initial_slow(const struct reversal *r,
                                                        const struct happens *h,
                                                        const struct act *a, int *index)
{
    *index = -1;
    for (uint32_t i = r->start; i < r->count; i++) {
        const struct rev_item *it = &r->items[i];
        if (it->gone)
            continue;
        if (it->act.thread == a->thread && !it->branch) {
            *index = (int)i;
            return rev_initial(r, h, i);
        }
        if (it->act.thread != a->thread && act_wakes(a, &it->act))
            return __builtin_expect(section_unknown(a), 0) && told_initial(r, h, a, index);
    }
    return true;
}

bool rev_goes_round(const struct happens *h, const struct hb_race *race, const struct engine *e)
{
    const struct hb_entry *first = &h->entries[race->first], *second = &h->entries[race->second];
    if (__builtin_expect(!(second->flags & HB_SPUN) || second->act.kind != EV_LOAD, 1) || !e->fails)
        return false;
    const struct event *write = &e->trace->events[first->event];
    const struct event *look =
        second->flags & HB_PENDING ? &e->next[second->act.thread] : &e->trace->events[second->event];
    return (write->kind == EV_STORE || write->kind == EV_RMW) && write->object == look->object &&
           write->size == look->size && e->fails(look->other, write->other);
}

bool rev_weak_initial(const struct reversal *r, const struct happens *h, const struct act *a,
                      int *index)
{
    uint32_t first = r->first[a->thread];
    const struct rev_item *mine = &r->items[first ? first - 1 : 0], *next = &r->items[r->start];
    *index = (int)first - 1;
    if (!first)
        return independent(r, a);
    if (rev_begins_with(r, a->thread))
        return true;
    if (act_both_memory(a, &next->act) && a->thread != next->act.thread && act_overlap(a, &next->act))
        return false; /* what is left often begins with what conflicts */
    if (is_same(a, mine) && mine->entry != HB_NONE)
        return threads_before(r, h, mine->entry) == 1; /* itself */
    if (mine->entry == HB_NONE && a->role <= ROLE_WRITE && is_same(a, mine) &&
        reversed_first(r, h, a))
        return true;
    return weak_initial_slow(r, h, a, index);
}

/* What comes before an item in r came before it in the execution. The reversed event stands last in
 * r, but what is behind it in the execution and conflicts with it happens after it, hence after the
 * first event of the race, and is not in r — unless it now plays another role. */
uint32_t rev_stable(const struct reversal *r, const struct happens *h, uint32_t item)
{
    const struct rev_item *it = &r->items[item];
    if (it->entry != HB_NONE)
        return it->entry;
    return it->act.role == h->entries[r->second].act.role && !section_unknown(&it->act) ? r->second : HB_NONE;
}
