/* Synchronization sequences on their way from a worker to the host: one behind the other in the worker's
 * file (config.traces_fd), each a word with the number of words that follow, then its threads, then its
 * operations in canonical order. An operation is one word, a receive and a thread are two:
 *
 *   kind << 56 | thread << 48 | object       CHOOSE: the value; START: the function it runs
 *   which << 16 | other                      RECEIVE: message `which` (from 1) of thread `other` to the port
 *                                            START: thread `other` created it as its child `which` (from 1)
 *
 * Threads are numbered as they like; only what START says about them has a meaning outside. */
#ifndef TRACE_SPOOL_H
#define TRACE_SPOOL_H

#include "object/object.h"

#include <stdbool.h>

static inline uint64_t spool_word(unsigned kind, unsigned thread, uint64_t object)
{
    return (uint64_t)kind << 56 | (uint64_t)thread << 48 | (object & 0xffffffffffffull);
}

static inline uint64_t spool_second(uint64_t which, unsigned other)
{
    return which << 16 | other;
}

enum { SPOOL_THREAD = EV_START }; /* this word names a thread */

/* Does the operation of the word, which may come from a worker that died, receive from somebody? */
static inline bool spool_receives(uint64_t word)
{
    return word >> 56 < EVENT_KINDS && operation_is(word >> 56, OP_ONE_SOURCE);
}

static inline bool spool_is_two(uint64_t word)
{
    return word >> 56 == SPOOL_THREAD || spool_receives(word);
}

#endif
