/* Parts of words against a list of all accesses so far: a word is one object from the first access on that
 * overlaps another one of it and is not the same. */
#include "base/rng.h"
#include "explore/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { WORDS = 3, ACCESSES = 12, ROUNDS = 20000 };

struct access {
    uint64_t at;
    uint32_t size;
};

static bool overlaps(const struct access *list, int n, struct access a)
{
    for (int i = 0; i < n; i++)
        if (list[i].at < a.at + a.size && a.at < list[i].at + list[i].size &&
            (list[i].at != a.at || list[i].size != a.size))
            return true;
    return false;
}

static void one_round(struct rng *r, struct arena *arena)
{
    struct access list[ACCESSES];
    bool whole[WORDS] = {false};
    struct parts p;
    assert_int_equal(parts_init(&p, arena), 0);
    for (int i = 0; i < ACCESSES; i++) {
        uint64_t word = rng_below(r, WORDS), offset = rng_below(r, 8);
        struct access a = {0x1000 + 8 * word + offset, 1 + (uint32_t)rng_below(r, 8 - offset)};
        enum part expected = whole[word] ? PART_OF_WHOLE : overlaps(list, i, a) ? PART_OVERLAPS : PART_ALONE;
        assert_int_equal(parts_access(&p, a.at, a.size), expected);
        whole[word] |= expected == PART_OVERLAPS;
        assert_int_equal(parts_whole(&p, parts_word(a.at)), whole[word]);
        list[i] = a;
    }
}

static void as_a_list_says(void **state)
{
    struct arena arena = {.base = calloc(1, 1 << 20), .size = 1 << 20};
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < ROUNDS; i++) {
        one_round(&r, &arena);
        arena_give_back(&arena, 0);
    }
    free(arena.base);
}

static void no_room(void **state)
{
    enum { SIZE = 1 << 16 };
    struct arena arena = {.base = calloc(1, SIZE), .size = SIZE};
    struct parts p;
    enum part part = PART_ALONE;
    assert_int_equal(parts_init(&p, &arena), 0);
    for (uint64_t word = 0; word < SIZE && part == PART_ALONE; word++)
        part = parts_access(&p, 8 * word, 4);
    assert_int_equal(part, PART_NO_ROOM);
    free(arena.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_list_says), cmocka_unit_test(no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
