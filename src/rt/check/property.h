/* --property: is there a global state in which an expression over variables and places of threads holds?
 * Looked at whenever all threads stand before their next operation, and at the end. */
#ifndef RT_PROPERTY_H
#define RT_PROPERTY_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void property_begin(void); /* an execution; sets rt.properties */
void property_check(void);
bool property_watches(uintptr_t address, size_t size); /* is it part of a variable of a property? */
void property_wrote(void); /* the event logged last is a plain write, whose value memory will show */
uint64_t property_initial(uint64_t address, uint32_t size); /* of a variable, when main begins */

#pragma GCC visibility pop

#endif
