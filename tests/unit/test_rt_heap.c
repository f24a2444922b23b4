/* The heap: every kind of error with the block it is about, addresses that depend on the thread's own
 * calls only, zeroed memory, quarantine and reuse, putting back between executions. */
#include "heap_fake.h"

/* The statement must end the execution with a message that starts so. */
#define ERROR(statement, start)                                                                    \
    do {                                                                                           \
        int before_error = findings;                                                               \
        if (!setjmp(after_end)) {                                                                  \
            statement;                                                                             \
            fail_msg("nothing found: %s", start);                                                  \
        }                                                                                          \
        assert_int_equal(findings, before_error + 1);                                              \
        assert_memory_equal(message, start, strlen(start));                                        \
    } while (0)

static void check(const void *p, size_t n)
{
    heap_check((uintptr_t)p, n, true, 77);
}

static void accesses(void **state)
{
    for (volatile size_t size = 1; size < 300; size++) {
        char *p = malloc(size);
        findings = 0;
        for (size_t i = 0; i < size; i++)
            for (size_t n = 1; n <= size - i && n < 20; n++)
                check(p + i, n);
        assert_int_equal(findings, 0);
        for (volatile size_t k = 0; k < 16; k++)
            ERROR(check(p + size + k, 1), "out of bounds: write of 1 byte");
        for (volatile size_t k = 1; k <= 16; k++)
            ERROR(check(p - k, 1), "out of bounds: write of 1 byte, ");
        ERROR(check(p + size - 1, 2), "out of bounds: write of 2 bytes that runs 1 byte past the end of a");
        ERROR(check(p - 1, 8), "out of bounds: write of 8 bytes, 1 byte before a block of");
    }
    ERROR(check((char *)HEAP_BASE + 9 * HEAP_ARENA + 12345, 4), "wild write of 4 bytes in heap memory");
}

static void use_after_free_is_found(void **state)
{
    char *p = malloc(100);
    malloc(10);
    fake_thread(3);
    free(p);
    fake_thread(2);
    ERROR(check(p + 8, 4), "use after free: write of 4 bytes at offset 8 of a freed block of 100 bytes");
    assert_non_null(strstr(facts, "[2] write of 4 bytes here"));
    assert_non_null(strstr(facts, "[3] the block was freed here"));
    assert_non_null(strstr(facts, "[0] the block of 100 bytes was allocated here"));
    ERROR(check(p + 99, 1), "use after free: write of 1 byte at offset 99");
    ERROR(check(p + 100, 1), "out of bounds: write of 1 byte right after the end of a freed block of "
                             "100 bytes");
}

static void bad_frees(void **state)
{
    char *p = malloc(100), *q = malloc(5);
    int local;
    free(q);
    ERROR(free(q), "double free: free of a freed block of 5 bytes");
    assert_non_null(strstr(facts, "freed here"));
    ERROR(free(p + 16), "invalid free: free of an address 16 bytes from the start of a block of 100");
    ERROR(free(p + 1), "invalid free: free of an address 1 byte from");
    ERROR(free(&local), "invalid free: free of {}, which is not a heap block");
    ERROR(free((char *)HEAP_BASE + 64), "invalid free");
    ERROR(free((char *)HEAP_BASE + HEAP_SIZE - 64), "invalid free: free of {}, which is not");
    char *sink;
    ERROR(sink = realloc(q, 10), "double free: realloc of a freed block of 5 bytes");
    ERROR(sink = realloc(p + 16, 10), "invalid free: realloc of an address 16 bytes from");
    (void)sink;
    memset(p - 16, 0x5a, 16); /* a header that was overwritten does not matter */
    free(p);
    assert_true(heap_block_near((uintptr_t)p)->state == BLOCK_FREED);
}

static void *racing_block;

static void free_it_first(void)
{
    meanwhile = NULL;
    racy_pc = 0;
    fake_thread(1);
    free(racing_block);
    fake_thread(0);
}

static void free_is_a_visible_write(void **state)
{
    racing_block = malloc(8);
    free(racing_block);
    assert_int_equal(free_write, (uintptr_t)racing_block);
    assert_int_equal(visits, 0);
    racing_block = malloc(8);
    racy_pc = 1;
    memset(rt.racy_filter, 1, sizeof rt.racy_filter);
    free(racing_block);
    assert_int_equal(visits, 1);
    racing_block = malloc(8);
    meanwhile = free_it_first;
    ERROR(free(racing_block), "double free");
    assert_non_null(strstr(facts, "[1] the block was freed here"));
}

/* ---- addresses -------------------------------------------------------------------------------- */

