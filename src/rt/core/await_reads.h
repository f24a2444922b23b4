/* What rounds that are left out would have read by plain accesses (await_reads.c): somebody may write it or
 * end its life unordered with them. */
#ifndef RT_AWAIT_READS_H
#define RT_AWAIT_READS_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void await_reads_init(void);
/* t waits before the look that it announces, and does not read these behind it. */
void await_reads_left(const struct thread *t, const struct await_plain *reads, uint32_t count);
/* Can nothing be known of rounds that read these, or is that memory gone? */
bool await_reads_stand(const struct await_plain *reads, uint32_t count);

/* Before an execution, while rt.awaits. */
void await_reads_reset(void);
/* In what may be a round the running thread uses its own stack there; is it known that others do, too? */
bool await_reads_own(uintptr_t address);
/* Another thread than the running one has that on its stack. */
void await_reads_foreign(uintptr_t address, size_t size);

/* The rest only while rt.guards. The running thread writes that, or ends its life. */
void await_reads_wrote(uintptr_t address, size_t size, bool atomic);
/* … by a visible operation. */
void await_reads_performed(const struct event *op);
void await_reads_ended(uintptr_t address, size_t size);

#pragma GCC visibility pop

#endif
