/* The table of conflicts (object/roles.def) is derived here from what the operations do: all
 * pairs of operations of two threads in all small states of each kind of object. Two events that
 * stand next to each other and do not conflict can be exchanged: both are possible the other way
 * round, the program sees the same results, and the state afterwards is the same; and an
 * operation that another makes impossible conflicts with it. The other direction: roles that
 * conflict though no pair of events needs it stand in a list, with the reason. */
#include "object/dependence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { THREADS = 3, STATES = 4096, CALLS = 24 };

/* A call that a thread can make on the object of a world. */
struct call {
    uint8_t kind;
    uint64_t value, other;
    bool second;  /* the object is the other one that the operation touches */
    int8_t only;  /* of thread only - 1; 0: any */
    bool twice;   /* value + 1 is what it adds: an update */
    bool gives_up; /* its time is over: it leaves the queue */
    uint8_t size;  /* 0: 8 */
};

#define WAITER 0

struct world {
    const char *name;
    struct object_state start[4];
    int starts;
    struct call calls[CALLS];
};

#define ANY(kind_) {.kind = EV_##kind_}
#define WITH(kind_, value_, other_) {.kind = EV_##kind_, .value = value_, .other = other_}
#define MUTEX(kind_) {.owner = -1, .kind = kind_}
#define COUNT(count_, limit_) {.owner = -1, .count = count_, .limit = limit_}

