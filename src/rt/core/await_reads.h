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

/* The same of what rounds of t write on its own stack. */
void await_reads_wait(const struct thread *t);
/* Somebody uses that memory unordered with these. */
void await_reads_raced(uintptr_t address, size_t size);
/* What is known of rounds of t will be told others who share the search, and with it what these use. */
void await_reads_share(const struct thread *t);
void await_reads_mine(uint64_t address, uint64_t with);

/* Before an execution, while rt.awaits. */
void await_reads_reset(void);
/* In what may be a round the running thread uses its own stack there; is it known that others change
 * that, too? */
bool await_reads_own(uintptr_t address, size_t size, bool write);

/* The rest only while rt.guards. The running thread writes that, or ends its life. */
void await_reads_wrote(uintptr_t address, size_t size, bool atomic);
/* … by a visible operation. */
void await_reads_performed(const struct event *op);
void await_reads_ended(uintptr_t address, size_t size);

#pragma GCC visibility pop

#endif
