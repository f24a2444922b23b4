/* The memory and string functions: the same results as libc's on random strings, and exactly the
 * bytes announced that the function by its definition looks at and writes. */
#include "rt/abi/access.h"
#include "rt/check/heap.h"
#include "rt_fake.h"

#include "base/rng.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "rt/posix/strings.c"
#include "rt/posix/strings_chk.c"

static char announced[256];

void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    size_t n = strings_real.strlen(announced);
    rt.active = false;
    snprintf(announced + n, sizeof announced - n, "%c%lx+%zu ", write ? 'w' : 'r',
             (unsigned long)address & 0xfff, size);
    rt.active = true;
}

void *heap_allocate(size_t size, size_t alignment, uintptr_t pc)
{
    return malloc(size);
}

void *rt_real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static char a[256] __attribute__((aligned(4096))), b[256] __attribute__((aligned(4096)));
static char ranges[256];

/* Calls a function under control; a and b both begin at 000 of their page. */
#define RUN(call)                                                                                  \
    ({                                                                                             \
        announced[0] = 0;                                                                          \
        rt.active = true;                                                                          \
        __typeof__(call) result_ = (call);                                                         \
        rt.active = false;                                                                         \
        strings_real.memcpy(ranges, announced, sizeof ranges);                                     \
        result_;                                                                                   \
    })
#define ANNOUNCES(call, wanted)                                                                    \
    do {                                                                                           \
        RUN(call);                                                                                 \
        assert_string_equal(ranges, wanted);                                                       \
    } while (0)

static void fill_in(const char *x, const char *y)
{
    memset(a, 'z', sizeof a);
    memset(b, 'z', sizeof b);
    snprintf(a, sizeof a, "%s", x);
    snprintf(b, sizeof b, "%s", y);
}

/* Through volatile pointers, so that the compiler does not compute them itself. */
#define FUNCTION(name) static __typeof__(&name) volatile f_##name = name
FUNCTION(memcpy);
FUNCTION(memmove);
FUNCTION(memset);
FUNCTION(mempcpy);
FUNCTION(memcmp);
FUNCTION(memchr);
FUNCTION(strlen);
FUNCTION(strnlen);
FUNCTION(strcpy);
FUNCTION(stpcpy);
FUNCTION(strncpy);
FUNCTION(strcat);
FUNCTION(strncat);
FUNCTION(strcmp);
FUNCTION(strncmp);
FUNCTION(strcasecmp);
FUNCTION(strncasecmp);
FUNCTION(strchr);
FUNCTION(strrchr);
FUNCTION(strstr);
FUNCTION(strdup);
FUNCTION(strndup);
FUNCTION(__memcpy_chk);
FUNCTION(__strcat_chk);

static void announces_what_it_writes(void **state)
{
    fill_in("hello", "you");
    ANNOUNCES(f_memcpy(a, b, 100), "r0+100 w0+100 ");
    ANNOUNCES(f_memcpy(a, b, 0), "");
    ANNOUNCES(f_memmove(a + 1, a, 100), "r0+100 w1+100 ");
    ANNOUNCES(f_memset(a + 3, 1, 7), "w3+7 ");
    assert_ptr_equal(RUN(f_mempcpy(a, b, 9)), a + 9);
    fill_in("hello", "you");
    ANNOUNCES(f_strcpy(a, b), "r0+4 w0+4 ");
    assert_string_equal(a, "you");
    assert_ptr_equal(RUN(f_stpcpy(a, b)), a + 3);
    ANNOUNCES(f_strncpy(a, b, 10), "r0+4 w0+10 ");
    ANNOUNCES(f_strncpy(a, b, 2), "r0+2 w0+2 ");
    fill_in("hello", "you");
    ANNOUNCES(f_strcat(a, b), "r0+4 r0+6 w5+4 ");
    assert_string_equal(a, "helloyou");
    ANNOUNCES(f_strncat(a, b, 2), "r0+2 r0+9 w8+3 ");
    assert_string_equal(a, "helloyouyo");
    char *copy = RUN(f_strdup(a));
    assert_string_equal(copy, a);
    free(copy);
    copy = RUN(f_strndup(a, 4));
    assert_string_equal(copy, "hell");
    assert_memory_equal(ranges, "r0+4 w", 6);
    free(copy);
    ANNOUNCES(f___memcpy_chk(a, b, 8, 8), "r0+8 w0+8 ");
    ANNOUNCES(f___strcat_chk(a, b, 256), "r0+4 r0+4 w3+4 ");
}