enum { OPS = 3000, KEPT = 64 };

/* A random program of one thread: the addresses it gets, as one number. `others` also run. */
static uint64_t addresses(int thread, uint64_t seed, uint64_t others)
{
    static void *mine[KEPT], *theirs[KEPT];
    struct rng r, o;
    uint64_t sum = 0;
    memset(mine, 0, sizeof mine);
    memset(theirs, 0, sizeof theirs);
    rng_seed(&r, seed);
    rng_seed(&o, others);
    for (int i = 0; i < OPS; i++) {
        fake_thread(thread);
        void **slot = &mine[rng_below(&r, KEPT)];
        size_t size = rng_below(&r, 1u << rng_below(&r, 18));
        free(*slot);
        unsigned char *p = malloc(size);
        for (size_t k = 0; k < size; k += 1 + size / 50)
            assert_int_equal(p[k], 0);
        memset(p, 0xaa, size);
        sum = sum * 1000003 + (uintptr_t)p;
        *slot = p;
        for (int k = 0; others && k < 2; k++) {
            fake_thread(thread + 1 + (int)rng_below(&o, 3));
            slot = &theirs[rng_below(&o, KEPT)];
            free(*slot);
            *slot = malloc(rng_below(&o, 1000));
        }
    }
    fake_thread(0);
    return sum;
}

static void addresses_depend_on_own_calls_only(void **state)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        begin(state);
        uint64_t alone = addresses(5, seed, 0);
        for (uint64_t others = 1; others < 4; others++) {
            begin(state);
            assert_true(addresses(5, seed, others) == alone);
        }
        assert_true(forgotten > 0); /* blocks were reused */
    }
}

static void quarantine_and_reuse(void **state)
{
    void *p = malloc(1000);
    free(p);
    for (int i = 0; i < 200; i++)
        assert_ptr_not_equal(malloc(1000), p);
    int reused = -1;
    for (int i = 0; i < 300 && reused < 0; i++) {
        void *q = malloc(1001); /* of the same size class */
        reused = q == p ? i : -1;
        free(q);
    }
    assert_in_range(reused, 250, 262); /* after 256 KiB were freed */
    assert_non_null(strstr(fake_incomplete, "(--quarantine)"));
    void *large = malloc(1 << 20); /* larger than what is kept back */
    free(large);
    assert_ptr_equal(malloc(1 << 20), large);
    void *other = malloc(1 << 20); /* freed by another thread: not used again */
    fake_thread(1);
    free(other);
    fake_thread(0);
    assert_ptr_not_equal(malloc(1 << 20), other);
}

static void executions_start_afresh(void **state)
{
    void *small = malloc(10);
    char *big = malloc(8 << 20);
    memset(big, 1, 8 << 20);
    begin(state);
    ERROR(check(big, 1), "wild write");
    ERROR(check(small, 1), "wild write");
    assert_ptr_equal(malloc(10), small);
    assert_ptr_equal(malloc(8 << 20), big);
    for (size_t i = 0; i < 8 << 20; i += 7)
        assert_int_equal(big[i], 0);
}

/* ---- the rest --------------------------------------------------------------------------------- */

static void before_main(void **state)
{
    char *start;
    size_t size;
    rt.active = false;
    char *early = malloc(100);
    free(malloc(200000));
    heap_freeze();
    heap_init_range(&start, &size);
    assert_in_range((uintptr_t)early, (uintptr_t)start, (uintptr_t)start + size - 100);
    char *late = malloc(200000);
    assert_true(late >= start + size);
    rt.active = true;
    check(early, 100);
    free(early);
    ERROR(check(early, 1), "use after free");
    assert_non_null(strstr(facts, "allocated before main here"));
    heap_persistent(true);
    char *kept = malloc(50);
    heap_persistent(false);
    begin(state);
    check(early, 100);
    check(kept, 50);
    free(early);
}

static void growing(void **state)
{
    char *p = NULL;
    for (size_t n = 1; n < 400000; n = n * 5 / 4 + 1) {
        p = realloc(p, n);
        assert_non_null(p);
        assert_int_equal(malloc_usable_size(p), n);
        check(p, n);
        assert_int_equal(p[n - 1], 0);
        p[n - 1] = 1;
        p[0] = 42;
    }
    assert_int_equal(p[0], 42);
    char *small = realloc(p, 10);
    assert_int_equal(small[0], 42);
    assert_int_equal(copied_to, (uintptr_t)small);
    assert_int_equal(free_write, (uintptr_t)p);
    ERROR(check(p, 1), "use after free");
    assert_null(realloc(small, 0));
    ERROR(free(small), "double free");
}

