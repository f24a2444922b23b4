/* Files that threads share are steps (file_steps.c). */
#ifndef RT_FILE_STEPS_H
#define RT_FILE_STEPS_H

#include "rt/core/rt.h"

#include <stdio.h>

#pragma GCC visibility push(hidden)

/* Around a call that may change a file (looks: that cannot): announces it and returns when it is the
 * thread's turn. NULL: it is no step, as long as there is one thread, or of what is not a file. */
struct event *file_step_path(int at, const char *path, bool follow, bool looks, uint64_t pc);
struct event *file_step_fd(int fd, bool looks, uint64_t pc);
/* The path is absolute, and resolved. */
struct event *file_step_known(const char *path, bool looks, uint64_t pc);
void file_step_done(struct event *op, bool changed); /* op may be NULL */
/* The call that follows uses a stream: after what others did with it, before what they will do. */
void file_step_stream(FILE *f, uint64_t pc);
struct event *file_step_flush(FILE *f, uint64_t pc); /* what it holds back comes into its file */
/* The same for what a process has one of and is in nobody's memory: exit handlers, keys. */
struct event *table_step(uint64_t object, const char *name, bool looks, uint64_t pc);
void table_done(struct event *op, bool changed); /* op may be NULL */
/* What is used now is not in memory that an engine which compares states would see. */
void file_state_is_elsewhere(void);

/* The absolute path as the kernel resolves it; the last part may not exist. */
bool file_path(int at, const char *path, bool follow, char out[]);

#pragma GCC visibility pop

#endif
