/* Sharing a search: the values that workers and the coordinator (farm/share.h) exchange. Every value
 * is self-contained and a sequence of numbers in LEB128 (7 bits per byte, low ones first), so it can
 * go through a file or a network to a machine of any kind. It begins with WORK_MAGIC, WORK_VERSION
 * and its kind.
 *
 * A worker owns what lies below a *portion* of the search: the first `base` steps belong to the
 * coordinator as *frames*, each a state with its branches in a fixed order. A branch is a *leaf*, and
 * then all below it belongs to one worker (or, once that has split it, to further frames), or an inner
 * node of a wakeup tree: then the state below it is a frame too.
 *
 *   ACT       object, object2, size, thread, role, kind
 *   ACTS      count, ACT…
 *   SET       threads: count, number…
 *   LIST      alternatives: (1, ACT, pick, branch, LIST below it)… 0
 *   STEP      pick, branch, SET enabled, finished alternatives, ACTS asleep, ACTS done
 *
 *   ITEM      a portion, untouched or on its way (a checkpoint): frame and branch it hangs on, spare
 *             (the number for the frame of the next split, 0 = none), confirm (the steps from the
 *             next number on are to be reported), steps n, base;
 *             per step: STEP, LIST of the alternatives there; then what comes next: expecting, ACT
 *             expected, LIST to follow. base > n: the LIST is one sequence that leads to a leaf.
 *   SPLIT     worker → coordinator: the states from `base` to `last` become frames: frame, branch,
 *             spare, base, last; per step: STEP, known, ACT performed; then LIST of the alternatives
 *             at `last`.
 *   REPORT    worker → coordinator, after an execution: frame, branch, done (nothing is left), base;
 *             count, (step, ACT performed, SET enabled, ACTS asleep)…;
 *             count, (step, by thread, SEQUENCE)…: what must be explored from frames, unless it is
 *             covered there.
 *   SEQUENCE  count, (ACT, pick, branch, count, (thread, how many items of it come before)…)…
 *   ANSWER    coordinator → worker: spare, frame and branch its portion hangs on, count, (step, LIST
 *             of the alternatives there now)…
 *
 * Engines whose pending work is independent (engine_class.parts; farm/pool.h) need no frames: what they
 * give away or save is known to them alone.
 *   PART      a portion: its level, then bytes of the engine's own; none: the whole search
 *   GIFT      worker → coordinator: whether its own portion is done; count, (length, what a PART is)…
 * Engines whose executions are numbered (sampling), on a farm:
 *   RANGE     executions: the first number, how many
 *
 * Engines that keep the shared states in a grove (explore/share/grove.h), on a farm, where everybody has a
 * copy of it: a portion is a leaf, its frame number, and
 *   TOLD      worker → all: what it did to the shared states (explore/share/tell.h)
 *   LEAVES    all → worker: portions nobody has been in: count, frame…
 *   ANSWER    to a split: the frame of what it has kept */
#ifndef TRACE_WORK_H
#define TRACE_WORK_H

#include "object/dependence.h"
#include "trace/tset.h"

#include <stddef.h>

#define WORK_MAGIC 0x5244u
#define WORK_VERSION 1u

enum work_kind {
    WORK_NONE,
    WORK_ITEM,
    WORK_SPLIT,
    WORK_REPORT,
    WORK_ANSWER,
    WORK_PART,
    WORK_GIFT,
    WORK_RANGE,
    WORK_TOLD,
    WORK_LEAVES,
    WORK_KINDS
};

/* Bytes being written (length grows up to room) or read (at grows up to length). */
struct work {
    unsigned char *bytes;
    uint64_t room, length, at;
    bool failed; /* there was no room, or what was read is not well-formed */
};

void work_begin(struct work *w, enum work_kind kind); /* empties it */
enum work_kind work_open(struct work *w);             /* from its start; NONE: not one of ours */

void work_put(struct work *w, uint64_t value);
/* With a fixed number of bytes: another value can be put in its place. */
enum { WORK_WIDE = 5, WORK_HEAD = 5 }; /* bytes of such a value; of what work_begin writes */
void work_put_wide(struct work *w, uint32_t value);
/* A GIFT with one part, or none; the part is what is written between its level and work_end_gift. */
void work_begin_gift(struct work *w, bool done, bool part, uint64_t level);
void work_end_gift(struct work *w);
/* The frame of an ITEM is such a value, and comes first. */
void work_set_frame(struct work *item, uint32_t frame);
uint64_t work_get(struct work *w);
void work_put_act(struct work *w, const struct act *a);
struct act work_get_act(struct work *w);
void work_put_set(struct work *w, const struct tset *s);
struct tset work_get_set(struct work *w);
void work_skip_list(struct work *from);

#endif
