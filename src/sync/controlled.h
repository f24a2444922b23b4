/* What the controlled half of the library shares. */
#ifndef SYNC_CONTROLLED_H
#define SYNC_CONTROLLED_H

#include "rt/core/rt.h"
#include "sync/native.h"

#endif
