/* Reader-writer locks: `owner` is the writer, `holders` the readers, who are inside `count` times.
 * Readers' operations are independent of each other; so are two failed attempts. Usually nobody is
 * preferred; of a lock that prefers writers, `limit` of them have arrived and wait, and no reader
 * comes in meanwhile. */
#include "object/object.h"

#include "base/ensure.h"

/* How often a reader is inside beyond once: 4 bits of `contents` for each of the first threads;
 * of the others it is not known while anybody is inside more than once. */
enum { COUNTED_THREADS = 16, DEEPEST = 15 };

static unsigned again(const struct object_state *s, int thread)
{
    return thread < COUNTED_THREADS ? s->contents >> 4 * thread & DEEPEST : 0;
}

static void reader_in(struct object_state *s, int thread)
{
    ensure(thread >= 0 && thread < EVENT_MAX_THREADS);
    if (tset_has(&s->holders, thread) && thread < COUNTED_THREADS && again(s, thread) < DEEPEST)
        s->contents += 1ull << 4 * thread;
    tset_add(&s->holders, thread);
    s->count++;
}

static void reader_out(struct object_state *s, int thread)
{
    ensure(thread >= 0 && thread < EVENT_MAX_THREADS);
    if (again(s, thread))
        s->contents -= 1ull << 4 * thread;
    else if (thread < COUNTED_THREADS || s->count <= tset_count(&s->holders))
        tset_remove(&s->holders, thread);
    s->count--;
}

static bool read_possible(const struct object_state *s, const struct event *op)
{
    return (s->owner < 0 && !s->limit) || s->owner == op->thread; /* own write lock: EDEADLK */
}

static bool write_possible(const struct object_state *s, const struct event *op)
{
    return (s->owner < 0 && s->count == 0) || s->owner == op->thread;
}

static void read_lock(struct object_state *s, struct event *op)
{
    op->value = s->owner < 0 && !s->limit;
    if (!op->value) {
        op->other = s->owner < 0;
        op->flags |= EVENT_FAILED;
        return;
    }
    reader_in(s, op->thread);
}

static void write_lock(struct object_state *s, struct event *op)
{
    op->value = s->owner < 0 && s->count == 0;
    if (op->value)
        s->owner = op->thread;
    else
        op->flags |= EVENT_FAILED;
}

/* Of a lock that prefers writers. */
static void write_arrive(struct object_state *s, struct event *op)
{
    write_lock(s, op);
    if (!op->value && s->owner != op->thread)
        s->limit++;
}

static void write_after_waiting(struct object_state *s, struct event *op)
{
    write_lock(s, op);
    s->limit -= s->limit > 0;
}

static void write_in_time(struct object_state *s, struct event *op)
{
    if (op->other)
        write_after_waiting(s, op);
    else
        write_lock(s, op);
}

static int role_of_timed(const struct event *e)
{
    if (!(e->flags & EVENT_FAILED))
        return ROLE_WRITER_IN;
    return e->other ? ROLE_WRITER_WAIT : ROLE_WRITER_FAIL;
}

static void unlock(struct object_state *s, struct event *op)
{
    op->value = s->owner == op->thread;
    if (op->value)
        s->owner = -1;
    else if (tset_has(&s->holders, op->thread))
        reader_out(s, op->thread);
    else
        op->flags |= EVENT_FAILED; /* not his: a misuse */
}

static void destroy(struct object_state *s, struct event *op)
{
    s->destroyed = true;
}

static int role_of_unlock(const struct event *e)
{
    return e->value ? ROLE_WRITER_OUT : ROLE_READER_OUT;
}

/* A failed attempt to write where no reader was inside: a writer was. A writer that has waited ahead of
 * readers (other) kept them out before it got the lock or gave up. */
static bool no_reader(unsigned kind, int role, const struct event *e, uint32_t count)
{
    return (role == ROLE_WRITER_FAIL && count == 0) ||
           (role == ROLE_WRITER_WAIT && (count == 0 || e->other)) ||
           (role == ROLE_WRITER_IN && e->other);
}

/* A reader that failed though no writer was inside (other), but one waited. */
static bool no_writer(unsigned kind, int role, const struct event *e, uint32_t count)
{
    return (role == ROLE_WRITER_FAIL && count == 0) || (role == ROLE_READER_FAIL && !e->other);
}

