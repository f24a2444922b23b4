/* Threads, which begin and end: `destroyed` when it has ended. Creating and joining order events
 * directly (explore/dpor/happens.c); looking whether a thread has ended is an operation on it.
 * Also what concerns one thread alone: choices, yields, notes. */
#include "object/object.h"

static void end(struct object_state *s, struct event *op)
{
    s->destroyed = true;
}

static void try_join(struct object_state *s, struct event *op)
{
    op->value = s->destroyed;
}

static bool has_ended(const struct object_state *s, const struct event *op)
{
    return s->destroyed;
}

/* It goes on at once, whatever comes first. */
static unsigned next_of_joiner(const struct object_wait *w, uint8_t *role)
{
    *role = w->asked && !w->ended ? ROLE_CANCEL_SEEN : ROLE_NONE;
    return w->asked && !w->ended ? EV_CANCEL_POINT : w->ended ? w->kind : 0;
}

static uint64_t itself(const struct event *e)
{
    return e->thread;
}

#define ALONE .role = {ROLE_NONE, ROLE_NONE}

const struct operation op_JOIN_TRY = {
    .object = OBJECT_THREAD, .role = {ROLE_READ, ROLE_READ}, .traits = OP_BY_VALUE,
    .perform = try_join, .done = "joins a thread in time", .failed = "finds a thread not ended"};
const struct operation op_PREPARE = {
    .object = OBJECT_THREAD, .role = {ROLE_READ, ROLE_READ}, .traits = OP_SILENT | OP_UNNOTICED,
    .done = "goes on"};
const struct operation op_THREAD_END = {
    .object = OBJECT_THREAD, .role = {ROLE_WRITE, ROLE_WRITE}, .touch = TOUCH_ENDS,
    .touch_role = ROLE_CANCEL_SEEN, .perform = end, .done = "has ended"};

const struct operation op_CREATE = {
    ALONE, .object = OBJECT_THREAD, .traits = OP_OF_THREAD, .done = "creates {t}"};
const struct operation op_START = {
    ALONE, .object = OBJECT_THREAD, .traits = OP_SILENT | OP_OF_THREAD, .follows = FOLLOWS_THREAD,
    .done = "starts"};
const struct operation op_JOIN = {
    ALONE, .object = OBJECT_THREAD, .traits = OP_OF_THREAD, .follows = FOLLOWS_THREAD,
    .possible = has_ended, .next = next_of_joiner, .done = "joins {t}"};
const struct operation op_EXIT = {
    ALONE, .object = OBJECT_THREAD, .perform = end, .state_of = itself, .done = "ends"};

const struct operation op_NONE = {ALONE, .traits = OP_SILENT};
const struct operation op_CHOOSE = {
    ALONE, .follows = FOLLOWS_ITSELF, .done = "chooses {v} of {w}"};
const struct operation op_YIELD = {ALONE, .traits = OP_GIVES_WAY, .done = "yields"};
const struct operation op_SLEEP = {ALONE, .traits = OP_GIVES_WAY, .done = "sleeps {d}"};
const struct operation op_NOTE = {ALONE, .done = "note"};
const struct operation op_RENEW = {
    ALONE, .traits = OP_SILENT | OP_RENEWS, .done = "initialises {o} again"};
const struct operation op_SYMMETRIC = {ALONE, .done = "is one of symmetric threads"};
