/* C++ exceptions. They work by themselves: every thread has its own stack and TLS. Here it is noted
 * where an exception was thrown, so that one that nobody catches is reported at that line, with its
 * type and what it says; and sharing an exception between threads (std::exception_ptr) counts as
 * synchronization, which happens out of sight in the library. */
#include "rt/abi/cxx_throw.h"

#include "rt/core/caller.h"
#include "rt/core/interpose.h"
#include "rt/core/sync.h"

#include <dlfcn.h>

void __cxa_throw(void *object, void *type, void (*destroy)(void *));
RT_EXPORT void __cxa_throw(void *object, void *type, void (*destroy)(void *))
{
    if (rt.active) {
        rt.self->throw_pc = RT_CALLER();
        rt.self->thrown = object;
    }
    REAL(__cxa_throw)(object, type, destroy);
}

/* std::type_info as the Itanium ABI lays it out. */
struct type_info {
    void **table;
    const char *name;
};
enum { SLOT_DO_CATCH = 4, SLOT_WHAT = 2 };

static const struct type_info *current_type(void)
{
    const struct type_info *(*get)(void) =
        (const struct type_info *(*)(void))dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    return get ? get() : NULL;
}

/* What the exception says of itself, if it is a std::exception. */
static const char *what(const struct type_info *type, void *object)
{
    const struct type_info *base = dlsym(RTLD_DEFAULT, "_ZTISt9exception");
    if (!base || !object)
        return NULL;
    bool (*catches)(const void *, const void *, void **, unsigned) = base->table[SLOT_DO_CATCH];
    if (!catches(base, type, &object, 1))
        return NULL;
    const char *(*text)(const void *) = (*(void ***)object)[SLOT_WHAT];
    return text(object);
}

static const char *readable(const char *name)
{
    char *(*demangle)(const char *, char *, size_t *, int *) =
        (char *(*)(const char *, char *, size_t *, int *))dlsym(RTLD_DEFAULT, "__cxa_demangle");
    int status = -1;
    const char *text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    return text && status == 0 ? text : name;
}

bool cxx_describe_abort(uintptr_t caller, char *out, size_t size, uintptr_t *pc)
{
    if (caller - rt.program_start < rt.program_size || !dlsym(RTLD_DEFAULT, "_ZSt9terminatev"))
        return false;
    const struct type_info *type = current_type();
    if (!type) {
        rt_format(out, size, "std::terminate() was called");
        return true;
    }
    const char *says = what(type, rt.self->thrown);
    rt_format(out, size, "uncaught exception %s%s%s", readable(type->name), says ? ": " : "",
              says ? says : "");
    if (rt.self->throw_pc)
        *pc = rt.self->throw_pc;
    return true;
}

/* std::exception_ptr counts its owners out of sight; whoever gives up the last share, a pointer or a
 * handler, destroys the exception. Once a program has used one, every giving up is ordered with those
 * before it. */
static uint32_t shared_in; /* the execution in which one was used */

static void give_up_share(void)
{
    struct sync *s = sync_get((uintptr_t)&shared_in, SYNC_MUTEX);
    sync_acquire(s);
    sync_release(s);
}

void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **pointer);
RT_EXPORT void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **pointer)
{
    if (rt.active && *pointer)
        shared_in = rt.generation;
    REAL(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv)(pointer);
}

void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer);
RT_EXPORT void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer)
{
    if (rt.active && *pointer) {
        shared_in = rt.generation;
        give_up_share();
    }
    REAL(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(pointer);
}

void __cxa_end_catch(void);
RT_EXPORT void __cxa_end_catch(void)
{
    if (rt.active && shared_in == rt.generation)
        give_up_share();
    REAL(__cxa_end_catch)();
}