static int reversed_read(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    return past->role == ROLE_WRITER_OUT ? ROLE_READER_FAIL : ROLE_READER_IN;
}

static int reversed_write(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    int readers = (int)past->count + past->balance(past, ROLE_READER_IN, ROLE_READER_OUT, ROLE_NONE);
    return past->role == ROLE_WRITER_OUT || readers > 0 ? ROLE_WRITER_FAIL : ROLE_WRITER_IN;
}

static int reversed_arrive(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    return reversed_write(past, e, kind, was) == ROLE_WRITER_IN ? ROLE_WRITER_IN : ROLE_WRITER_WAIT;
}

static int reversed_timed(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    return (e->other ? reversed_arrive : reversed_write)(past, e, kind, was);
}

static uint8_t open_rwlock(const struct object_state *s, const struct event *e)
{
    return (uint8_t)((s->owner < 0 && !s->count ? OPEN_TAKE : 0) | (s->owner < 0 ? OPEN_SHARE : 0));
}

#define READING .object = OBJECT_RWLOCK, .role = {ROLE_READER_IN, ROLE_READER_FAIL}, \
                .perform = read_lock, .open = open_rwlock
#define WRITING .object = OBJECT_RWLOCK, .role = {ROLE_WRITER_IN, ROLE_WRITER_FAIL}, \
                .open = open_rwlock

const struct operation op_RDLOCK = {
    READING, .traits = OP_BLOCKS | OP_LOCKS, .needs = OPEN_SHARE, .possible = read_possible,
    .overtakes = ROLE_SET(WRITER_IN) | ROLE_SET(WRITER_FAIL) | ROLE_SET(WRITER_WAIT) |
                 ROLE_SET(RW_DESTROY),
    .closed = no_reader,
    .done = "read-locks {o}", .failed = "cannot read-lock {o}"};
const struct operation op_TRYRDLOCK = {
    READING, .reversed = reversed_read, .done = "tryrdlock {o} succeeds",
    .failed = "tryrdlock {o} fails"};
const struct operation op_TIMEDRDLOCK = {
    READING, .traits = OP_TIMEOUT, .reversed = reversed_read, .done = "read-locks {o} in time",
    .failed = "times out on {o}"};
const struct operation op_WRLOCK = {
    WRITING, .traits = OP_BLOCKS | OP_LOCKS, .needs = OPEN_TAKE, .possible = write_possible,
    .overtakes = ROLE_SET(READER_IN) | ROLE_SET(READER_FAIL) | ROLE_SET(WRITER_IN) |
                 ROLE_SET(RW_DESTROY),
    .closed = no_writer,
    .perform = write_after_waiting, .crowd = ROLE_READER_IN, .done = "write-locks {o}",
    .failed = "cannot write-lock {o}"};
const struct operation op_TRYWRLOCK = {
    WRITING, .perform = write_lock, .reversed = reversed_write, .done = "trywrlock {o} succeeds",
    .failed = "trywrlock {o} fails"};
const struct operation op_TIMEDWRLOCK = {
    WRITING, .traits = OP_TIMEOUT, .role_of = role_of_timed, .perform = write_in_time,
    .reversed = reversed_timed, .done = "write-locks {o} in time", .failed = "times out on {o}"};
const struct operation op_WR_ARRIVE = {
    .object = OBJECT_RWLOCK, .role = {ROLE_WRITER_IN, ROLE_WRITER_WAIT}, .perform = write_arrive,
    .open = open_rwlock, .reversed = reversed_arrive, .done = "write-locks {o}",
    .failed = "begins to wait for {o}, ahead of readers"};
const struct operation op_RW_UNLOCK = {
    .object = OBJECT_RWLOCK, .role = {ROLE_READER_OUT, ROLE_READER_OUT}, .pending = ROLE_WRITER_OUT,
    .role_of = role_of_unlock, .perform = unlock, .open = open_rwlock, .done = "unlocks {o}"};
const struct operation op_RW_DESTROY = {
    .object = OBJECT_RWLOCK, .role = {ROLE_RW_DESTROY, ROLE_RW_DESTROY}, .perform = destroy,
    .open = open_rwlock, .done = "destroys {o}"};
