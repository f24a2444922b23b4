/* Sharing a search: the values that workers and those who hand out work exchange. Every value
 * is self-contained and a sequence of numbers in LEB128 (7 bits per byte, low ones first), so it can
 * go through a file or a network to a machine of any kind. It begins with WORK_MAGIC, WORK_VERSION
 * and its kind.
 *
 *   ACT       object, object2, size, thread, role, kind
 *   ACTS      count, ACT…
 *   SET       threads: count, number…
 *   LIST      alternatives: (1, ACT, pick, branch, LIST below it)… 0
 *
 * Engines that keep the shared states in a grove (explore/share/grove.h): a portion of the search is what
 * lies below a leaf of it.
 *   ITEM      where a worker is: the number of the leaf, steps n, base (those before it are shared); per
 *             step: pick, branch, SET enabled, finished alternatives, ACTS asleep, what the engine keeps
 *             of it; then, if n is not 0, what it knows of the next one. n 0: nobody has been there
 * On a farm, where everybody has a copy of it:
 *   TOLD      worker → all: what it did to the shared states (explore/share/tell.h)
 *   LEAVES    all → worker: portions nobody has been in: count, leaf…
 *   ANSWER    to what was told: the leaf it is in now
 *
 * Engines whose pending work is independent (engine_class.give; farm/pool.h): what they give away or save is
 * known to them alone.
 *   PART      a portion: its level, then bytes of the engine's own; none: the whole search
 *   GIFT      worker → pool: whether its own portion is done; count, (length, what a PART is)…
 *   ANSWER    it was taken
 * Engines whose executions are numbered (sampling), on a farm:
 *   RANGE     executions: the first number, how many */
#ifndef TRACE_WORK_H
#define TRACE_WORK_H

#include "object/dependence.h"
#include "trace/tset.h"

#include <stddef.h>

#define WORK_MAGIC 0x5244u
#define WORK_VERSION 2u

enum work_kind {
    WORK_NONE,
    WORK_ITEM,
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
    bool own;    /* read by the worker that wrote it: it may have its addresses (object/section.h) */
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

#endif