static const struct world worlds[] = {
    {"memory", {MUTEX(0)}, 1,
     {ANY(LOAD), WITH(STORE, 1, 0), WITH(STORE, 2, 0), {.kind = EV_RMW, .value = 1, .twice = true},
      WITH(CAS, 1, 0), WITH(CAS, 2, 1), ANY(READ), WITH(WRITE, 1, 0), ANY(FREE)}},
    {"mutex", {MUTEX(MUTEX_NORMAL), MUTEX(MUTEX_RECURSIVE), MUTEX(MUTEX_ERRORCHECK)}, 3,
     {ANY(LOCK), ANY(TRYLOCK), ANY(TIMEDLOCK), ANY(UNLOCK), ANY(LOCK_DESTROY), ANY(COND_WAKE),
      {.kind = EV_COND_WAIT, .second = true}}},
    {"condition", {MUTEX(0)}, 1,
     {ANY(COND_WAIT), ANY(COND_TIMEOUT), WITH(COND_SIGNAL, 1, 0), WITH(COND_SIGNAL, 2, 0),
      WITH(COND_SIGNAL, 3, 0), ANY(COND_BROADCAST)}},
    {"semaphore", {COUNT(0, 0), COUNT(1, 0), COUNT(2, 0)}, 3,
     {ANY(SEM_WAIT), ANY(SEM_TRYWAIT), ANY(SEM_TIMEDWAIT), ANY(SEM_POST), ANY(SEM_GETVALUE)}},
    {"binary semaphore", {COUNT(0, 0), COUNT(1, 0)}, 2, {ANY(BINARY_WAIT), ANY(BINARY_POST)}},
    {"rwlock", {MUTEX(0)}, 1,
     {ANY(RDLOCK), ANY(TRYRDLOCK), ANY(TIMEDRDLOCK), ANY(WRLOCK), ANY(TRYWRLOCK),
      ANY(TIMEDWRLOCK), ANY(RW_UNLOCK), ANY(RW_DESTROY)}},
    {"rwlock that prefers writers", {MUTEX(0)}, 1, /* WAITER is the one who waits ahead of readers */
     {ANY(RDLOCK), ANY(TRYRDLOCK), ANY(TIMEDRDLOCK), ANY(TRYWRLOCK), ANY(RW_UNLOCK),
      {.kind = EV_WR_ARRIVE, .only = WAITER + 1}, {.kind = EV_WRLOCK, .other = 1, .only = WAITER + 1},
      {.kind = EV_TIMEDWRLOCK, .other = 1, .only = WAITER + 1}}},
    {"barrier", {COUNT(0, 1), COUNT(0, 2), COUNT(0, 3), COUNT(0, 4)}, 4, {ANY(BARRIER)}},
    {"meeting", {COUNT(0, THREADS)}, 1, {ANY(MEET)}}, /* no more come than it holds back */
    {"port", {MUTEX(0)}, 1,
     {ANY(PORT_SEND), {.kind = EV_PORT_RECEIVE, .value = 1, .only = 1},
      {.kind = EV_PORT_RECEIVE, .value = 2, .only = 1}, {.kind = EV_PORT_ELSE, .only = 1}}},
    {"places", {COUNT(2, 0)}, 1, /* of a port with two */
     {{.kind = EV_PORT_PLACE, .other = 1, .size = 2},
      {.kind = EV_PORT_FREE, .other = 1, .size = 2, .only = 1}}},
    {"monitor", {MUTEX(0), {.owner = 2}}, 2, {ANY(MONITOR_ENTER), ANY(MONITOR_EXIT)}},
    {"descriptor", {COUNT(0, 0)}, 1, /* both directions of a pair, and what only the kernel knows */
     {WITH(IO_READ, 1, 0), WITH(IO_READ, 2, 0), WITH(IO_READ, 1, 1), WITH(IO_READ, 1, 2),
      WITH(IO_WRITE, 1, 0), WITH(IO_WRITE, 1, 1), WITH(IO_WRITE, 1, 2), ANY(IO_CLOSE), ANY(IO_POLL),
      ANY(IO_TAKE)}},
    {"file", {COUNT(0, 0)}, 1, {WITH(FILE, 0, 0), WITH(FILE, 1, 0)}},
    {"queue", {COUNT(0, 1), COUNT(0, 2)}, 2,
     {ANY(QUEUE_SEND), ANY(QUEUE_RECEIVE), ANY(QUEUE_TRYSEND), ANY(QUEUE_TRYRECEIVE),
      ANY(QUEUE_LOOK), ANY(QUEUE_SET)}},
    {"futex", {MUTEX(0), {.owner = -1, .contents = 1}}, 2,
     {ANY(FUTEX_WAIT), WITH(FUTEX_WAIT, 0, 1), ANY(FUTEX_WAKE), WITH(FUTEX_WAKE, 0, 1),
      WITH(FUTEX_WAKE, 0, 2), WITH(FUTEX_WAKE, 0, 3), ANY(FUTEX_RESUME),
      {.kind = EV_FUTEX_RESUME, .gives_up = true}, WITH(STORE, 1, 0), WITH(STORE, 0, 0), ANY(LOAD)}},
    {"signals", {MUTEX(0)}, 1,
     {WITH(SIGNAL_SEND, 3, 0), WITH(SIGNAL_SEND, 5, 0), WITH(SIGNAL_WAIT, 3, 0), WITH(SIGNAL_WAIT, 5, 0)}},
    {"cancellation", {MUTEX(0)}, 1,
     {ANY(CANCEL), {.kind = EV_CANCEL_POINT, .only = 1}, WITH(SIGNAL_SEND, 3, 0)}},
    {"thread", {MUTEX(0)}, 1, {{.kind = EV_THREAD_END, .only = 2}, ANY(JOIN_TRY)}},
};

/* Conflicts that no pair of events above needs. */
static const struct {
    uint8_t a, b;
    const char *why;
} needless[] = {
    {ROLE_LOCK_FAIL, ROLE_DESTROY, "who uses it after it was destroyed has failed"},
    {ROLE_READER_OUT, ROLE_WRITER_OUT, "never meet: a reader and a writer are not inside together"},
    {ROLE_WRITER_IN, ROLE_WRITER_WAIT, "the writer who waits here is the first of the two"},
    {ROLE_WRITER_OUT, ROLE_WRITER_OUT, "never meet: two writers are not inside together"},
    {ROLE_RESERVED, ROLE_RESERVED, "could be exchanged; which is the last that needs no post is told by "
                                   "their order, so that is kept"},
    {ROLE_WAIT, ROLE_WAIT, "both gave back the same mutex, which orders them anyway"},
    {ROLE_OPEN, ROLE_OPEN, "meet only at a barrier for one thread, where nobody waits"},
    {ROLE_PUT, ROLE_QUEUE_SET, "being notified of the first message is not in the state"},
    {ROLE_GET, ROLE_QUEUE_SET, "closing and flags are not in the state"},
    {ROLE_QUEUE_SET, ROLE_QUEUE_SET, "who asks first to be notified is not in the state"},
    {ROLE_QUEUE_SET, ROLE_QUEUE_LOOK, "flags that are looked at are not in the state"},
    {ROLE_PLACE, ROLE_PLACE_LATER, "never meet: LAST comes in between; each is the n-th, and stays it"},
    {ROLE_CANCEL, ROLE_CANCEL, "the ends of threads that follow are not in the state of the requests"},
};

