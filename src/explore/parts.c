#include "explore/parts.h"

#include "base/ensure.h"

enum { FIRST_ROOM = 1 << 10, IN_PART = 8, WHOLE = 1 << 16 };

int parts_init(struct parts *p, struct arena *a)
{
    return htable_init(&p->words, a, FIRST_ROOM);
}

bool parts_whole(const struct parts *p, uint64_t word)
{
    const struct htable_entry *e = htable_find(&p->words, word);
    return htable_has(&p->words, e) && e->value & WHOLE;
}

/* Is the part, whose bytes are `mask`, exactly one of those known? */
static bool is_part(uint32_t known, uint32_t mask)
{
    uint32_t begins = known & 255, inside = known >> IN_PART & 255, behind = (mask << 1) & ~mask & 255;
    return (inside & mask) == mask && (begins & mask) == (mask & -mask) &&
           (!(inside & behind) || begins & behind);
}

enum part parts_access(struct parts *p, uint64_t at, uint32_t size)
{
    uint32_t offset = (uint32_t)(at - parts_word(at));
    ensure(size && offset + size <= 8);
    uint32_t mask = ((1u << size) - 1) << offset, fresh = mask << IN_PART | (mask & -mask);
    struct htable_entry *e = htable_find(&p->words, parts_word(at));
    if (!htable_has(&p->words, e))
        return htable_put(&p->words, e, parts_word(at), fresh) ? PART_ALONE : PART_NO_ROOM;
    if (e->value & WHOLE)
        return PART_OF_WHOLE;
    if (is_part(e->value, mask))
        return PART_ALONE;
    bool apart = !(e->value >> IN_PART & mask);
    e->value |= apart ? fresh : WHOLE;
    return apart ? PART_ALONE : PART_OVERLAPS;
}
