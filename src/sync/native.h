/* The library as an ordinary pthread program has it. Nothing here knows of raddle. */
#ifndef SYNC_NATIVE_H
#define SYNC_NATIVE_H

#include "raddle/sync.h"

/* NATIVE(result, name, parameters, arguments): every function of raddle/sync.h. */
#define NATIVE_FUNCTIONS(NATIVE)                                                                   \
    NATIVE(void, semaphore_wait, (raddle_semaphore *s), (s))                                       \
    NATIVE(int, semaphore_try, (raddle_semaphore *s), (s))                                         \
    NATIVE(void, semaphore_post, (raddle_semaphore *s), (s))                                       \
    NATIVE(void, binary_wait, (raddle_binary *b), (b))                                             \
    NATIVE(void, binary_post, (raddle_binary *b), (b))                                             \
    NATIVE(void, lock_take, (raddle_lock *l), (l))                                                 \
    NATIVE(void, lock_release, (raddle_lock *l), (l))                                              \
    NATIVE(void, monitor_enter, (raddle_monitor *m), (m))                                          \
    NATIVE(void, monitor_leave, (raddle_monitor *m), (m))                                          \
    NATIVE(void, condition_wait, (raddle_condition *c), (c))                                       \
    NATIVE(void, condition_signal, (raddle_condition *c), (c))                                     \
    NATIVE(void, condition_broadcast, (raddle_condition *c), (c))                                  \
    NATIVE(int, condition_empty, (const raddle_condition *c), (c))                                 \
    NATIVE(void, port_send, (raddle_port *p, const void *message), (p, message))                   \
    NATIVE(void, port_call, (raddle_port *p, const void *message), (p, message))                   \
    NATIVE(int, select, (struct raddle_alternative *a, int n, long timeout), (a, n, timeout))

#define NATIVE_PROTOTYPE(result, name, parameters, arguments) result native_##name parameters;
NATIVE_FUNCTIONS(NATIVE_PROTOTYPE)
#undef NATIVE_PROTOTYPE

/* Says what was done wrong and aborts. */
void native_misuse(const char *what) __attribute__((noreturn));

#endif
