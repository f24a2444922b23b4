#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int error_set(struct error *e, int status, const char *fmt, ...)
{
    if (!e)
        return -1;
    e->status = status;
    e->todo[0] = 0;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->what, sizeof e->what, fmt, ap);
    va_end(ap);
    return -1;
}

int error_todo(struct error *e, const char *fmt, ...)
{
    if (!e)
        return -1;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->todo, sizeof e->todo, fmt, ap);
    va_end(ap);
    return -1;
}

int error_print(const struct error *e)
{
    fprintf(stderr, "raddle: %s\n", e->what);
    if (e->todo[0])
        fprintf(stderr, "        %s\n", e->todo);
    return e->status;
}

void error_warn(const struct error *e)
{
    fprintf(stderr, "raddle: warning: %s\n", e->what);
    if (e->todo[0])
        fprintf(stderr, "        %s\n", e->todo);
}

void error_fatal(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("raddle: internal error: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(EXIT_INTERNAL);
}