static bool needed[ROLES][ROLES], met[ROLES][ROLES], changes[ROLES], played[ROLES];

/* ---- messages ---------------------------------------------------------------------------------- */

/* The state only says which messages there are: they are found by trying. Of a queue they come in the order
 * of their numbers (size), of a port one of the sender is wanted. */
static bool try_messages(const struct object_state *s, bool port, int sender, struct event *found, int depth,
                         uint64_t sum, const struct event *first)
{
    if (depth == s->count) {
        *found = *first;
        return sum == s->contents && depth && (!port || first->thread == sender);
    }
    for (uint16_t t = 0; t < THREADS; t++)
        for (uint32_t size = port ? 8 : 0; size < (port ? 9 : s->posts); size++) {
            struct event m = {.thread = t, .size = size};
            if (depth && !port && size <= first->size)
                continue;
            if (try_messages(s, port, sender, found, depth + 1, sum + object_message(&m), depth ? first : &m))
                return true;
        }
    return false;
}

static bool first_message(const struct object_state *s, bool port, int sender, struct event *found)
{
    return try_messages(s, port, sender, found, 0, 0, found);
}

/* ---- steps ------------------------------------------------------------------------------------- */

/* Is it what the thread can do at all: a thread that waits does nothing else, nobody gives back
 * what he does not have, nobody uses what is destroyed? */
static bool legal(const struct object_state *s, const struct call *c, int thread)
{
    bool waits = tset_has(&s->holders, thread);
    if (c->only && thread != c->only - 1)
        return false;
    switch (c->kind) {
    case EV_LOCK: case EV_TRYLOCK: case EV_TIMEDLOCK: case EV_COND_WAKE:
        return !s->destroyed && !(c->kind == EV_COND_WAKE && s->owner == thread);
    case EV_UNLOCK:
        return !s->destroyed && (s->owner == thread || s->kind != MUTEX_NORMAL);
    case EV_LOCK_DESTROY:
        return !s->destroyed && s->owner < 0;
    case EV_COND_WAIT:
        return c->second ? s->owner == thread : !waits;
    case EV_COND_TIMEOUT:
        return waits;
    case EV_COND_SIGNAL:
        return !waits && (tset_empty(&s->holders) ? c->value == 1 : tset_has(&s->holders, (int)c->value - 1));
    case EV_RW_UNLOCK:
        return s->owner == thread || waits;
    case EV_MONITOR_EXIT:
        return s->owner == thread;
    case EV_PORT_RECEIVE:
        return first_message(s, true, (int)c->value, &(struct event){0});
    case EV_PORT_FREE:
        return s->count < c->size;
    case EV_FUTEX_WAKE:
        return !waits && (c->other == 0 || tset_has(&s->holders, (int)c->other - 1));
    case EV_FUTEX_RESUME:
        return waits || !c->gives_up;
    case EV_LOAD: case EV_STORE: case EV_RMW: case EV_CAS: case EV_READ: case EV_WRITE: case EV_FREE:
        return !s->destroyed && !waits;
    case EV_PORT_ELSE:
        return s->count == 0;
    case EV_RDLOCK: case EV_TRYRDLOCK: case EV_TIMEDRDLOCK: case EV_WRLOCK: case EV_TRYWRLOCK:
    case EV_TIMEDWRLOCK:
        return !s->destroyed && (thread != WAITER || !s->limit == !c->other);
    case EV_WR_ARRIVE:
        return !s->limit && s->owner != thread && !waits;
    case EV_RW_DESTROY:
        return !s->destroyed && s->owner < 0 && !s->count;
    default:
        return !waits;
    }
}

