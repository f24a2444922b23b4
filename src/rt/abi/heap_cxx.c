/* operator new and delete, so that the heap knows the place in the program and not one in the C++
 * library: two deletes at different places must be two scheduling points. A request that cannot be
 * met is left to the library's own, which throws. The names are those of the Itanium ABI. */
#include "rt/check/heap.h"
#include "rt/core/interpose.h"

#define OPERATOR_NEW(name, alignment, throws, ...)                                                 \
    RT_EXPORT void *name(__VA_ARGS__);                                                             \
    void *name(__VA_ARGS__)                                                                        \
    {                                                                                              \
        void *p = heap_allocate(size, alignment, RT_PC());                                         \
        if (!p && throws)                                                                          \
            REAL(_Znwm)(SIZE_MAX);                                                                 \
        return p;                                                                                  \
    }

#define OPERATOR_DELETE(name, ...)                                                                 \
    RT_EXPORT void name(__VA_ARGS__);                                                              \
    void name(__VA_ARGS__)                                                                         \
    {                                                                                              \
        heap_free(p, RT_PC());                                                                     \
    }

OPERATOR_NEW(_Znwm, 16, true, size_t size)
OPERATOR_NEW(_Znam, 16, true, size_t size)
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, 16, false, size_t size, const void *nothrow)
OPERATOR_NEW(_ZnamRKSt9nothrow_t, 16, false, size_t size, const void *nothrow)
OPERATOR_NEW(_ZnwmSt11align_val_t, alignment, true, size_t size, size_t alignment)
OPERATOR_NEW(_ZnamSt11align_val_t, alignment, true, size_t size, size_t alignment)
OPERATOR_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, alignment, false, size_t size, size_t alignment,
             const void *nothrow)
OPERATOR_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, alignment, false, size_t size, size_t alignment,
             const void *nothrow)

OPERATOR_DELETE(_ZdlPv, void *p)
OPERATOR_DELETE(_ZdaPv, void *p)
OPERATOR_DELETE(_ZdlPvm, void *p, size_t size)
OPERATOR_DELETE(_ZdaPvm, void *p, size_t size)
OPERATOR_DELETE(_ZdlPvRKSt9nothrow_t, void *p, const void *nothrow)
OPERATOR_DELETE(_ZdaPvRKSt9nothrow_t, void *p, const void *nothrow)
OPERATOR_DELETE(_ZdlPvSt11align_val_t, void *p, size_t alignment)
OPERATOR_DELETE(_ZdaPvSt11align_val_t, void *p, size_t alignment)
OPERATOR_DELETE(_ZdlPvmSt11align_val_t, void *p, size_t size, size_t alignment)
OPERATOR_DELETE(_ZdaPvmSt11align_val_t, void *p, size_t size, size_t alignment)
OPERATOR_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, void *p, size_t alignment, const void *nothrow)
OPERATOR_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, void *p, size_t alignment, const void *nothrow)
