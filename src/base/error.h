/* Errors: what happened and what to do about it. Functions that can fail return 0 or a
 * negative code and fill a struct error; the command line prints it and picks the exit status. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

/* Exit statuses of the tool (see raddle(1)). */
enum {
    EXIT_SAFE = 0,
    EXIT_BUG = 1,
    EXIT_INCOMPLETE = 2,
    EXIT_CANNOT_START = 3,
    EXIT_USAGE = 64,
    EXIT_INTERNAL = 70,
    EXIT_UNWRITTEN = 74, /* no bug, but a file that was asked for could not be written */
};

struct error {
    int status;      /* exit status this error deserves; 0 = no error */
    char what[1024]; /* "cannot read model.pict: No such file or directory" */
    char todo[512];  /* "build it with: raddle cc …"; may be empty */
    int ours;        /* raddle is at fault: printed with what is needed to look into it */
};

/* Fills e (which may be NULL) and returns -1, so that `return error_set(…)` reads well. */
int error_set(struct error *e, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int error_todo(struct error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* raddle itself is at fault: EXIT_INTERNAL, and printed as a text to send to its makers. */
int error_internal(struct error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "raddle: WHAT\n        TODO" on stderr; returns the status. */
int error_print(const struct error *e);
/* The same as a warning: the tool goes on. */
void error_warn(const struct error *e);

/* What a command ends with that could not write all it was asked for: whoever relies on a file must not take
 * its absence for success. A status that is not 0 or 2 says more, and stays. */
int error_unwritten(int status);

/* For conditions that cannot be handled: prints and exits with EXIT_INTERNAL. */
void error_fatal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
