/* Folders that are listed: making, removing and renaming files are steps on them. */
#ifndef RT_FOLDERS_H
#define RT_FOLDERS_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

extern bool folders_listed; /* the program lists some */
void folders_init(void);
/* Around a step of the running thread that may change the name at this absolute path. */
void folders_before(const char *path, uint64_t pc);
void folders_after(void);

#pragma GCC visibility pop

#endif
