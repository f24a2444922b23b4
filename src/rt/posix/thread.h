/* Inside the runtime: what thread.c, exit.c and keys.c ask of each other. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "rt/core/rt.h"

#include <time.h>

#include <pthread.h>

int thread_of(pthread_t handle); /* -1: none */
int thread_named(pthread_t handle, int *id, uint64_t pc); /* 0 or ESRCH; a finding where that would crash */
int thread_joinable(pthread_t handle, int *id, uint64_t pc); /* 0, or why the caller cannot join it */
int thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                  uint64_t pc);
int thread_join(pthread_t handle, void *result, uint32_t size, uint64_t pc); /* size: of *result */

void thread_end(void *result);      /* of the running thread; does not return */
struct sync *thread_end_of(int thread); /* what its end is an event on */
void thread_main_resumed(void) __attribute__((noreturn)); /* exit.c: all is over, end the program */
void thread_run_main(void) __attribute__((noreturn));     /* exit.c: calls main */
bool thread_status_is_seen(void); /* exit.c: a handler is given the status that the process ends with */
void thread_name(int id, uint64_t text[2]); /* that it was given, filled up with zeros */
void thread_warn_unjoined(void);
bool thread_alone(void); /* is every other thread known to have ended? The same in equivalent executions */

/* As called by the program at pc. */
int mutex_lock(pthread_mutex_t *m, bool tries, uint64_t pc);
int mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until, uint64_t pc);
int mutex_unlock(pthread_mutex_t *m, uint64_t pc);
int mutex_unlock_own(pthread_mutex_t *m, uint64_t pc); /* of any type: who does not hold it may not */
struct sync *mutex_of(const pthread_mutex_t *m);
int cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until, uint64_t pc);
int cond_signal(pthread_cond_t *c, bool all, uint64_t pc);
int once_run(pthread_once_t *control, void (*routine)(void), uint64_t pc);
void once_thread_ends(void); /* inside of a once routine, without unwinding */
void mutex_owner_ends(void); /* robust mutexes of the running thread */

void keys_begin(struct thread *t);
void keys_end(struct thread *t); /* destructors of thread-specific data */
void keys_reset(void);
void keys_freeze(void); /* main begins */

void locals_reset(void); /* cxx_guard.c */
void locals_end(void);   /* destructors of the running thread's thread_local variables */

void exit_freeze(void);
void exit_reset(void);
void exit_set_main(int (*main)(int, char **, char **), int argc, char **argv, char **envp);

#pragma GCC visibility push(hidden)

void thread_reset(void);
void thread_start_main(void);
void thread_finish_program(void) __attribute__((noreturn)); /* after main and all other threads */
void thread_quick_exit(int status) __attribute__((noreturn)); /* _exit(): no handlers */

#pragma GCC visibility pop

#endif
