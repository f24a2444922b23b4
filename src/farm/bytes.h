/* Values of trace/work.h in memory that grows as needed (the owner frees bytes). */
#ifndef FARM_BYTES_H
#define FARM_BYTES_H

#include "trace/work.h"

void bytes_begin(struct work *w, enum work_kind kind); /* as work_begin */
void bytes_put(struct work *w, uint64_t value);
void bytes_add(struct work *w, const unsigned char *bytes, uint64_t n);

#endif
