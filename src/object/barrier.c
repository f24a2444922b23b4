/* Barriers: `count` of `limit` threads have arrived, `holders` wait there. Arrivals are
 * independent, except of the one that opens it, which everybody who leaves follows.
 *
 * MEET is an arrival at a barrier of which no thread looks who was last, and which no more threads
 * come to than it takes (rt/posix/barrier.c sees to both): all arrivals of one opening are alike, so
 * none is dependent with another, and everybody who goes on follows all of them. */
#include "object/object.h"

#include "base/ensure.h"

static void arrive(struct object_state *s, struct event *op)
{
    ensure(op->thread < EVENT_MAX_THREADS);
    s->count++;
    op->value = (uint32_t)s->count == s->limit;
    op->other = s->limit - (uint32_t)s->count;
    if (op->value) {
        s->count = 0;
        s->holders = (struct tset){{0}};
    } else {
        tset_add(&s->holders, op->thread);
    }
}

static void learn(struct object_state *s, const struct event *e, bool first)
{
    if (first)
        s->limit = (uint32_t)e->other + 1;
}

static int role_of_arrival(const struct event *e)
{
    return e->value ? ROLE_OPEN : e->other == 1 ? ROLE_LAST_BUT_ONE : ROLE_ARRIVE;
}

static int reversed_arrival(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    return past->role == ROLE_OPEN ? ROLE_OPEN : ROLE_LAST_BUT_ONE;
}

const struct operation op_BARRIER = {
    .object = OBJECT_BARRIER, .role = {ROLE_ARRIVE, ROLE_ARRIVE}, .pending = ROLE_OPEN,
    .then = EV_BARRIER_LEAVE, .traits = OP_BY_VALUE, .role_of = role_of_arrival, .perform = arrive,
    .learn = learn, .reversed = reversed_arrival,
    .done = "arrives last at {o}: it opens", .failed = "arrives at {o}"};

static void meet(struct object_state *s, struct event *op)
{
    arrive(s, op);
    op->value = 0;
    op->other = s->limit;
}

static void learn_meeting(struct object_state *s, const struct event *e, bool first)
{
    if (first)
        s->limit = (uint32_t)e->other;
}

const struct operation op_MEET = {
    .object = OBJECT_BARRIER, .role = {ROLE_MEET, ROLE_MEET}, .then = EV_MET, .perform = meet,
    .learn = learn_meeting, .done = "arrives at {o}"};
const struct operation op_MET = {
    .object = OBJECT_BARRIER, .role = {ROLE_NONE, ROLE_NONE}, .follows = FOLLOWS_MEETING,
    .traits = OP_SILENT, .done = "goes on after the barrier"};
const struct operation op_BARRIER_LEAVE = {
    .object = OBJECT_BARRIER, .role = {ROLE_NONE, ROLE_NONE}, .follows = FOLLOWS_OBJECT,
    .traits = OP_SILENT,
    .done = "goes on after the barrier"};