struct done {
    struct object_state after;
    struct event event;
    int role;
};

static bool step(const struct object_state *s, const struct call *c, int thread, struct done *out)
{
    struct event e = {.kind = c->kind, .thread = (uint16_t)thread, .value = c->value, .other = c->other,
                      .object = 64, .size = c->size ? c->size : 8};
    if (c->twice)
        e.value += s->contents;
    struct event source = {0};
    bool waits = !c->second && !c->gives_up && !operation_is(c->kind, OP_RETRIES);
    if (!legal(s, c, thread) || (waits && !object_possible(s, &e)))
        return false;
    out->after = *s;
    bool receives = operation_of(c->kind)->perform_from != NULL;
    if (receives && first_message(s, c->kind == EV_PORT_RECEIVE, (int)c->value, &source))
        e.match = source.thread + 1u;
    if (c->second)
        operation_of(c->kind)->perform_other(&out->after, &e);
    else
        object_perform_from(&out->after, &e, &source);
    if (c->kind == EV_IO_POLL || c->kind == EV_IO_TAKE) /* the kernel looks */
        e.value = (s->count > 0) + 2u * (s->limit > 0) + 4u * s->kind;
    if (c->gives_up) {
        e.flags |= EVENT_FAILED;
        e.value = thread + 1u;
        op_FUTEX_MOVE.perform(&out->after, &e);
    }
    out->event = e;
    out->role = c->second ? operation_of(c->kind)->touch_role
                          : object_refined_role(object_role(&e), &e, s->posts);
    return true;
}

/* What the program can tell by. */
static uint64_t seen(const struct event *e)
{
    uint64_t result = (uint64_t)e->match << 40 | (uint64_t)(e->flags & EVENT_FAILED) << 32;
    switch (e->kind) {
    case EV_LOAD: case EV_READ: case EV_SEM_GETVALUE: case EV_BARRIER: case EV_QUEUE_LOOK: case EV_IO_READ:
    case EV_IO_WRITE: case EV_IO_POLL: case EV_IO_TAKE:
    case EV_FUTEX_WAKE: case EV_SIGNAL_WAIT: case EV_JOIN_TRY:
        return result | e->value;
    case EV_RMW:
        return result | e->other;
    case EV_CAS:
        return e->flags & EVENT_FAILED ? result | e->value : result;
    default:
        return result;
    }
}

static int pending_role(const struct call *c)
{
    const struct operation *o = operation_of(c->kind);
    return c->second ? o->touch_role : o->pending ? o->pending : o->role[0];
}

/* ---- pairs ------------------------------------------------------------------------------------- */

static void must_conflict(const struct world *w, int a, int b, const struct call *x, const struct call *y,
                          const char *what)
{
    needed[a][b] = needed[b][a] = true;
    if (role_in(role_conflicts[a], b) && role_in(role_conflicts[b], a))
        return;
    print_error("%s: %s and %s: %s, but roles %d and %d do not conflict\n", w->name,
                event_name(x->kind), event_name(y->kind), what, a, b);
    fail();
}

/* y, which was possible before x and is ordered after it, must know that it can be moved there. */
static void must_overtake(const struct world *w, const struct call *x, int role, const struct call *y,
                          const struct event *e)
{
    if (!operation_is(y->kind, OP_BLOCKS) || y->second || role_in(object_overtakes(e, false), role))
        return;
    print_error("%s: %s cannot be moved before %s in role %d\n", w->name, event_name(y->kind),
                event_name(x->kind), role);
    fail();
}