static void announces_what_it_looks_at(void **state)
{
    fill_in("hello", "help me");
    ANNOUNCES(f_strlen(a), "r0+6 ");
    ANNOUNCES(f_strnlen(a, 3), "r0+3 ");
    ANNOUNCES(f_strnlen(a, 30), "r0+6 ");
    ANNOUNCES(f_memchr(a, 'l', 50), "r0+3 ");
    ANNOUNCES(f_memchr(a, 'q', 50), "r0+50 ");
    ANNOUNCES(f_strchr(a, 'l'), "r0+3 ");
    ANNOUNCES(f_strchr(a, 'q'), "r0+6 ");
    ANNOUNCES(f_strchr(a, 0), "r0+6 ");
    ANNOUNCES(f_strrchr(a, 'h'), "r0+6 ");
    ANNOUNCES(f_memcmp(a, b, 50), "r0+4 r0+4 ");
    ANNOUNCES(f_memcmp(a, b, 3), "r0+3 r0+3 ");
    ANNOUNCES(f_strcmp(a, b), "r0+4 r0+4 ");
    ANNOUNCES(f_strcmp(a, a), "r0+6 r0+6 ");
    ANNOUNCES(f_strncmp(a, b, 2), "r0+2 r0+2 ");
    ANNOUNCES(f_strcasecmp(a, b), "r0+4 r0+4 ");
    ANNOUNCES(f_strncasecmp(a, b, 3), "r0+3 r0+3 ");
    fill_in("hello", "llo");
    ANNOUNCES(f_strstr(a, b), "r0+4 r0+5 ");
    fill_in("hello", "help");
    ANNOUNCES(f_strstr(a, b), "r0+5 r0+6 ");
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* libc's results, and those of the loops that stand in before libc's functions are known. */
static void same_results_as_libc(void **state)
{
    static const char letters[] = "aAbB\xc3";
    static const struct strings_real *sets[2] = {&strings_real, NULL};
    static const struct strings_real simple = {
#define FIELD(name) .name = simple_##name,
        STRINGS_REAL(FIELD)
#undef FIELD
    };
    struct rng r;
    rng_seed(&r, 1);
    sets[1] = &simple;
    for (int i = 0; i < 200000; i++) {
        char x[12] = {0}, y[12] = {0}, m[2][32];
        for (uint32_t k = 0, n = rng_below(&r, 11); k < n; k++)
            x[k] = letters[rng_below(&r, 5)];
        for (uint32_t k = 0, n = rng_below(&r, rng_below(&r, 2) ? 11 : 3); k < n; k++)
            y[k] = letters[rng_below(&r, 5)];
        size_t n = rng_below(&r, 12), from = rng_below(&r, 12), to = rng_below(&r, 12);
        int c = rng_below(&r, 8) ? letters[rng_below(&r, 5)] : 0;
        long got[2][12];
        for (int k = 0; k < 2; k++) {
            const struct strings_real *f = sets[k];
            memset(m[k], 0, sizeof m[k]);
            memcpy(m[k], x, sizeof x);
            f->memmove(m[k] + to, m[k] + from, n);
            long all[12] = {sign(f->memcmp(x, y, n)),       (long)f->memchr(x, c, n),
                            (long)f->strlen(x),             (long)f->strnlen(x, n),
                            sign(f->strcmp(x, y)),          sign(f->strncmp(x, y, n)),
                            sign(f->strcasecmp(x, y)),      sign(f->strncasecmp(x, y, n)),
                            (long)f->strchr(x, c),          (long)f->strrchr(x, c),
                            (long)f->strstr(x, y),          0};
            memcpy(got[k], all, sizeof all);
        }
        assert_memory_equal(got[0], got[1], sizeof got[0]);
        assert_memory_equal(m[0], m[1], sizeof m[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(announces_what_it_writes),
        cmocka_unit_test(announces_what_it_looks_at),
        cmocka_unit_test(same_results_as_libc),
    };
    fake_thread(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
