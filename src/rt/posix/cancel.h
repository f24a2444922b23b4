/* Cancellation of threads and cleanup handlers (cancel.c). */
#ifndef RT_CANCEL_H
#define RT_CANCEL_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void cancel_init(void);
void cancel_look(uint64_t pc);
/* Ends the thread if it is to be cancelled. */
static inline void cancel_point(uint64_t pc)
{
    if (RT_UNLIKELY(rt.cancels))
        cancel_look(pc);
}
void cancel_in_call(uint64_t pc); /* the same in a function that passes through, if the program called it */
bool cancel_acts(const struct thread *t); /* wanted, and not disabled */
/* Asynchronous cancellation, before what the running thread announces: it may do more if it does not wait
 * there. */
void cancel_attend(bool may_put_off);
/* Nobody can go on, and somebody who waits is to be cancelled: in another execution he acted before. */
bool cancel_put_off(void);
bool cancel_now_or_later(void); /* did a request come while it stood before rt.self->announced? */
void cancel_any_time_point(uint64_t pc); /* where it matters if that can happen anywhere */
void cancel_now(uint64_t pc) __attribute__((noreturn)); /* of the running thread, in the step under way */
/* EVENT_CANCELLABLE if a request could interrupt the running thread where it waits now. */
uint8_t cancel_flag(void);
bool cancel_any_time(const struct thread *t); /* at every operation */
void cancel_exit(void *result) __attribute__((noreturn)); /* cleanup handlers, then the end */

#pragma GCC visibility pop

#endif
