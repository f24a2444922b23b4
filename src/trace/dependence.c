/* Roles and the table of which of them conflict. Each rule has a pair of programs in
 * tests/unit/test_dependence.c: one where the order matters, one where it does not; those of message queues
 * are compared with enumeration by tests/native/queues.py. */
#include "trace/dependence.h"

#define B(role) (1u << ROLE_##role)
#define LOCKING (B(ACQUIRE) | B(RELEASE))
#define READERS (B(READER_IN) | B(READER_OUT))
#define WRITERS (B(WRITER_IN) | B(WRITER_OUT))
#define RW_FAILS (B(READER_FAIL) | B(WRITER_FAIL))
/* What changes an object for one who waits for a change: not taking it. */
#define CHANGES                                                                                    \
    (B(WRITE) | B(RELEASE) | B(READER_OUT) | B(WRITER_OUT) | B(POST) | B(WAIT) | B(SIGNAL) |         \
     B(LOST) | B(TIMEOUT) | B(ARRIVE) | B(LAST_BUT_ONE) | B(OPEN) | B(SEND) | B(RECEIVE) |             \
     B(PUT) | B(GET) | B(QUEUE_SET) | B(CANCEL))

#define QUEUEING (B(PUT) | B(GET) | B(QUEUE_SET))

const uint32_t role_conflicts[ROLES] = {
    [ROLE_READ] = B(WRITE),
    [ROLE_WRITE] = B(READ) | B(WRITE),
    [ROLE_ACQUIRE] = LOCKING | B(LOCK_FAIL),
    [ROLE_RELEASE] = LOCKING | B(LOCK_FAIL) | B(AWAIT),
    [ROLE_LOCK_FAIL] = LOCKING,
    [ROLE_READER_IN] = WRITERS | B(WRITER_FAIL),
    [ROLE_READER_OUT] = WRITERS | B(WRITER_FAIL) | B(AWAIT),
    [ROLE_READER_FAIL] = WRITERS,
    [ROLE_WRITER_IN] = READERS | WRITERS | RW_FAILS,
    [ROLE_WRITER_OUT] = READERS | WRITERS | RW_FAILS | B(AWAIT),
    [ROLE_WRITER_FAIL] = READERS | WRITERS,
    [ROLE_POST] = B(TAKE) | B(SEM_READ) | B(AWAIT),
    [ROLE_RESERVED] = B(RESERVED) | B(TAKE) | B(SEM_READ),
    [ROLE_TAKE] = B(POST) | B(RESERVED) | B(TAKE) | B(SEM_READ),
    [ROLE_SEM_READ] = B(POST) | B(RESERVED) | B(TAKE),
    [ROLE_WAIT] = B(WAIT) | B(SIGNAL) | B(LOST) | B(AWAIT),
    [ROLE_SIGNAL] = B(WAIT) | B(SIGNAL) | B(LOST) | B(TIMEOUT) | B(AWAIT),
    [ROLE_LOST] = B(WAIT) | B(SIGNAL) | B(TIMEOUT) | B(AWAIT),
    [ROLE_TIMEOUT] = B(SIGNAL) | B(LOST) | B(AWAIT),
    [ROLE_ARRIVE] = B(OPEN) | B(AWAIT),
    [ROLE_LAST_BUT_ONE] = B(OPEN) | B(AWAIT),
    [ROLE_SEND] = B(RECEIVE) | B(AWAIT),
    [ROLE_RECEIVE] = B(SEND) | B(AWAIT),
    [ROLE_OPEN] = B(ARRIVE) | B(LAST_BUT_ONE) | B(OPEN) | B(AWAIT),
    [ROLE_AWAIT] = CHANGES,
    [ROLE_CANCEL] = B(CANCEL) | B(CANCEL_SEEN) | B(AWAIT),
    [ROLE_CANCEL_SEEN] = B(CANCEL),
    [ROLE_PUT] = QUEUEING | B(QUEUE_LOOK) | B(AWAIT),
    [ROLE_GET] = QUEUEING | B(QUEUE_LOOK) | B(AWAIT),
    [ROLE_QUEUE_SET] = QUEUEING | B(QUEUE_LOOK) | B(AWAIT),
    [ROLE_QUEUE_LOOK] = QUEUEING,
};

