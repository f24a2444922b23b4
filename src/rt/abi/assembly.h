/* Inline assembly of the program, and its reads of the processor's clock. */
#ifndef RT_ASSEMBLY_H
#define RT_ASSEMBLY_H

#include "rt/core/rt.h"

void assembly_init(void);
void assembly_reset(void);
bool assembly_waits(void); /* unknown assembly is being executed */
/* A fault: was it a read of the clock? Then it is answered. */
bool assembly_reads_clock(void *context);
void assembly_name(uint64_t pc);

#endif
