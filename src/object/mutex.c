/* Mutexes and spinlocks: `owner`, and `count` is how often he holds it. pthread_once controls and
 * guards of static variables are locks held by the thread that initialises; with a count and no
 * owner they are done, and who comes then gets nothing. Everything on a mutex is dependent,
 * except two failed attempts, and what follows from who asks alone: whether a thread holds a
 * mutex is nothing that another one can change. */
#include "object/object.h"

#include "base/ensure.h"

static bool lock_possible(const struct object_state *s, const struct event *op)
{
    return mutex_possible(s, op->thread);
}

static void lock(struct object_state *s, struct event *op)
{
    bool free = s->owner < 0 && s->count == 0 && s->dead != MUTEX_NOT_RECOVERABLE;
    op->other = s->owner == op->thread;
    op->value = free || (op->other && s->kind == MUTEX_RECURSIVE);
    if (!op->value) {
        op->flags |= EVENT_FAILED;
        return;
    }
    s->owner = op->thread;
    s->count++;
}

static void unlock(struct object_state *s, struct event *op)
{
    ensure(s->count >= 0);
    if (s->owner != op->thread) {
        op->flags |= EVENT_FAILED;
        return;
    }
    op->value = 1;
    if (op->size == UNLOCK_ENDED)
        s->count = 1;
    if (s->dead && s->count == 1)
        s->dead = MUTEX_NOT_RECOVERABLE;
    if (--s->count == 0)
        s->owner = -1;
    op->other = (uint64_t)s->count;
    if (op->size == UNLOCK_ENDED)
        s->dead = MUTEX_OWNER_DIED;
    if (op->size == UNLOCK_DONE)
        s->count = 1;
}

static void destroy(struct object_state *s, struct event *op)
{
    if (s->owner < 0)
        s->destroyed = true;
    else
        op->flags |= EVENT_FAILED; /* a misuse */
}

/* Locking what it holds already fails, or counts up. */
static int lock_role(const struct event *e)
{
    if (e->other)
        return ROLE_OWN;
    return e->flags & EVENT_FAILED ? ROLE_LOCK_FAIL : ROLE_ACQUIRE;
}

/* Giving back what it does not hold fails; what it holds more than once it keeps. */
static int unlock_role(const struct event *e)
{
    return e->other || e->flags & EVENT_FAILED ? ROLE_OWN : ROLE_RELEASE;
}

/* Of which kind it is shows when its owner wants it again; how often it is held after a wait on a condition,
 * when it is given back. Nobody gets a free one where something was to be done once and is, or where it was
 * given back inconsistent. */
static void learn_lock(struct object_state *s, const struct event *e, bool first)
{
    if (s->owner == e->thread && (e->value || operation_is(e->kind, OP_BLOCKS)))
        s->kind = e->value ? MUTEX_RECURSIVE : MUTEX_ERRORCHECK;
    else if (s->owner < 0)
        s->count = !e->value;
}

static void learn_unlock(struct object_state *s, const struct event *e, bool first)
{
    if (s->owner == e->thread)
        s->count = (int32_t)e->other + 1;
}

/* A wait on a condition gives the mutex back too. */
static int reversed_try(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    if (past->role == ROLE_RELEASE || past->role == ROLE_WAIT)
        return ROLE_LOCK_FAIL;
    return past->role == ROLE_ACQUIRE || past->role == ROLE_DESTROY ? ROLE_ACQUIRE : was;
}

static uint8_t open_lock(const struct object_state *s, const struct event *e)
{
    return s->owner < 0 && !s->count ? OPEN_TAKE | OPEN_SHARE : 0;
}

#define OBJECT .object = OBJECT_MUTEX, .open = open_lock
#define LOCK OBJECT, .role = {ROLE_ACQUIRE, ROLE_LOCK_FAIL}, .role_of = lock_role, .perform = lock, \
             .learn = learn_lock

const struct operation op_LOCK = {
    LOCK, .traits = OP_BLOCKS | OP_LOCKS | OP_CERTAIN,
    .overtakes = ROLE_SET(ACQUIRE) | ROLE_SET(DESTROY), .needs = OPEN_TAKE,
    .possible = lock_possible, .done = "locks {o}", .failed = "cannot lock {o}"};
const struct operation op_TRYLOCK = {
    LOCK, .reversed = reversed_try, .done = "trylock {o} succeeds", .failed = "trylock {o} fails"};
const struct operation op_TIMEDLOCK = {
    LOCK, .traits = OP_TIMEOUT, .reversed = reversed_try,
    .done = "locks {o} in time", .failed = "times out on {o}"};
const struct operation op_UNLOCK = {
    OBJECT, .role = {ROLE_RELEASE, ROLE_OWN}, .role_of = unlock_role, .traits = OP_CERTAIN,
    .learn = learn_unlock, .perform = unlock, .done = "unlocks {o}"};
const struct operation op_LOCK_DESTROY = {
    OBJECT, .role = {ROLE_DESTROY, ROLE_DESTROY}, .perform = destroy, .done = "destroys {o}"};
