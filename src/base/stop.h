/* What asks a command to end early: SIGINT, SIGTERM or SIGHUP. The first asks it to finish and to tell
 * what it has, the second to stop at once, and at the third the process ends on the spot (its workers
 * with it: they die with their host). */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stddef.h>
#include <sys/types.h>

void stop_watch(void);    /* from now on signals are counted */
int stop_asked(void);     /* how often so far */
int stop_signal(void);    /* the last one, 0 = none */

/* In a new child: it dies with its parent. It gets a process group of its own, so that a Ctrl-C reaches
 * it only through its parent. */
void stop_child(pid_t parent);

/* read(2) of what a child says. Signals that come meanwhile are passed on to it; *told counts those it
 * got (begin with stop_asked()). */
ssize_t stop_read(int fd, void *data, size_t n, pid_t child, int *told);

#endif
