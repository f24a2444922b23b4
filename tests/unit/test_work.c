/* What workers exchange: what was written is read again, and what cannot be is refused. */
#include "trace/work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static unsigned char bytes[4096];

struct numbers {
    uint64_t object, object2, size, thread, role, role2, kind;
};

/* Are they believed to be an act? Then they are what it has. */
static bool believed(struct numbers n)
{
    struct work w = {.bytes = bytes, .room = sizeof bytes};
    work_begin(&w, WORK_ITEM);
    const uint64_t all[] = {n.object, n.object2, n.size, n.thread, n.role, n.role2, n.kind};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        work_put(&w, all[i]);
    assert_int_equal(work_open(&w), WORK_ITEM);
    struct act a = work_get_act(&w);
    if (w.failed)
        return false;
    assert_int_equal(a.object, n.object);
    assert_int_equal(a.object2, n.object2);
    assert_int_equal(a.size, n.size);
    assert_int_equal(a.thread, n.thread);
    assert_int_equal(a.role, n.role);
    assert_int_equal(a.role2, n.role2);
    assert_int_equal(a.kind, n.kind);
    return true;
}

static const struct numbers usual = {.object = 1ull << 40, .object2 = 77, .size = 8, .thread = 255,
                                     .role = ROLE_WRITE, .role2 = ROLES - 1, .kind = EVENT_KINDS - 1};

static void test_acts_come_back(void **state)
{
    assert_true(believed(usual));
    assert_true(believed((struct numbers){.size = 1, .role2 = ROLE_NONE}));
}

static void test_impossible_acts_are_refused(void **state)
{
    struct numbers section = usual; /* an address, which means nothing to others */
    section.role = ROLE_SECTION;
    assert_false(believed(section));
    for (uint64_t more = 0; more <= 256; more += 256) { /* also of what would fit into a byte */
        struct numbers thread = usual, role = usual, role2 = usual, kind = usual;
        thread.thread = EVENT_MAX_THREADS + more;
        role.role = ROLES + more;
        role2.role2 = ROLES + more;
        kind.kind = EVENT_KINDS + more;
        assert_false(believed(thread));
        assert_false(believed(role));
        assert_false(believed(role2));
        assert_false(believed(kind));
    }
    struct numbers wrapped = usual;
    wrapped.role = 256 + ROLE_READ;
    assert_false(believed(wrapped));
}

static void test_other_values_are_refused(void **state)
{
    struct work w = {.bytes = bytes, .room = sizeof bytes};
    work_begin(&w, WORK_GIFT);
    assert_int_equal(work_open(&w), WORK_GIFT);
    for (int i = 0; i < 3; i++) { /* magic (two bytes) and version */
        bytes[i] ^= 1;
        assert_int_equal(work_open(&w), WORK_NONE);
        bytes[i] ^= 1;
    }
    w.failed = false;
    w.length = 2;
    assert_int_equal(work_open(&w), WORK_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_acts_come_back),
        cmocka_unit_test(test_impossible_acts_are_refused),
        cmocka_unit_test(test_other_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
