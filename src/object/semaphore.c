/* Semaphores: `count` tokens. Posts are independent of each other, a wait that the initial tokens
 * were enough for (RESERVED) is independent of posts, two pure reads are independent. Binary
 * semaphores (raddle/sync.h) have at most one token: a post waits until it is taken, so they are
 * locks. */
#include "object/object.h"

#include "base/ensure.h"

#include <limits.h>

static bool has_token(const struct object_state *s, const struct event *op)
{
    return s->count > 0;
}

static bool has_none(const struct object_state *s, const struct event *op)
{
    return s->count == 0;
}

static void take(struct object_state *s, struct event *op)
{
    ensure(s->count >= 0);
    bool taken = s->count > 0;
    s->count -= taken;
    op->other = taken;
    op->value = (uint64_t)s->count;
    if (!taken)
        op->flags |= EVENT_FAILED;
}

static void post(struct object_state *s, struct event *op)
{
    ensure(s->count >= 0);
    if (s->count == INT_MAX) {
        op->flags |= EVENT_FAILED;
        return;
    }
    op->value = (uint64_t)++s->count;
    s->posts++;
}

static bool op_gives(unsigned kind)
{
    return operation_of(kind)->perform == post;
}

static void get_value(struct object_state *s, struct event *op)
{
    ensure(s->count >= 0);
    op->value = (uint64_t)s->count;
}

/* With how many tokens it was initialised. */
static void learn(struct object_state *s, const struct event *e, bool first)
{
    bool failed = e->flags & EVENT_FAILED;
    int change = failed ? 0 : object_role(e) == ROLE_SEM_READ ? 0 : op_gives(e->kind) ? 1 : -1;
    if (first)
        s->count = failed && op_gives(e->kind) ? INT_MAX : (int32_t)e->value - change;
}

/* A post, if tokens were left or the wait may end without one. */
static uint64_t wait_overtakes(const struct event *e, bool cancellable)
{
    return ROLE_SET(TAKE) | ROLE_SET(RESERVED) | ROLE_SET(SEM_READ) |
           (e->value >= 1 || cancellable ? ROLE_SET(POST) : 0);
}

static bool found_none(unsigned kind, int role, const struct event *e, uint32_t count)
{
    return role == ROLE_SEM_READ && e->value == 0;
}

/* Tokens when its turn comes, and how many of them are initial ones. */
static int reversed_take(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    bool taken = past->role == ROLE_TAKE || past->role == ROLE_RESERVED;
    int before = (int)past->first->value + taken - (past->role == ROLE_POST);
    int reserve = before - (int)past->count - past->balance(past, ROLE_RESERVED, ROLE_NONE, ROLE_NONE);
    int tokens = before + past->balance(past, ROLE_POST, ROLE_TAKE, ROLE_RESERVED);
    return tokens < 1 ? ROLE_SEM_READ : reserve >= 1 ? ROLE_RESERVED : ROLE_TAKE;
}

static unsigned next_of_taker(const struct object_wait *w, uint8_t *role)
{
    *role = (uint8_t)(w->tokens < 1 ? ROLE_SEM_READ : w->tokens > w->posts ? ROLE_RESERVED : ROLE_TAKE);
    return w->tokens < 1 && !w->asked ? 0 : EV_SEM_WAIT;
}

static uint8_t open_take(const struct object_state *s, const struct event *e)
{
    return OPEN_TAKE; /* it was not 0 */
}

static uint8_t open_try(const struct object_state *s, const struct event *e)
{
    return e->other || e->value ? OPEN_TAKE : OPEN_GIVE;
}

static uint8_t open_post(const struct object_state *s, const struct event *e)
{
    return e->value > 1 ? OPEN_TAKE : OPEN_GIVE;
}

static uint8_t open_value(const struct object_state *s, const struct event *e)
{
    return e->value ? OPEN_TAKE : OPEN_GIVE;
}

#define TAKING .object = OBJECT_SEMAPHORE, .learn = learn, \
               .role = {ROLE_TAKE, ROLE_SEM_READ}, .perform = take, \
               .reversed = reversed_take, .done = "takes {o}, leaves {v}"

const struct operation op_SEM_WAIT = {
    TAKING, .traits = OP_BLOCKS | OP_INTERRUPTIBLE, .needs = OPEN_TAKE, .possible = has_token,
    .next = next_of_taker, .overtakes_of = wait_overtakes, .closed = found_none, .open = open_take,
    .failed = "is interrupted waiting for {o}"};
const struct operation op_SEM_TRYWAIT = {TAKING, .open = open_try, .failed = "trywait {o} fails"};
const struct operation op_SEM_TIMEDWAIT = {
    TAKING, .traits = OP_TIMEOUT, .open = open_try, .failed = "times out on {o}"};
const struct operation op_SEM_POST = {
    .object = OBJECT_SEMAPHORE, .learn = learn, .role = {ROLE_POST, ROLE_SEM_READ}, .perform = post,
    .open = open_post, .done = "posts {o}, now {v}", .failed = "cannot post {o}: it would overflow"};
const struct operation op_SEM_GETVALUE = {
    .object = OBJECT_SEMAPHORE, .learn = learn, .role = {ROLE_SEM_READ, ROLE_SEM_READ}, .perform = get_value,
    .open = open_value, .done = "reads {o}: {v}"};

const struct operation op_BINARY_WAIT = {
    .object = OBJECT_SEMAPHORE, .learn = learn, .role = {ROLE_ACQUIRE, ROLE_ACQUIRE}, .needs = OPEN_TAKE,
    .traits = OP_BLOCKS | OP_WHOLE, .overtakes = ROLE_SET(ACQUIRE), .possible = has_token,
    .perform = take, .open = open_take, .done = "takes {o}"};
const struct operation op_BINARY_POST = {
    .object = OBJECT_SEMAPHORE, .learn = learn, .role = {ROLE_RELEASE, ROLE_RELEASE}, .needs = OPEN_GIVE,
    .traits = OP_BLOCKS | OP_PAST_TAKERS, .overtakes = ROLE_SET(RELEASE), .possible = has_none,
    .perform = post, .open = open_post, .done = "posts {o}, now {v}"};
