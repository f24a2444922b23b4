/* raddle/sync.h for programs that are linked without raddle: libraddle-sync.a. Every function is the
 * native one. */
#include "sync/native.h"

#define NATIVE_FORWARD(result, name, parameters, arguments)                                        \
    result raddle_##name parameters                                                                \
    {                                                                                              \
        return native_##name arguments;                                                            \
    }
NATIVE_FUNCTIONS(NATIVE_FORWARD)

void raddle_semaphore_init(raddle_semaphore *s, unsigned value)
{
    *s = (raddle_semaphore)RADDLE_SEMAPHORE(value);
}

void raddle_binary_init(raddle_binary *b, unsigned value)
{
    *b = (raddle_binary)RADDLE_BINARY(value != 0);
}

void raddle_lock_init(raddle_lock *l)
{
    *l = (raddle_lock)RADDLE_LOCK;
}

void raddle_monitor_init(raddle_monitor *m, enum raddle_signalling s)
{
    *m = (raddle_monitor)RADDLE_MONITOR(s);
}

void raddle_condition_init(raddle_condition *c, raddle_monitor *m)
{
    *c = (raddle_condition)RADDLE_CONDITION(m);
}

void raddle_port_init(raddle_port *p, size_t size, enum raddle_order order, unsigned capacity)
{
    *p = (raddle_port){.size = size, .order = order, .capacity = capacity};
}

void raddle_port_receive(raddle_port *p, void *message)
{
    struct raddle_alternative a = {1, p, message};
    native_select(&a, 1, RADDLE_WAIT);
}

void raddle_port_uniform(raddle_port *p)
{
    p->uniform = 1;
}

void raddle_symmetric(unsigned class_number)
{
    (void)class_number;
}
