/* What the operations on objects do, told as short stories from the standards: who gets what he wants, who
 * fails, who has to wait, and what he is told. test_object.c derives dependence from the same steps, whatever
 * they are; here they are right. */
#include "object/dependence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum outcome { GETS, FAILS, WAITS };
#define ANY UINT64_MAX /* whatever it is told */

struct line {
    uint8_t kind, thread, outcome;
    uint64_t told; /* event.value afterwards, or ANY */
    uint64_t value, other;
};

#define DO(thread_, kind_, outcome_, told_) {EV_##kind_, thread_, outcome_, told_, 0, 0}
#define WITH(thread_, kind_, value_, other_, outcome_, told_)                                      \
    {EV_##kind_, thread_, outcome_, told_, value_, other_}
#define START(...) {.owner = -1, __VA_ARGS__}

static const struct {
    const char *what;
    struct object_state start;
    struct line lines[12];
} stories[] = {
    {"the last of three opens the barrier, which closes again", START(.limit = 3),
     {DO(0, BARRIER, FAILS, 0), DO(1, BARRIER, FAILS, 0), DO(2, BARRIER, GETS, 1),
      DO(2, BARRIER, FAILS, 0),
      DO(0, BARRIER, FAILS, 0), DO(1, BARRIER, GETS, 1)}},
    {"a pipe has two directions", START(),
     {WITH(0, IO_READ, 5, 0, WAITS, ANY), WITH(0, IO_WRITE, 3, 0, GETS, 3),
      WITH(1, IO_READ, 2, 0, GETS, 2),
      WITH(1, IO_READ, 5, 0, GETS, 1), WITH(1, IO_READ, 5, 0, WAITS, ANY),
      WITH(0, IO_WRITE, 4, 1, GETS, 4),
      WITH(1, IO_READ, 4, 0, WAITS, ANY), WITH(1, IO_READ, 4, 1, GETS, 4),
      WITH(1, IO_READ, 4, 1, WAITS, ANY)}},
    {"who reads of a closed pipe does not wait", START(),
     {WITH(1, IO_READ, 0, 0, WAITS, ANY), DO(0, IO_CLOSE, GETS, ANY),
      WITH(1, IO_READ, 0, 0, GETS, 0)}},
    {"a futex waits while the word is what is expected", START(.contents = 1),
     {WITH(0, FUTEX_WAIT, 0, 0, FAILS, 1), WITH(0, FUTEX_WAIT, 0, 1, GETS, 1),
      DO(0, FUTEX_RESUME, WAITS, ANY),
      WITH(1, FUTEX_WAIT, 0, 1, GETS, 1), WITH(2, FUTEX_WAKE, 0, 1, GETS, 1),
      DO(0, FUTEX_RESUME, GETS, ANY),
      DO(1, FUTEX_RESUME, WAITS, ANY), DO(2, FUTEX_WAKE, GETS, 1), DO(1, FUTEX_RESUME, GETS, ANY),
      DO(2, FUTEX_WAKE, GETS, 0)}},
    {"a compare-exchange finds what it expects or is told what is there", START(.contents = 7),
     {WITH(0, CAS, 9, 8, FAILS, 7), WITH(0, CAS, 9, 7, GETS, 9), WITH(1, CAS, 1, 7, FAILS, 9),
      DO(1, LOAD, GETS, 9), WITH(0, STORE, 3, 0, GETS, 3), DO(1, READ, GETS, 3)}},
    {"one at a time in a monitor, also the first thread", START(),
     {DO(0, MONITOR_ENTER, GETS, ANY), DO(1, MONITOR_ENTER, WAITS, ANY),
      DO(0, MONITOR_EXIT, GETS, ANY),
      DO(1, MONITOR_ENTER, GETS, ANY), DO(0, MONITOR_ENTER, WAITS, ANY),
      DO(1, MONITOR_WAIT, GETS, ANY),
      DO(0, MONITOR_ENTER, GETS, ANY)}},
    {"a normal mutex", START(.kind = MUTEX_NORMAL),
     {DO(0, LOCK, GETS, 1), DO(1, LOCK, WAITS, ANY), DO(1, TRYLOCK, FAILS, 0),
      DO(0, LOCK, WAITS, ANY),
      DO(0, TRYLOCK, FAILS, 0), DO(0, UNLOCK, GETS, 1), DO(1, TRYLOCK, GETS, 1),
      DO(0, TIMEDLOCK, FAILS, 0),
      DO(1, UNLOCK, GETS, 1), DO(0, LOCK, GETS, 1)}},
    {"a recursive mutex is given back as often as it was taken", START(.kind = MUTEX_RECURSIVE),
     {DO(0, LOCK, GETS, 1), DO(0, LOCK, GETS, 1), DO(1, LOCK, WAITS, ANY), DO(0, UNLOCK, GETS, 1),
      DO(1, TRYLOCK, FAILS, 0), DO(1, UNLOCK, FAILS, 0), DO(0, UNLOCK, GETS, 1),
      DO(1, LOCK, GETS, 1),
      DO(0, UNLOCK, FAILS, 0)}},
    {"an error-checking mutex", START(.kind = MUTEX_ERRORCHECK),
     {DO(0, LOCK, GETS, 1), DO(0, LOCK, FAILS, 0), DO(1, LOCK, WAITS, ANY), DO(1, UNLOCK, FAILS, 0),
      DO(0, UNLOCK, GETS, 1), DO(0, UNLOCK, FAILS, 0)}},
    {"a mutex whose owner died is given back once and then of no use", START(.dead = MUTEX_OWNER_DIED),
     {DO(0, LOCK, GETS, 1), DO(0, UNLOCK, GETS, 1), DO(1, TRYLOCK, FAILS, 0)}},
    {"signals wake those who wait, one each", START(),
     {DO(2, COND_SIGNAL, FAILS, 0), DO(0, COND_WAIT, GETS, ANY), DO(1, COND_WAIT, GETS, ANY),
      WITH(2, COND_SIGNAL, 2, 0, GETS, 2), WITH(2, COND_SIGNAL, 2, 0, GETS, 1),
      DO(2, COND_SIGNAL, FAILS, 0),
      DO(0, COND_WAIT, GETS, ANY), DO(1, COND_WAIT, GETS, ANY), DO(0, COND_TIMEOUT, GETS, ANY),
      DO(2, COND_BROADCAST, GETS, 1), DO(2, COND_SIGNAL, FAILS, 0)}},
    {"who is woken takes the mutex", START(),
     {DO(0, COND_WAKE, GETS, 1), DO(1, COND_WAKE, WAITS, ANY), DO(1, LOCK, WAITS, ANY),
      DO(0, UNLOCK, GETS, 1),
      DO(1, COND_WAKE, GETS, 1)}},
    {"who receives waits for a message", START(),
     {DO(0, PORT_SELECT, WAITS, ANY), DO(2, PORT_SEND, GETS, ANY), DO(0, PORT_SELECT, GETS, ANY)}},
    {"a message queue for two", START(.limit = 2),
     {DO(0, QUEUE_RECEIVE, WAITS, ANY), DO(0, QUEUE_SEND, GETS, 1), DO(1, QUEUE_TRYSEND, GETS, 2),
      DO(1, QUEUE_TRYSEND, FAILS, 2), DO(1, QUEUE_SEND, WAITS, ANY), DO(0, QUEUE_LOOK, GETS, 2)}},
    {"readers or one writer", START(),
     {DO(0, RDLOCK, GETS, 1), DO(1, TRYRDLOCK, GETS, 1), DO(2, WRLOCK, WAITS, ANY),
      DO(2, TRYWRLOCK, FAILS, 0),
      DO(0, RW_UNLOCK, GETS, 0), DO(2, TIMEDWRLOCK, FAILS, 0), DO(1, RW_UNLOCK, GETS, 0),
      DO(2, WRLOCK, GETS, 1),
      DO(0, RDLOCK, WAITS, ANY), DO(2, RDLOCK, FAILS, 0), DO(0, RW_UNLOCK, FAILS, 0),
      DO(2, RW_UNLOCK, GETS, 1)}},
    {"a writer that waits keeps readers out, if it is preferred", START(),
     {DO(0, RDLOCK, GETS, 1), DO(1, WR_ARRIVE, FAILS, 0), DO(2, RDLOCK, WAITS, ANY),
      DO(2, TRYRDLOCK, FAILS, 0),
      DO(0, RW_UNLOCK, GETS, 0), WITH(1, WRLOCK, 0, 1, GETS, 1), DO(1, RW_UNLOCK, GETS, 1),
      DO(2, RDLOCK, GETS, 1)}},
    {"a semaphore with one token", START(.count = 1),
     {DO(0, SEM_WAIT, GETS, 0), DO(1, SEM_WAIT, WAITS, ANY), DO(1, SEM_TRYWAIT, FAILS, 0),
      DO(0, SEM_POST, GETS, 1),
      DO(0, SEM_POST, GETS, 2), DO(1, SEM_GETVALUE, GETS, 2), DO(1, SEM_TIMEDWAIT, GETS, 1),
      DO(1, SEM_WAIT, GETS, 0), DO(1, SEM_TIMEDWAIT, FAILS, 0)}},
    {"a semaphore does not overflow", START(.count = INT32_MAX), {DO(0, SEM_POST, FAILS, 0)}},
    {"a binary semaphore has one token", START(),
     {DO(0, BINARY_WAIT, WAITS, ANY), DO(0, BINARY_POST, GETS, 1), DO(1, BINARY_POST, WAITS, ANY),
      DO(1, BINARY_WAIT, GETS, 0), DO(0, BINARY_WAIT, WAITS, ANY)}},
    {"signals stay until they are received", START(),
     {WITH(0, SIGNAL_WAIT, 3, 1ull << 2, WAITS, ANY), WITH(1, SIGNAL_SEND, 5, 0, GETS, 5),
      WITH(1, SIGNAL_SEND, 3, 0, GETS, 3),
      WITH(0, SIGNAL_WAIT, 3, 1ull << 2, GETS, 3), WITH(0, SIGNAL_WAIT, 3, 1ull << 2, WAITS, ANY),
      WITH(0, SIGNAL_WAIT, 5, 1ull << 4, GETS, 5)}},
    {"a request to cancel is attended to", START(),
     {DO(0, CANCEL_POINT, FAILS, 0), DO(1, CANCEL, GETS, ANY), DO(0, CANCEL_POINT, GETS, 1)}},
    {"a thread is joined when it has ended", START(),
     {DO(1, JOIN_TRY, FAILS, 0), DO(0, THREAD_END, GETS, ANY), DO(1, JOIN_TRY, GETS, 1)}},
};

static enum outcome tell(struct object_state *s, const struct line *l, uint64_t *told)
{
    struct event e = {.kind = l->kind, .thread = l->thread, .value = l->value, .other = l->other,
                      .object = 64, .size = 8};
    if (!object_possible(s, &e))
        return WAITS;
    object_perform(s, &e);
    *told = e.value;
    return operation_succeeded(&e) ? GETS : FAILS;
}

static void test_stories(void **state)
{
    for (size_t k = 0; k < sizeof stories / sizeof *stories; k++) {
        struct object_state s = stories[k].start;
        for (int i = 0; i < 12 && stories[k].lines[i].kind; i++) {
            const struct line *l = &stories[k].lines[i];
            uint64_t told = 0;
            enum outcome got = tell(&s, l, &told);
            if (got != l->outcome || (l->told != ANY && told != l->told))
                fail_msg("%s: line %d, %s by thread %d: outcome %d, is told %lu", stories[k].what, i + 1,
                         event_name(l->kind), l->thread, got, (unsigned long)told);
        }
    }
}

/* What could have been completed where an operation on a semaphore or queue was. */
static void test_open(void **state)
{
    struct object_state s = START();
    struct event e = {.kind = EV_SEM_TRYWAIT, .other = 1, .value = 0};
    assert_int_equal(operation_of(e.kind)->open(&s, &e), OPEN_TAKE); /* it took the only one */
    e.other = 0;
    assert_int_equal(operation_of(e.kind)->open(&s, &e), OPEN_GIVE);
    e = (struct event){.kind = EV_QUEUE_SEND, .value = 1, .other = 2};
    assert_int_equal(operation_of(e.kind)->open(&s, &e), OPEN_GIVE);
    e.kind = EV_QUEUE_RECEIVE;
    assert_int_equal(operation_of(e.kind)->open(&s, &e), OPEN_TAKE);
}

/* Was an operation impossible just before another? */
static void test_closed(void **state)
{
    struct event e = {.value = 2, .other = 2}; /* two messages afterwards, and two fit */
    const struct operation *send = operation_of(EV_QUEUE_SEND), *receive = operation_of(EV_QUEUE_RECEIVE);
    assert_true(send->closed(EV_QUEUE_SEND, ROLE_QUEUE_LOOK, &e, 0));
    assert_true(send->closed(EV_QUEUE_SEND, ROLE_GET, &e, 0));
    assert_false(send->closed(EV_QUEUE_SEND, ROLE_PUT, &e, 0));
    assert_false(receive->closed(EV_QUEUE_RECEIVE, ROLE_PUT, &e, 0));
    e.value = 1;
    assert_true(receive->closed(EV_QUEUE_RECEIVE, ROLE_PUT, &e, 0));
    e.value = 0;
    const struct operation *wait = operation_of(EV_SEM_WAIT);
    assert_true(wait->closed(EV_SEM_WAIT, ROLE_SEM_READ, &e, 0));
    assert_false(wait->closed(EV_SEM_WAIT, ROLE_TAKE, &e, 0));
    e.value = 1;
    assert_false(wait->closed(EV_SEM_WAIT, ROLE_SEM_READ, &e, 0));
}

/* The count that happens-before keeps: how often a mutex is held, readers inside, posts. */
static void test_counts(void **state)
{
    assert_int_equal(object_count_after(EV_LOCK, ROLE_ACQUIRE, 1), 2);
    assert_int_equal(object_count_after(EV_UNLOCK, ROLE_RELEASE, 2), 1);
    assert_int_equal(object_count_after(EV_UNLOCK, ROLE_RELEASE, 0), 0);
    assert_int_equal(object_count_after(EV_COND_WAIT, ROLE_RELEASE, 3), 0);
    assert_int_equal(object_count_after(EV_COND_WAKE, ROLE_ACQUIRE, 3), 1);
    assert_int_equal(object_count_after(EV_WRLOCK, ROLE_WRITER_IN, 3), 0);
    assert_int_equal(object_count_after(EV_TRYLOCK, ROLE_LOCK_FAIL, 3), 3);
}

/* One who waits for a change names all that he looks at, unless he goes on because nobody else can. */
static void test_waiters_name_what_they_look_at(void **state)
{
    struct event e = {.kind = EV_AWAIT, .object = 64, .other = 5};
    assert_int_equal(act_of(&e).object2, 5);
    assert_int_equal(act_of(&e).role2, ROLE_AWAIT);
    e.flags = EVENT_FAILED;
    assert_int_equal(act_of(&e).object2, 0);
}

/* A port is again what it was when its messages have been received, in whatever order. */
static void test_messages_leave(void **state)
{
    struct object_state start = OBJECT_UNUSED, s = start;
    struct event sends[2] = {{.kind = EV_PORT_SEND, .object = 64, .thread = 1},
                             {.kind = EV_PORT_SEND, .object = 64, .thread = 2}};
    struct event receive = {.kind = EV_PORT_RECEIVE, .object = 64, .thread = 3};
    object_perform(&s, &sends[0]);
    struct object_state one = s;
    object_perform(&s, &sends[1]);
    assert_false(object_same(&s, &one));
    object_perform_from(&s, &receive, &sends[1]);
    assert_true(object_same(&s, &one));
    object_perform_from(&s, &receive, &sends[0]);
    assert_true(object_same(&s, &start));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stories), cmocka_unit_test(test_open), cmocka_unit_test(test_closed),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_messages_leave),
        cmocka_unit_test(test_waiters_name_what_they_look_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
