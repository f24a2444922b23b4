/* What memory held before an event or after a sequence, as far as the records of accesses tell. An entry is
 * the accesses of its step: one, or those of an atomic section. */
#include "explore/dpor/reversal.h"

#include "base/ensure.h"

enum { UNTOUCHED = -2, UNKNOWN = -1 };

static bool touches(const struct event *ev, uint64_t byte)
{
    return event_class(ev->kind) <= CLASS_RMW && ev->object <= byte && byte < ev->object + ev->size;
}

/* What plain writes change is not recorded. */
static int byte_of(const struct event *ev, uint64_t word, uint64_t byte)
{
    if (ev->size > 8 || (operation_is(ev->kind, OP_PLAIN) && event_class(ev->kind) != CLASS_READ))
        return UNKNOWN;
    return (uint8_t)(word >> 8 * (byte - ev->object));
}

/* The events of an entry that is memory; none: *from is *end. */
static void events_of(const struct happens *h, uint32_t entry, uint32_t *from, uint32_t *end)
{
    const struct hb_entry *e = &h->entries[entry];
    const struct trace *t = h->trace;
    *from = *end = e->event;
    if (e->act.role <= ROLE_WRITE)
        *end = *from + 1;
    else if (e->act.role == ROLE_SECTION)
        *end = e->step + 1 < t->step_count ? t->steps[e->step + 1].event : t->event_count;
    ensure(*from <= *end);
}

/* As the first access of the entry saw it. */
static int seen_by(const struct happens *h, uint32_t entry, uint64_t byte)
{
    uint32_t i, end;
    for (events_of(h, entry, &i, &end); i < end; i++) {
        const struct event *ev = &h->trace->events[i];
        if (touches(ev, byte))
            return byte_of(ev, event_class(ev->kind) == CLASS_READ ? ev->value : ev->other, byte);
    }
    return UNTOUCHED;
}

/* As its last write left it. */
static int left_by(const struct happens *h, uint32_t entry, uint64_t byte)
{
    uint32_t from, i;
    for (events_of(h, entry, &from, &i); i-- > from;) {
        const struct event *ev = &h->trace->events[i];
        if (touches(ev, byte) && event_class(ev->kind) != CLASS_READ)
            return byte_of(ev, ev->value, byte);
    }
    return UNTOUCHED;
}

static int byte_before(const struct happens *h, uint32_t first, uint64_t byte)
{
    for (uint32_t i = first; i < h->performed; i++) {
        int seen = seen_by(h, i, byte);
        if (seen != UNTOUCHED)
            return seen;
    }
    return UNKNOWN;
}

/* What r leaves in it. */
static int byte_after(const struct reversal *r, const struct happens *h, uint32_t first, uint64_t byte)
{
    for (uint32_t i = r->count; i-- > 0;) {
        int left = r->items[i].branch ? UNTOUCHED : left_by(h, r->items[i].entry, byte);
        if (left != UNTOUCHED)
            return left;
    }
    return byte_before(h, first, byte);
}

/* Does the entry concern the variable otherwise than by reading or changing it as a whole, as recorded? */
static bool in_parts(const struct happens *h, uint32_t entry, const struct event *cas)
{
    const struct hb_entry *e = &h->entries[entry];
    const struct event *ev = &h->trace->events[e->event];
    if (e->act.role > ROLE_WRITE)
        return e->act.role == ROLE_SECTION;
    if (ev->object >= cas->object + cas->size || cas->object >= ev->object + ev->size)
        return false;
    return ev->object != cas->object || ev->size != cas->size || event_class(ev->kind) > CLASS_RMW ||
           (operation_is(ev->kind, OP_PLAIN) && event_class(ev->kind) != CLASS_READ);
}

static bool is_whole(const struct happens *h, uint32_t entry, const struct event *cas)
{
    return h->entries[entry].act.role <= ROLE_WRITE &&
           h->trace->events[h->entries[entry].event].object == cas->object;
}

/* As byte by byte below, where all that comes on the way concerns the whole variable; false: it does not. */
static bool value_after(const struct reversal *r, const struct happens *h, uint32_t first,
                        const struct event *cas, uint64_t *value)
{
    for (uint32_t i = r->count; i-- > 0;) {
        uint32_t entry = r->items[i].entry;
        if (r->items[i].branch)
            continue;
        if (in_parts(h, entry, cas))
            return false;
        const struct event *ev = &h->trace->events[h->entries[entry].event];
        *value = ev->value;
        if (is_whole(h, entry, cas) && event_class(ev->kind) != CLASS_READ)
            return true;
    }
    for (uint32_t i = first; i < h->performed; i++) {
        if (in_parts(h, i, cas))
            return false;
        const struct event *ev = &h->trace->events[h->entries[i].event];
        *value = event_class(ev->kind) == CLASS_READ ? ev->value : ev->other;
        if (is_whole(h, i, cas))
            return true;
    }
    return false;
}

uint8_t rev_cas_role(const struct reversal *r, const struct happens *h, uint32_t first,
                     const struct event *cas)
{
    if (cas->size > 8)
        return ROLE_WRITE;
    uint64_t whole;
    if (cas->size && value_after(r, h, first, cas, &whole))
        return (whole ^ cas->other) << (64 - 8 * cas->size) ? ROLE_READ : ROLE_WRITE;
    for (uint64_t byte = cas->object; byte < cas->object + cas->size; byte++) {
        int value = byte_after(r, h, first, byte);
        if (value < 0)
            return ROLE_WRITE;
        if (value != byte_of(cas, cas->other, byte))
            return ROLE_READ;
    }
    return ROLE_WRITE;
}