/* Role of an operation that gets what it wants, and of one that fails. */
static const uint8_t roles[EVENT_KINDS][2] = {
    [EV_LOAD] = {ROLE_READ, ROLE_READ},
    [EV_STORE] = {ROLE_WRITE, ROLE_WRITE},
    [EV_RMW] = {ROLE_WRITE, ROLE_WRITE},
    [EV_CAS] = {ROLE_WRITE, ROLE_READ},
    [EV_CAS_FAIL] = {ROLE_READ, ROLE_READ},
    [EV_READ] = {ROLE_READ, ROLE_READ},
    [EV_WRITE] = {ROLE_WRITE, ROLE_WRITE},
    [EV_FREE] = {ROLE_WRITE, ROLE_WRITE},
    [EV_LOCK] = {ROLE_ACQUIRE, ROLE_LOCK_FAIL},
    [EV_TRYLOCK] = {ROLE_ACQUIRE, ROLE_LOCK_FAIL},
    [EV_TIMEDLOCK] = {ROLE_ACQUIRE, ROLE_LOCK_FAIL},
    [EV_UNLOCK] = {ROLE_RELEASE, ROLE_LOCK_FAIL},
    [EV_LOCK_DESTROY] = {ROLE_RELEASE, ROLE_RELEASE},
    [EV_COND_WAIT] = {ROLE_WAIT, ROLE_WAIT},
    [EV_COND_WAKE] = {ROLE_ACQUIRE, ROLE_ACQUIRE},
    [EV_COND_TIMEOUT] = {ROLE_TIMEOUT, ROLE_TIMEOUT},
    [EV_COND_SIGNAL] = {ROLE_SIGNAL, ROLE_LOST},
    [EV_COND_BROADCAST] = {ROLE_SIGNAL, ROLE_LOST},
    [EV_SEM_WAIT] = {ROLE_TAKE, ROLE_SEM_READ},
    [EV_SEM_TRYWAIT] = {ROLE_TAKE, ROLE_SEM_READ},
    [EV_SEM_TIMEDWAIT] = {ROLE_TAKE, ROLE_SEM_READ},
    [EV_SEM_POST] = {ROLE_POST, ROLE_SEM_READ},
    [EV_SEM_GETVALUE] = {ROLE_SEM_READ, ROLE_SEM_READ},
    [EV_RDLOCK] = {ROLE_READER_IN, ROLE_READER_FAIL},
    [EV_TRYRDLOCK] = {ROLE_READER_IN, ROLE_READER_FAIL},
    [EV_TIMEDRDLOCK] = {ROLE_READER_IN, ROLE_READER_FAIL},
    [EV_WRLOCK] = {ROLE_WRITER_IN, ROLE_WRITER_FAIL},
    [EV_TRYWRLOCK] = {ROLE_WRITER_IN, ROLE_WRITER_FAIL},
    [EV_TIMEDWRLOCK] = {ROLE_WRITER_IN, ROLE_WRITER_FAIL},
    [EV_RW_UNLOCK] = {ROLE_READER_OUT, ROLE_READER_OUT},
    [EV_BINARY_WAIT] = {ROLE_ACQUIRE, ROLE_ACQUIRE},
    [EV_BINARY_POST] = {ROLE_RELEASE, ROLE_RELEASE},
    [EV_PORT_SEND] = {ROLE_SEND, ROLE_SEND},
    [EV_PORT_SELECT] = {ROLE_RECEIVE, ROLE_RECEIVE},
    [EV_PORT_RECEIVE] = {ROLE_RECEIVE, ROLE_RECEIVE},
    [EV_PORT_ELSE] = {ROLE_RECEIVE, ROLE_RECEIVE},
    [EV_MONITOR_ENTER] = {ROLE_ACQUIRE, ROLE_ACQUIRE},
    [EV_BARRIER] = {ROLE_ARRIVE, ROLE_ARRIVE},
    [EV_IO_READ] = {ROLE_WRITE, ROLE_READ},
    [EV_IO_WRITE] = {ROLE_WRITE, ROLE_READ},
    [EV_IO_CLOSE] = {ROLE_WRITE, ROLE_WRITE},
    [EV_IO_POLL] = {ROLE_READ, ROLE_READ},
    [EV_QUEUE_SEND] = {ROLE_PUT, ROLE_QUEUE_LOOK},
    [EV_QUEUE_RECEIVE] = {ROLE_GET, ROLE_QUEUE_LOOK},
    [EV_QUEUE_TRYSEND] = {ROLE_PUT, ROLE_QUEUE_LOOK},
    [EV_QUEUE_TRYRECEIVE] = {ROLE_GET, ROLE_QUEUE_LOOK},
    [EV_QUEUE_LOOK] = {ROLE_QUEUE_LOOK, ROLE_QUEUE_LOOK},
    [EV_QUEUE_SET] = {ROLE_QUEUE_SET, ROLE_QUEUE_SET},
    [EV_FUTEX_WAIT] = {ROLE_WRITE, ROLE_READ},
    [EV_FUTEX_WAKE] = {ROLE_WRITE, ROLE_WRITE},
    [EV_FUTEX_RESUME] = {ROLE_READ, ROLE_READ},
    [EV_SIGNAL_SEND] = {ROLE_WRITE, ROLE_WRITE},
    [EV_SIGNAL_WAIT] = {ROLE_WRITE, ROLE_READ},
    [EV_CANCEL] = {ROLE_CANCEL, ROLE_CANCEL},
    [EV_CANCEL_POINT] = {ROLE_CANCEL_SEEN, ROLE_CANCEL_SEEN},
    [EV_AWAIT] = {ROLE_AWAIT, ROLE_WRITE}, /* failed: of EVENT_ALONE_OBJECT */
    [EV_JOIN_TRY] = {ROLE_READ, ROLE_READ},
    [EV_THREAD_END] = {ROLE_WRITE, ROLE_WRITE},
};

