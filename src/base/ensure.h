/* Invariants of raddle itself. A condition that does not hold is an internal error, wherever it is
 * noticed: the tool says so and exits with EXIT_INTERNAL (base/ensure.c); inside the tested program, where
 * assert() would be the program's, the runtime leaves word for the host, which says so (rt). It is never a
 * finding, and always on. Nothing is allocated. */
#ifndef BASE_ENSURE_H
#define BASE_ENSURE_H

#define ensure(condition)                                                                          \
    (__builtin_expect(!!(condition), 1) ? (void)0 : ensure_failed(#condition, __FILE__, __LINE__))

void ensure_failed(const char *condition, const char *file, int line) __attribute__((noreturn, cold));

#endif
