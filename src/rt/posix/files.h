/* Files and mappings of the program, put back between executions (files.c, maps.c). */
#ifndef RT_FILES_H
#define RT_FILES_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void files_undo(void);
void maps_reset(void);

#pragma GCC visibility pop

#endif
