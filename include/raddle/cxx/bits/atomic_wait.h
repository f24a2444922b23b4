/* In code compiled by raddle cc this takes the place of libstdc++'s header of the same name, which it
 * includes: atomic waits then block at once instead of first trying sixteen times. To look several
 * times at an unchanged value makes no difference but for more interleavings to explore. */
#pragma GCC system_header
#include_next <bits/atomic_wait.h>
#if defined __cpp_lib_atomic_wait && !defined RADDLE_CXX_ATOMIC_WAIT
#define RADDLE_CXX_ATOMIC_WAIT
namespace std
{
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail
{
template <typename _Pred>
bool __atomic_spin(_Pred &__pred, __default_spin_policy) noexcept
{
    return __pred();
}
}
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
