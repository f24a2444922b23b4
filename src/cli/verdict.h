/* What a command says, kept while it says it: printed at the end, and written as JUnit XML if that
 * is wanted; and what it ends with if it made several runs. */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "base/error.h"
#include "base/sbuf.h"

/* One test: its first line is the verdict. `path` may be NULL or "-"; 0, or -1 and an error. */
int verdict_junit(const char *path, const char *command, const char *name, double seconds,
                  int status, const struct sbuf *text, struct error *e);

/* The exit status of two runs of raddle run that end with these. */
int verdict_worse(int a, int b);

#endif
