/* The states of all objects after each event of a trace, computed from the events alone: every event is
 * performed on the automaton of its object, and what the automaton says is compared with the record. For
 * whoever asks what another order would have done: is this operation possible at that state, and is that
 * state the same as another (object_possible, object_same, object_hash).
 *
 * How an object was initialised is no event: it is learned from the first one (operation.learn).
 *
 * Two kinds of state cannot be computed from events, and are not guessed:
 *   memory       a plain access is an event only where it was seen in a race, so between two events anybody
 *                may have written, and what a value becomes in another order follows from the program's code.
 *                The record of an access has the value that was there; engine.peek reads what is there now;
 *                an engine that needs all of it makes every access a step (engine_class.every_access).
 *   descriptors  of which an end was closed, or which are no pipe or pair of stream sockets: only the kernel
 *                knows. The state says so (`kind` is 1, see descriptor.c) and every operation is held to be
 *                possible there: whether it is, an execution shows (engine_class.refused). */
#ifndef OBJECT_REPLAY_H
#define OBJECT_REPLAY_H

#include "base/htable.h"
#include "object/object.h"

struct object_at {
    uint64_t address;
    uint8_t kind; /* enum object_kind */
    bool known;   /* an event has told how it was initialised */
    struct object_state state;
};

struct object_replay {
    struct object_at *objects; /* in the order in which events touched them */
    struct htable place_of;    /* by address and kind; a run is a trace */
    uint32_t room;
    bool full; /* some objects are missing */
};

/* Room for so many objects. -1: the arena is too small. */
int object_replay_init(struct object_replay *r, struct arena *a, uint32_t room);

/* Before the first event of a trace. */
void object_replay_begin(struct object_replay *r);

/* Event i of the trace has happened. False: its record is not what the automaton says. */
bool object_replay_event(struct object_replay *r, const struct event *events, uint32_t i);

/* The state now, NULL if no event touched the object. */
const struct object_state *object_replay_state(const struct object_replay *r, enum object_kind kind,
                                               uint64_t address);

/* Is a pending operation, which is not a selective wait, possible now? */
bool object_replay_possible(const struct object_replay *r, const struct event *op);

#endif
