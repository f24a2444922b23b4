/* Programs that make system calls past libc tell sanitizers so with the hooks of
 * <sanitizer/linux_syscall_hooks.h>, if they are built with one; raddle cc builds with one. There is
 * nothing to be done at them. */
#include "rt/core/rt.h"

#define HOOK(name)                                                                                 \
    void name(void);                                                                               \
    RT_EXPORT void name(void)                                                                      \
    {                                                                                              \
    }
#define HOOKS(call) HOOK(__sanitizer_syscall_pre_impl_##call) HOOK(__sanitizer_syscall_post_impl_##call)
#include "rt/abi/syscall_hooks.def"
