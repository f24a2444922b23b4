/* Memory that the program has declared to be raced for on purpose (RADDLE_ASSUME_BENIGN): its accesses
 * are scheduling points as any that race, but no findings. A declaration counts until the end of the
 * execution or of the heap block; one made before main, by a constructor, for good. */
#ifndef RT_BENIGN_H
#define RT_BENIGN_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void benign_declare(uintptr_t address, size_t size, uintptr_t pc);
bool benign_has(uintptr_t address, size_t size); /* says so to the reader if it has */
void benign_forget(uintptr_t address, size_t size); /* fresh memory */

#pragma GCC visibility pop

#endif
