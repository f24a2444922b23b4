/* Announcing operations, deciding who goes on, switching (sched.c). */
#ifndef RT_SCHED_H
#define RT_SCHED_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Announces the pending operation in rt.next[rt.current] (filled by sched_op) and returns when the
 * engine has picked this thread; the operation must then be performed and logged at once. */
static inline struct event *sched_op(enum event_kind kind, uint64_t object, uint32_t size,
                                     uint64_t pc)
{
    struct event *op = &rt.next[rt.current];
    *op = (struct event){
        .head = EVENT_HEAD(kind, (uint16_t)rt.current), .object = object, .size = size, .pc = pc};
    return op;
}
void sched_visit(void);
void sched_visit_blocking(struct sync *s); /* as above; sync_ready(thread) says when it may go on */
void sched_log(const struct event *op);    /* appends the performed operation to the trace */
void sched_log_local(enum event_kind kind, uint64_t object, uint64_t value, uint64_t other,
                     uint64_t pc);
/* The same for operations that follow another (operation.follows), which may have let them go on. */
void sched_log_followed(enum event_kind kind, uint64_t object, uint64_t value, uint64_t other,
                        uint64_t pc);
int sched_branch(const struct event *op, int n);
int sched_symbolic(int usual, uint64_t pc); /* which way a branch on a symbolic value is to go */
int sched_choose(int n, uint64_t pc); /* process.c: an input of the program, 0 … n-1 */
/* Index + 1 of the event under way: that of the step, if it is about to be logged, or the last one. */
static inline uint32_t sched_event_now(void)
{
    const struct trace *t = rt.trace;
    bool logged = !t->step_count || t->steps[t->step_count - 1].event != t->event_count;
    return t->event_count + !logged;
}
/* Puts a thread on the run stack; `by`: index + 1 of the event that lets it go on. */
static inline void sched_run_local_by(int thread, uint32_t by)
{
    rt.all[thread].state = THREAD_LOCAL;
    rt.all[thread].enabled_by = by;
    rt.run_stack[rt.run_count++] = thread;
}
static inline void sched_run_local(int thread)
{
    sched_run_local_by(thread, sched_event_now());
}
void sched_park(struct thread *t); /* it stands before no operation until then */
void sched_wait_local(enum thread_state state); /* gives up control until sched_run_local */
void sched_wait_parked(struct sync *s, uint64_t pc); /* the same at an object, or NULL */
void sched_yielded(uint64_t pc);
/* The running thread does not go on any more; the others do, if the engine needs that. */
void sched_leave_behind(enum outcome o) __attribute__((noreturn));
/* An assumption has failed, and the engine has no use for the rest of the execution: the others go on in one
 * way only, to be seen which variables they share. */
static inline bool sched_only_looks(void)
{
    return RT_UNLIKELY(rt.discarded) && !rt.strategy->needs_ends;
}
/* The running thread has come to a bug that ends the program. And: the execution ends at one, though others
 * could go on. */
void sched_fail(void) __attribute__((noreturn));
void sched_note_behind(void);
/* Others may go on for ever though the process could end, or has ended: they are not followed for long. */
void sched_limit_rest(void);
void sched_stay_behind(void) __attribute__((noreturn)); /* … whether it needs that or not, until a limit */
void sched_log_only(const struct event *op); /* that does not concern the detection of loops */
void sched_end_execution(enum outcome o) __attribute__((noreturn)); /* from a fiber */
void sched_reset(void);
/* only_free: a mutex is free again, what it protects was not changed. */
void sched_wake_spinners(uint64_t object, uint32_t size, bool only_free);

#pragma GCC visibility pop

#endif
