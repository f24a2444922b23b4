/* The set of keys against a list of who is in it: random keys come and go, which meet in a few slots
 * at the end of the table and at its start, or are anywhere while the table grows. */
#include "base/rng.h"
#include "explore/keyset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 6000, FIRST_ROOM = 4096 };

static uint64_t keys[MOST];
static bool in[MOST];

/* A key whose slot is one of the last eight, as keyset.c finds it in a table of the first size. */
static uint64_t near_the_end(struct rng *r)
{
    uint64_t key;
    do
        key = rng_next(r);
    while (((key * 0x9e3779b97f4a7c15u) >> 20) % FIRST_ROOM < FIRST_ROOM - 8);
    return key;
}

static void check_all(const struct keyset *s, uint32_t n)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(keyset_has(s, keys[i]), in[i]);
        count += in[i];
    }
    assert_int_equal(s->count, count);
}

static void come_and_go(uint32_t n, int steps, uint64_t (*new_key)(struct rng *r))
{
    struct arena a = {.base = calloc(1, 1 << 20), .size = 1 << 20};
    struct keyset s;
    struct rng r;
    rng_seed(&r, n);
    assert_int_equal(keyset_init(&s, &a, 1 << 19), 0);
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = new_key(&r);
        in[i] = false;
    }
    for (int step = 0; step < steps; step++) {
        uint32_t i = rng_below(&r, n);
        if (rng_below(&r, 5) < 2) {
            keyset_remove(&s, keys[i]);
            in[i] = false;
        } else {
            assert_int_equal(keyset_add(&s, keys[i]), !in[i]);
            in[i] = true;
        }
        if (step % (int)n == 0)
            check_all(&s, n);
    }
    check_all(&s, n);
    free(a.base);
}

static void keys_that_meet(void **state)
{
    (void)state;
    for (uint32_t n = 2; n < 100; n += 7)
        come_and_go(n, 4000, near_the_end);
}

static void keys_anywhere(void **state)
{
    (void)state;
    come_and_go(MOST, 60000, rng_next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_that_meet),
        cmocka_unit_test(keys_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
