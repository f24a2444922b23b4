/* Memory of the program's that a stream works in (stream_memory.c). */
#ifndef RT_STREAM_MEMORY_H
#define RT_STREAM_MEMORY_H

#include "rt/core/rt.h"

#include <stdio.h>

#pragma GCC visibility push(hidden)

struct stream_memory;
extern uint32_t stream_memory_since; /* the execution in which there is any */
struct stream_memory *stream_memory_find(FILE *f);
static inline struct stream_memory *stream_memory_of(FILE *f)
{
    return RT_LIKELY(stream_memory_since != rt.generation) || !rt.active ? NULL : stream_memory_find(f);
}
void stream_memory_used(const struct stream_memory *m, uint64_t pc); /* by the call that follows */
void stream_memory_flushed(FILE *f, uint64_t pc); /* after that */
void stream_memory_closes(FILE *f, uint64_t pc); /* before that */

#pragma GCC visibility pop

#endif