static int role_of(const struct event *e)
{
    if (event_class(e->kind) == CLASS_LOCAL)
        return ROLE_NONE;
    if (e->kind == EV_BARRIER)
        return e->value ? ROLE_OPEN : e->other == 1 ? ROLE_LAST_BUT_ONE : ROLE_ARRIVE;
    if (e->kind == EV_RW_UNLOCK && e->value)
        return ROLE_WRITER_OUT;
    bool lost = (e->kind == EV_COND_SIGNAL || e->kind == EV_COND_BROADCAST) && !e->value;
    return roles[e->kind][lost || (e->flags & EVENT_FAILED)];
}

#define NETWORK 8 /* stands for all ports; no object has this address */

static inline uint64_t second_object(const struct event *e, int role)
{
    if (e->kind == EV_COND_WAIT)
        return e->other;
    if (__builtin_expect(role < ROLE_AWAIT && !(e->flags & EVENT_CANCELLABLE), 1))
        return 0;
    if (role == ROLE_AWAIT)
        return e->other;
    if (role == ROLE_CANCEL || e->kind == EV_THREAD_END)
        return EVENT_ENDS_OBJECT;
    return e->flags & EVENT_CANCELLABLE ? EVENT_CANCEL_OBJECT(e->thread) : 0;
}

struct act act_of(const struct event *e)
{
    int role = role_of(e);
    return (struct act){
        .object = (role == ROLE_SEND || role == ROLE_RECEIVE) && e->size ? NETWORK : e->object,
        .object2 = second_object(e, role),
        .size = e->size ? e->size : 1,
        .thread = e->thread,
        .role = (uint8_t)role,
        .kind = e->kind,
    };
}

struct act act_of_pending(const struct event *e)
{
    struct act a = act_of(e);
    if (a.role == ROLE_LOST)
        a.role = ROLE_SIGNAL;
    else if (a.kind == EV_BARRIER)
        a.role = ROLE_OPEN;
    else if (a.role == ROLE_READER_OUT)
        a.role = ROLE_WRITER_OUT;
    return a;
}

static bool awaits(const struct act *await, const struct act *b)
{
    uint64_t objects = event_object_bit(b->object);
    if (b->object2 && b->kind == EV_COND_WAIT)
        objects |= event_object_bit(b->object2);
    if (b->role == ROLE_WRITE) /* of several words */
        for (uint64_t at = (b->object | 7) + 1; at < b->object + b->size && ~objects; at += 8)
            objects |= event_object_bit(at);
    return CHANGES >> b->role & 1 && await->object2 & objects;
}

static bool cancels(const struct act *cancel, const struct act *b)
{
    return cancel->object == b->object || cancel->object == b->object2 ||
           (b->object2 && cancel->object2 == b->object2);
}

static bool rare(const struct act *a, const struct act *b)
{
    if (a->role == ROLE_AWAIT || b->role == ROLE_AWAIT)
        return a->role == ROLE_AWAIT ? awaits(a, b) : awaits(b, a);
    if (a->role == ROLE_CANCEL || b->role == ROLE_CANCEL)
        return a->role == ROLE_CANCEL ? cancels(a, b) : cancels(b, a);
    return false;
}

bool act_queue_lets(unsigned kind, int role, const struct event *e)
{
    uint64_t before = e->value + (role == ROLE_GET) - (role == ROLE_PUT);
    bool sends = kind == EV_QUEUE_SEND || kind == EV_QUEUE_TRYSEND;
    return sends ? before < e->other : before > 0;
}

bool act_dependent_slow(const struct act *a, const struct act *b)
{
    bool conflict = a->object == b->object && role_conflicts[a->role] >> b->role & 1;
    if (__builtin_expect(!(a->object2 | b->object2), 1))
        return conflict;
    if (a->role >= ROLE_AWAIT || b->role >= ROLE_AWAIT)
        return rare(a, b);
    if (conflict)
        return true;
    if (a->object2 && a->object2 == b->object && role_conflicts[ROLE_RELEASE] >> b->role & 1)
        return true;
    if (b->object2 && b->object2 == a->object && role_conflicts[ROLE_RELEASE] >> a->role & 1)
        return true;
    return a->object2 && a->object2 == b->object2;
}

bool act_wakes_slow(const struct act *pending, const struct act *done)
{
    if (act_dependent_slow(pending, done))
        return true;
    return done->role == ROLE_LAST_BUT_ONE && pending->kind == EV_BARRIER &&
           pending->object == done->object;
}
