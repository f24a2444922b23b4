/* Which bytes of memory are one object to an engine that keeps objects apart by address and size. Each
 * part of an aligned word of 8 bytes that is accessed is an object by itself, as long as no two parts
 * overlap; a word of which overlapping parts are accessed is one object, whatever is accessed of it. */
#ifndef EXPLORE_PARTS_H
#define EXPLORE_PARTS_H

#include "base/htable.h"

struct parts {
    struct htable words; /* what is known of each: bytes that begin a part, those in one, "whole" */
};

enum part {
    PART_ALONE, /* an object by itself */
    PART_OF_WHOLE,
    PART_OVERLAPS, /* from now on the word is one object: what was learnt of its parts is void */
    PART_NO_ROOM,
};

/* -1 if the arena is too small. */
int parts_init(struct parts *p, struct arena *a);

static inline uint64_t parts_word(uint64_t at)
{
    return at & ~7ull;
}

/* Is the word one object? */
bool parts_whole(const struct parts *p, uint64_t word);

/* The `size` bytes at `at`, which lie in one word, are accessed. */
enum part parts_access(struct parts *p, uint64_t at, uint32_t size);

#endif
