/* What an arena hands out is zero, also the second time. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

static int all_zero(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return 0;
    return 1;
}

static void use_twice(char *base, size_t size)
{
    struct arena a = {.base = base, .size = size};
    static const size_t sizes[] = {1, 63, 4096, 100, 300000, 5000};
    for (int round = 0; round < 8; round++) {
        size_t mark = a.used; /* not only at the start of a page */
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char *p = arena_alloc(&a, sizes[i]);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % 64, 0);
            assert_true(all_zero(p, sizes[i]));
            memset(p, 0xa5, sizes[i]);
        }
        arena_give_back(&a, mark);
        assert_int_equal(a.used, mark);
        char *kept = arena_alloc(&a, 33);
        assert_true(all_zero(kept, 33));
        memset(kept, 1, 33);
    }
    assert_null(arena_alloc(&a, size));
    arena_give_back(&a, 0);
    assert_true(all_zero(base, size));
}

static void memory_of_a_file(void **state)
{
    char *base = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    use_twice(base, 1 << 20);
    munmap(base, 1 << 20);
}

static void other_memory(void **state)
{
    char *base = aligned_alloc(4096, 1 << 20);
    memset(base, 0, 1 << 20);
    use_twice(base + 64, (1 << 20) - 128);
    free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_of_a_file), cmocka_unit_test(other_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
