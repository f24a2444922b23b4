/* A program can have thousands of accesses that race, and every race that is seen asks for both: the list
 * that the host reads has a table beside it, which follows the list as this process, a forked execution or
 * the host makes it longer. */
#include "rt/check/racy.h"

#include "base/ensure.h"
#include "base/htable.h"

static struct htable_entry entries[4 * SHARED_RACY];
static struct htable place_of;

static void follow(void)
{
    const struct shared *s = rt.shared;
    if (!place_of.entries)
        htable_init_in(&place_of, entries, sizeof entries / sizeof entries[0]);
    if (place_of.count > s->racy_count)
        htable_clear(&place_of);
    while (place_of.count < s->racy_count) {
        uint64_t pc = s->racy[place_of.count];
        struct htable_entry *e = htable_find(&place_of, pc);
        while (htable_has(&place_of, e))
            e = htable_another(&place_of, e);
        bool room = htable_put(&place_of, e, pc, place_of.count);
        ensure(room);
    }
}

uint32_t racy_place(uintptr_t pc)
{
    if (RT_UNLIKELY(place_of.count != rt.shared->racy_count))
        follow();
    if (!place_of.count)
        return SHARED_RACY;
    const struct htable_entry *e = htable_find(&place_of, pc);
    return htable_has(&place_of, e) ? e->value : SHARED_RACY;
}
