/* Starting a worker: the tested program as a process, with the region, standard input and output it
 * gets, address-space randomization off, core dumps off, killed with the host. */
#ifndef HOST_WORKER_H
#define HOST_WORKER_H

#include "host/region.h"

#include <sys/types.h>

struct worker_spec {
    const char *path;
    char *const *argv;     /* argv[0] …, NULL-terminated */
    const char *directory; /* NULL = where the host is */
    int input;             /* descriptor with all of the standard input, -1 = /dev/null */
    int team; /* eventfd of a shared search, -1 = none */
    int budget; /* eventfd with the executions that its workers may still perform, -1 = no limit */
    int grove; /* memory that its workers share, -1 = none */
    int show_output;
    const char *wrap; /* words of a command to run the worker under ("valgrind -q"), or NULL */
};


/* record_fd (or -1) is handed on and its number in the worker stored in config.record_fd; log (or -1)
 * becomes the worker's stderr. Returns the pid, or -1. */
pid_t worker_start(const struct worker_spec *spec, struct region *r, int record_fd, int log,
                   struct error *e);

/* In a child that is going to exec: sets everything up; -1 with errno set. For raddle replay --gdb. */
int worker_prepare(const struct worker_spec *spec, struct region *r, int record_fd, int log);

/* All of stdin in a memfd, if it is a file or a pipe; -1 if it is a terminal, /dev/null or closed. */
int worker_spool_stdin(void);

/* What the program said when it could not be started: its first line on stderr, or "". */
void worker_start_message(const struct worker_spec *spec, struct region *r, char *out, size_t size);

#endif
