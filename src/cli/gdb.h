/* The replay of a schedule under gdb: this process becomes gdb. */
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include "base/opt.h"
#include "host/jobs.h"

/* Returns only if gdb could not be started. until: the step to stop at, 0 = at the finding. */
int gdb_exec(const struct job *j, const char *program, uint32_t until, const struct opt_list *args,
             struct error *e);

#endif