/* x by thread 0, then y by thread 1. */
static void pair(const struct world *w, const struct object_state *s, const struct call *x,
                 const struct call *y)
{
    struct done a, b, b1, a1;
    if (y->kind == EV_MEET && tset_has(&s->holders, 1))
        return; /* that its thread goes on is an event that follows the others' arrivals (MET) */
    bool before = step(s, y, 1, &b1);
    if (x->kind == EV_PORT_FREE && !before)
        return; /* who had to wait for a place follows the receive that gave it back */
    if (pending_role(x) == ROLE_NONE || pending_role(y) == ROLE_NONE || !step(s, x, 0, &a))
        return; /* what is performed without a decision belongs to the step before it */
    played[a.role] = true;
    changes[a.role] |= !object_same(s, &a.after);
    if (!step(&a.after, y, 1, &b)) {
        if (before) {
            must_conflict(w, a.role, pending_role(y), x, y, "the first makes the second impossible");
            must_overtake(w, x, a.role, y, &b1.event);
        }
        return;
    }
    met[a.role][b.role] = met[b.role][a.role] = true;
    bool after = before && step(&b1.after, x, 0, &a1);
    if (!after)
        must_conflict(w, a.role, b.role, x, y, "they are not possible the other way round");
    else if (seen(&a.event) != seen(&a1.event) || seen(&b.event) != seen(&b1.event))
        must_conflict(w, a.role, b.role, x, y, "the program sees another result the other way round");
    else if (!object_same(&b.after, &a1.after))
        must_conflict(w, a.role, b.role, x, y, "another state is left the other way round");
    else
        return;
    if (before)
        must_overtake(w, x, a.role, y, &b1.event);
}

/* ---- states ------------------------------------------------------------------------------------ */

static struct object_state states[STATES];
static int state_count;

static bool small(const struct object_state *s)
{
    return s->count <= 3 && s->posts <= 3 && s->limit <= 4 && (s->count || s->contents <= 40);
}

static void add_state(const struct object_state *s)
{
    for (int i = 0; i < state_count; i++)
        if (object_same(&states[i], s) && states[i].posts == s->posts)
            return;
    assert_true(state_count < STATES);
    states[state_count++] = *s;
}

static void find_states(const struct world *w)
{
    struct done d;
    state_count = 0;
    for (int i = 0; i < w->starts; i++)
        add_state(&w->start[i]);
    for (int i = 0; i < state_count; i++)
        for (int c = 0; c < CALLS && w->calls[c].kind; c++)
            for (int t = 0; t < THREADS; t++)
                if (step(&states[i], &w->calls[c], t, &d) && small(&d.after))
                    add_state(&d.after);
}

static void explore_worlds(void)
{
    for (size_t k = 0; k < sizeof worlds / sizeof *worlds; k++) {
        const struct world *w = &worlds[k];
        find_states(w);
        for (int i = 0; i < state_count; i++)
            for (int x = 0; x < CALLS && w->calls[x].kind; x++)
                for (int y = 0; y < CALLS && w->calls[y].kind; y++)
                    pair(w, &states[i], &w->calls[x], &w->calls[y]);
    }
}

/* ---- the tests --------------------------------------------------------------------------------- */

static void test_no_conflict_is_missing(void **state)
{
    explore_worlds(); /* fails where one is */
    for (int a = 0; a < ROLES; a++)
        for (int b = 0; b < ROLES; b++)
            assert_int_equal(role_in(role_conflicts[a], b), role_in(role_conflicts[b], a));
}

static const char *reason(int a, int b)
{
    for (size_t i = 0; i < sizeof needless / sizeof *needless; i++)
        if ((needless[i].a == a && needless[i].b == b) || (needless[i].a == b && needless[i].b == a))
            return needless[i].why;
    return NULL;
}

static void test_needless_conflicts_have_a_reason(void **state)
{
    int wrong = 0;
    explore_worlds();
    for (int a = 0; a < ROLES; a++)
        for (int b = 0; b <= a; b++) {
            bool conflict = role_in(role_conflicts[a], b) && a != ROLE_AWAIT && b != ROLE_AWAIT;
            if ((conflict && !needed[a][b]) == (reason(a, b) != NULL))
                continue;
            print_error("roles %d and %d: %s\n", b, a, reason(a, b) ? "listed, but needed"
                        : met[a][b] ? "conflict, but can always be exchanged" : "conflict, but never meet");
            wrong++;
        }
    assert_int_equal(wrong, 0);
}

/* One who waits for a change waits for all changes but those that only take something away, or that only the
 * holder of a mutex notices. */
