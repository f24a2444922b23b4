/* The places of a bounded port are an object beside it: `count` are free, `posts` were taken so far. Which
 * senders took the first ones does not matter. One that could take none before the receiver had given one
 * back comes after that; the n-th given back is for the n-th who came too late for the first ones, so those
 * are in order. As long as a port can never be full (sync/places.c) its places matter to nobody. */
#include "object/object.h"

#include "base/ensure.h"

static bool has_place(const struct object_state *s, const struct event *op)
{
    return s->count > 0;
}

static void take_place(struct object_state *s, struct event *op)
{
    ensure(s->count > 0);
    s->count--;
    op->value = ++s->posts;
}

static void give_place(struct object_state *s, struct event *op)
{
    ensure((uint32_t)s->count < op->size);
    s->count++;
    op->value = s->posts + (uint32_t)s->count - op->size;
}

static void learn_places(struct object_state *s, const struct event *e, bool first)
{
    if (first)
        s->count = (int32_t)e->size;
}

static int nth_place(uint64_t n, uint64_t places)
{
    return n < places ? ROLE_PLACE : n == places ? ROLE_PLACE_LAST : ROLE_PLACE_LATER;
}

static int role_of_place(const struct event *e)
{
    return e->other ? nth_place(e->value, e->size) : ROLE_NONE;
}

static int role_of_free(const struct event *e)
{
    return e->other ? ROLE_PLACE_FREE : ROLE_NONE;
}

static int reversed_place(const struct object_past *past, const struct event *e, unsigned kind, int was)
{
    int between = past->balance(past, ROLE_PLACE, ROLE_NONE, ROLE_NONE) +
                  past->balance(past, ROLE_PLACE_LAST, ROLE_NONE, ROLE_NONE) +
                  past->balance(past, ROLE_PLACE_LATER, ROLE_NONE, ROLE_NONE);
    return nth_place(past->first->value + (unsigned)between, past->first->size);
}

const struct operation op_PORT_PLACE = {
    .object = OBJECT_SEMAPHORE, .role = {ROLE_PLACE, ROLE_NONE}, .pending = ROLE_PLACE_LATER,
    .traits = OP_BLOCKS, .role_of = role_of_place, .possible = has_place, .perform = take_place,
    .learn = learn_places, .reversed = reversed_place, .needs = OPEN_TAKE,
    .done = "takes place number {v}", .waits = "waits until there is room in a port"};
const struct operation op_PORT_FREE = {
    .object = OBJECT_SEMAPHORE, .role = {ROLE_PLACE_FREE, ROLE_PLACE_FREE}, .role_of = role_of_free,
    .perform = give_place, .learn = learn_places, .done = "gives back place number {v}"};
