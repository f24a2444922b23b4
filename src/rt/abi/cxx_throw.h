#ifndef RT_CXX_THROW_H
#define RT_CXX_THROW_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)
/* If abort() called from `caller` is the end of std::terminate: says so in `out`, and sets *pc to where
 * the exception was thrown if there is one. */
bool cxx_describe_abort(uintptr_t caller, char *out, size_t size, uintptr_t *pc);
#pragma GCC visibility pop

#endif
