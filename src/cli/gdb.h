/* The replay of a schedule in a debugger. */
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include "base/opt.h"
#include "host/jobs.h"
#include "report/names.h"

struct gdb_plan {
    const char *program, *schedule; /* files */
    uint32_t until;                 /* the step to stop at, 0 = at the finding */
    uint32_t steps;                 /* of the schedule */
    int force;                      /* though the program was built anew */
    int starts;                     /* at once */
};

/* The threads of a recording of the execution, by their names. */
int gdb_threads(const struct tale *t);

/* What gdb is to do, a file for its -x: the names are those of the recording's threads. 0 or -1. */
int gdb_write_script(const struct gdb_plan *p, struct names *n, const char *path, struct error *e);

/* This process becomes gdb with the script, or the program itself, under a debugger that is to see `threads`
 * threads. They return only if that failed. */
int gdb_exec(const char *program, const char *script, const struct opt_list *args, struct error *e);
int gdb_become(const struct job *j, uint32_t until, uint16_t threads, struct error *e);

#endif
