/* Inside the runtime: what thread.c, exit.c and keys.c ask of each other. */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "rt/rt.h"

void thread_end(void *result);      /* of the running thread; does not return */
void thread_main_resumed(void) __attribute__((noreturn)); /* exit.c: all is over, end the program */
void thread_run_main(void) __attribute__((noreturn));     /* exit.c: calls main */
void thread_warn_unjoined(void);

void keys_begin(struct thread *t);
void keys_end(struct thread *t); /* destructors of thread-specific data */
void keys_reset(void);

void locals_reset(void); /* cxx_guard.c */
void locals_end(void);   /* destructors of the running thread's thread_local variables */

void exit_freeze(void);
void exit_reset(void);
void exit_set_main(int (*main)(int, char **, char **), int argc, char **argv, char **envp);

#endif
