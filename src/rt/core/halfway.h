/* A long beginning is performed once. What main does before it creates its first thread or makes its first
 * choice is the same in every execution. Where that takes long, a process is left standing there, and each
 * execution goes on in a copy of it (fork) instead of calling main again. */
#ifndef RT_HALFWAY_H
#define RT_HALFWAY_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

/* Before main is called: is this an execution in which its beginning is to be timed? */
void halfway_watch(void);
static inline void halfway_begin(void)
{
    if (RT_UNLIKELY(!rt.short_beginning))
        halfway_watch();
}

/* Can the execution that comes now, with so many racy accesses, begin there? If a process has to be made for
 * that, it calls `run`, which does not return. */
bool halfway_ready(uint32_t racy, void (*run)(uint32_t racy));
void halfway_leave(void); /* nobody needs the process any more */
int halfway_run(void); /* the wait status of the process in which it was performed */

/* main is about to create its first thread or to make its first choice. */
void halfway_come(void);
static inline void halfway_point(void)
{
    if (RT_UNLIKELY(rt.halfway))
        halfway_come();
}

#pragma GCC visibility pop

#endif
