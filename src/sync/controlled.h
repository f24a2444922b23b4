/* What the controlled half of the library shares. */
#ifndef SYNC_CONTROLLED_H
#define SYNC_CONTROLLED_H

#include "rt/core/rt.h"
#include "sync/native.h"

/* Before a send to a bounded port, waits for a place; after a receive; when it is initialised (places.c). */
void places_take(const raddle_port *p, uint64_t pc);
void places_give(const raddle_port *p, uint64_t pc);
void places_begin(const raddle_port *p);

#endif