static void test_waiting_for_a_change(void **state)
{
    const uint64_t taking = ROLE_SET(ACQUIRE) | ROLE_SET(READER_IN) | ROLE_SET(WRITER_IN) | ROLE_SET(TAKE) |
                            ROLE_SET(RESERVED) | ROLE_SET(OWN) | ROLE_SET(PLACE) | ROLE_SET(PLACE_LAST) |
                            ROLE_SET(PLACE_LATER) | ROLE_SET(READ) /* leaves a queue */;
    /* Changes nothing, but others may have been woken instead; nobody looks how many places there are. */
    const uint64_t unmodelled = ROLE_SET(LOST) | ROLE_SET(PLACE_FREE);
    explore_worlds();
    for (int a = 0; a < ROLES; a++)
        if (a != ROLE_AWAIT && !role_in(taking | unmodelled, a) &&
            role_in(role_conflicts[ROLE_AWAIT], a) != changes[a]) {
            print_error("role %d: changes %d, conflicts with AWAIT %d\n", a, changes[a], !changes[a]);
            fail();
        }
}

static void test_every_role_is_played(void **state)
{
    explore_worlds();
    for (int a = 0; a < ROLES; a++)
        if (!played[a] && a != ROLE_NONE && a != ROLE_AWAIT && a != ROLE_SECTION &&
            a != ROLE_ANYTHING) {
            print_error("role %d\n", a);
            fail();
        }
}

/* An operation that blocks gets what it wants where it is possible; the only exception is one's
 * own lock (EDEADLK). */
static void test_possible_means_done(void **state)
{
    struct done d;
    for (size_t k = 0; k < sizeof worlds / sizeof *worlds; k++) {
        find_states(&worlds[k]);
        for (int i = 0; i < state_count; i++)
            for (const struct call *c = worlds[k].calls; c->kind; c++)
                if (operation_is(c->kind, OP_BLOCKS) && !c->second && step(&states[i], c, 0, &d))
                    assert_true(operation_succeeded(&d.event) || states[i].owner == 0);
    }
}

static void test_equal_states_have_equal_hashes(void **state)
{
    for (size_t k = 0; k < sizeof worlds / sizeof *worlds; k++) {
        find_states(&worlds[k]);
        assert_true(state_count > 1);
        for (int i = 0; i < state_count; i++)
            for (int j = 0; j < i; j++)
                assert_int_equal(object_hash(&states[i]) == object_hash(&states[j]),
                                 object_same(&states[i], &states[j]));
    }
}

/* How often a reader is inside is counted for some threads only, and for each by itself. */
static void test_readers_inside_again(void **state)
{
    const struct call in = ANY(RDLOCK), out = ANY(RW_UNLOCK);
    for (int t = 0; t < 40; t++) {
        struct done d = {.after = MUTEX(0)};
        for (int k = 0; k < 3; k++)
            assert_true(step(&d.after, &in, t, &d));
        for (int other = 0; other < 40; other++)
            assert_int_equal(tset_has(&d.after.holders, other), other == t);
        for (int k = 0; k < 3; k++) {
            assert_true(tset_has(&d.after.holders, t));
            assert_true(step(&d.after, &out, t, &d));
        }
        assert_true(tset_empty(&d.after.holders) && d.after.count == 0 && d.after.contents == 0);
    }
}

/* Who waits for one of several words that are written waits for the write. */
static void test_writes_of_several_words(void **state)
{
    const struct act write = {.object = 68, .size = 24, .role = ROLE_WRITE, .role2 = ROLE_NONE};
    for (uint64_t at = 64; at < 96; at += 8) {
        struct act waiter = {.object = at, .object2 = event_object_bit(at), .thread = 1,
                             .role = ROLE_AWAIT, .role2 = ROLE_AWAIT, .kind = EV_AWAIT};
        assert_true(act_dependent(&waiter, &write));
        assert_true(act_wakes(&waiter, &write));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_conflict_is_missing),
        cmocka_unit_test(test_needless_conflicts_have_a_reason),
        cmocka_unit_test(test_waiting_for_a_change),
        cmocka_unit_test(test_every_role_is_played),
        cmocka_unit_test(test_possible_means_done),
        cmocka_unit_test(test_equal_states_have_equal_hashes),
        cmocka_unit_test(test_readers_inside_again),
        cmocka_unit_test(test_writes_of_several_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
