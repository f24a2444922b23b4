/* The hash table against a list: random keys, many of them neighbours or the same, over several runs, in an
 * arena where it grows and in memory where it does not. */
#include "base/htable.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { KEYS = 300, ROUNDS = 40 };

struct pair {
    uint64_t key;
    uint32_t value;
};

static bool listed(const struct pair *list, uint32_t n, uint64_t key, uint32_t value)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i].key == key && list[i].value == value)
            return true;
    return false;
}

/* How many there are with the key; all of them are in the list. */
static uint32_t check_key(const struct htable *t, const struct pair *list, uint32_t n, uint64_t key)
{
    uint32_t found = 0;
    for (const struct htable_entry *e = htable_find(t, key); htable_has(t, e); e = htable_another(t, e)) {
        assert_int_equal(e->key, key);
        assert_true(listed(list, n, key, e->value));
        found++;
    }
    return found;
}

static void random_keys(struct htable *t, struct rng *r, uint32_t most)
{
    static struct pair list[KEYS];
    uint64_t base = rng_next(r) & ~0xffull;
    uint32_t n = 0;
    while (n < most) {
        uint64_t key = rng_below(r, 4) ? base + rng_below(r, 128) : rng_next(r);
        struct htable_entry *e = htable_find(t, key);
        while (htable_has(t, e))
            e = htable_another(t, e);
        if (!htable_put(t, e, key, n))
            break;
        list[n] = (struct pair){key, n};
        n++;
    }
    assert_int_equal(t->count, n);
    assert_true(t->arena || n == (t->mask + 1) / 2); /* half full, and not fuller */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t alike = 0;
        for (uint32_t k = 0; k < n; k++)
            alike += list[k].key == list[i].key;
        assert_int_equal(check_key(t, list, n, list[i].key), alike);
    }
    assert_int_equal(check_key(t, list, n, base + 1000), 0);
    htable_clear(t);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(check_key(t, list, n, list[i].key), 0);
}

static void grows(void **state)
{
    (void)state;
    struct arena a = {.base = calloc(1, 1 << 20), .size = 1 << 20};
    struct htable t;
    struct rng r;
    rng_seed(&r, 7);
    assert_int_equal(htable_init(&t, &a, 2), 0);
    for (int i = 0; i < ROUNDS; i++)
        random_keys(&t, &r, KEYS);
    free(a.base);
}

static void does_not_grow(void **state)
{
    (void)state;
    struct htable_entry *entries = calloc(256, sizeof *entries);
    struct htable t;
    struct rng r;
    rng_seed(&r, 8);
    htable_init_in(&t, entries, 256);
    for (int i = 0; i < ROUNDS; i++)
        random_keys(&t, &r, KEYS);
    free(entries);
}

/* When the arena is full it stays as it is. */
static void no_room_to_grow(void **state)
{
    (void)state;
    struct arena a = {.base = calloc(1, 256), .size = 256};
    struct htable t;
    assert_int_equal(htable_init(&t, &a, 8), 0);
    for (uint64_t key = 0; key < 4; key++)
        assert_true(htable_put(&t, htable_find(&t, key), key, (uint32_t)key));
    assert_false(htable_put(&t, htable_find(&t, 4), 4, 4));
    for (uint64_t key = 0; key < 4; key++)
        assert_int_equal(htable_find(&t, key)->value, key);
    assert_int_equal(htable_init(&t, &a, 1 << 20), -1);
    free(a.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grows), cmocka_unit_test(does_not_grow),
                                       cmocka_unit_test(no_room_to_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
