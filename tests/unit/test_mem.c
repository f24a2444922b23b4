/* Arrays that grow. */
#include "base/mem.h"

#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <stdarg.h>
#include <cmocka.h>

/* What is put in may be read through a pointer into the array, also when the array moves. */
static void an_item_of_its_own(void **state)
{
    VEC(uint64_t) v = {0};
    vec_push(&v, 0x123456789abcdef0u);
    for (int i = 0; i < 10000; i++) {
        const uint64_t *first = &v.items[0];
        void *other = mem_alloc(16 + i % 64); /* so that the array cannot stay where it is */
        vec_push(&v, *first);
        free(other);
    }
    for (size_t i = 0; i < v.count; i++)
        assert_int_equal(v.items[i], 0x123456789abcdef0u);
    vec_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_item_of_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
