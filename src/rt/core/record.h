/* The trace of the running execution as it is written: steps, events, choices (record.c). */
#ifndef RT_RECORD_H
#define RT_RECORD_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void record_too_long(void) __attribute__((noreturn)); /* ends the execution at a limit */
/* Where the threads were in the first execution that was cut, after it. */
void record_tell_cut(void);
/* The program does not do what it did before; ends the execution. */
void record_diverged(const char *what, int thread) __attribute__((noreturn));

static inline void record_step(uint32_t pick, uint32_t branch)
{
    struct trace *t = rt.trace;
    t->steps[t->step_count++] =
        (struct step){.pick = (uint16_t)pick, .branch = (uint16_t)branch, .event = t->event_count};
}

/* Before a step. */
static inline void record_check_bounds(void)
{
    const struct trace *t = rt.trace;
    rt_pulse();
    if (RT_UNLIKELY(t->step_count >= rt.step_limit || t->event_count + 2 >= t->event_room))
        record_too_long();
}

#pragma GCC visibility pop

#endif
