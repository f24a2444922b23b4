/* Waiting for anything that is not a synchronization object (block.c). */
#ifndef RT_BLOCK_H
#define RT_BLOCK_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

enum block_result { BLOCK_READY, BLOCK_TIMEOUT, BLOCK_INTERRUPTED };
/* Announces the operation (again and again, while it is not ready); on BLOCK_READY the operation in
 * rt.next[rt.current] is to be performed and then logged with block_done. */
struct block_op {
    enum event_kind kind;
    uint32_t size;
    uint64_t other;
    bool timed;
    bool waits; /* it is not ready, the thread has looked */
};
enum block_result block_wait(struct blocker *b, const struct block_op *w, uint64_t pc);
void block_done(struct event *op); /* logs a performed operation and looks who can go on now */
void block_recheck(void);
void block_interrupt(int thread);  /* its wait ends with BLOCK_INTERRUPTED */
void block_cancel(int thread);     /* the same, if it waits where a request to cancel it ends the wait */
/* After it: cancels the thread or runs handlers; does the wait end (EINTR)? */
bool block_was_interrupted(uint64_t pc);
/* Instead, if what the thread waited for came first: handlers run, a request to cancel it stays. */
void block_came_first(void);
void block_not_at_all(void); /* the running thread is cancelled already */
bool block_interruptible(const struct thread *t); /* its wait, by a signal or a cancellation */

#pragma GCC visibility pop

#endif
