/* For interposed functions: outside of an execution under control (the program runs on its own, or
 * before main) the call goes straight to the C library. */
#ifndef RT_INTERPOSE_H
#define RT_INTERPOSE_H

#include "rt/core/rt.h"

/* PASSIVE(pthread_mutex_lock, m): returns the real function's result if nothing is controlled. */
#define PASSIVE(function, ...)                                                                     \
    do {                                                                                           \
        static __typeof__(&function) real;                                                         \
        if (RT_UNLIKELY(!rt.active)) {                                                             \
            if (!real)                                                                             \
                real = rt_real(#function);                                                         \
            return real(__VA_ARGS__);                                                              \
        }                                                                                          \
    } while (0)

/* The real function itself. */
#define REAL(function)                                                                             \
    ({                                                                                             \
        static __typeof__(&function) real;                                                         \
        if (!real)                                                                                 \
            real = rt_real(#function);                                                             \
        real;                                                                                      \
    })

#endif
