/* The tested program as a file: can it run under raddle at all, and which build is it? */
#ifndef HOST_PROGRAM_H
#define HOST_PROGRAM_H

#include "base/error.h"

struct program {
    char *path; /* absolute */
    char *id;   /* build-id in hexadecimal, or "SIZE-HASH" if it has none */
    int sections; /* it calls what begins atomic sections */
};

/* Checks that `name` is an executable built with raddle cc. Every way it is not has its own message
 * and the status EXIT_CANNOT_START. */
int program_open(struct program *p, const char *name, struct error *e);
void program_free(struct program *p);

/* The same of raddle itself; the caller's. */
char *program_own_id(void);

#endif
