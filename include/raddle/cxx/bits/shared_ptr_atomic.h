/* In code compiled by raddle cc this takes the place of libstdc++'s header of the same name, which it
 * includes: a load of std::atomic<std::shared_ptr> gives its lock back with memory_order_relaxed there,
 * so that by the letter its read of the pointer races with the next store. That is not the program's
 * fault, and harmless where compilers do not move reads over such an unlock: inside this header all
 * orders are seq_cst. */
#pragma GCC system_header
#include <bits/atomic_base.h>
#define memory_order_relaxed memory_order_seq_cst
#include_next <bits/shared_ptr_atomic.h>
#undef memory_order_relaxed