static void refusals_and_alignment(void **state)
{
    volatile size_t huge = SIZE_MAX / 2 + 2;
    void *p = NULL;
    assert_null(malloc(huge));
    assert_int_equal(errno, ENOMEM);
    assert_null(calloc(huge, 4));
    assert_null(reallocarray(NULL, huge, 4));
    assert_int_equal(posix_memalign(&p, 24, 100), EINVAL);
    assert_int_equal(posix_memalign(&p, 4, 100), EINVAL);
    for (volatile size_t a = 8; a <= 1 << 16; a *= 2) {
        assert_int_equal(posix_memalign(&p, a, 100), 0);
        assert_true((uintptr_t)p % a == 0);
        check(p, 100);
        ERROR(check((char *)p + 100, 1), "out of bounds");
        free(p);
    }
    assert_true((uintptr_t)aligned_alloc(64, 64) % 64 == 0);
    assert_true((uintptr_t)memalign(48, 10) % 64 == 0);
    assert_true((uintptr_t)valloc(10) % 4096 == 0);
    check(pvalloc(10), 4096);
    free(malloc(0));
}

static void too_much(void **state)
{
    shared.config.max_heap = 10 << 20;
    if (!setjmp(after_end)) {
        for (int i = 0; i < 11; i++)
            malloc(1 << 20);
        fail();
    }
    assert_int_equal(outcome, OUTCOME_BOUND);
    assert_string_equal(fake_incomplete, "an execution allocated more than 10 MiB (--max-heap)");
    begin(state);
    if (!setjmp(after_end)) {
        malloc(HEAP_ARENA * 2);
        fail();
    }
}

static void leaks(void **state)
{
    free(malloc(10));
    heap_leaks();
    assert_string_equal(warning, "");
    malloc(10);
    malloc(20);
    heap_leaks();
    assert_memory_equal(warning, "2 blocks of together 30 bytes", 29);
}

/* --reuse: the last block of the size that the thread has freed, whoever allocated it, or a new one. */
static void freed_blocks_come_back(void **state)
{
    shared.config.reuse = 1;
    heap_reset();
    choice = 1;
    char *a = malloc(24), *b = malloc(24), *c = malloc(24);
    assert_int_equal(choices, 0);
    free(a);
    free(b);
    fake_thread(1);
    assert_ptr_not_equal(malloc(24), b); /* not those of another thread */
    free(c);
    assert_int_equal(choices, 0);
    assert_ptr_equal(malloc(30), c);
    fake_thread(0);
    assert_int_equal(choices, 1);
    assert_ptr_not_equal(malloc(100), b); /* not of another size */
    choice = 0;
    char *d = malloc(24);
    assert_true(d != a && d != b && d != c && choices == 2);
    ERROR(heap_check((uintptr_t)b, 8, false, 1), "use after free");
    choice = 1;
    b[0] = 1;
    assert_ptr_equal(malloc(17), b);
    assert_int_equal(b[0], 0);
    heap_check((uintptr_t)b, 8, true, 1);
    ERROR(heap_check((uintptr_t)b + 17, 1, true, 1), "out of bounds");
    assert_ptr_equal(malloc(24), a);
    assert_ptr_not_equal(malloc(24), c);
    assert_int_equal(choices, 4);
}

static void costs(void **state)
{
    enum { N = 100000 };
    double best = 1, best_reset = 1;
    for (int round = 0; round < 10; round++) {
        begin(state);
        double start = fake_seconds();
        for (int i = 0; i < N; i++)
            free(malloc(32));
        double took = fake_seconds() - start;
        best = took < best ? took : best;
        start = fake_seconds();
        for (int i = 0; i < N / 10; i++) {
            malloc(32);
            malloc(64);
            heap_reset();
        }
        took = fake_seconds() - start;
        best_reset = took < best_reset ? took : best_reset;
    }
    printf("# malloc and free %28.1f ns\n# two blocks and a reset %21.1f ns\n", best * 1e9 / N,
           best_reset * 1e10 / N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, begin)
        TEST(before_main),
        TEST(accesses),
        TEST(use_after_free_is_found),
        TEST(bad_frees),
        TEST(free_is_a_visible_write),
        TEST(addresses_depend_on_own_calls_only),
        TEST(quarantine_and_reuse),
        TEST(executions_start_afresh),
        TEST(growing),
        TEST(refusals_and_alignment),
        TEST(too_much),
        TEST(leaks),
        TEST(freed_blocks_come_back),
        TEST(costs),
    };
    fake_thread(0);
    heap_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
