/* What was found, in the memory shared with the host (finding.c). */
#ifndef RT_FINDING_H
#define RT_FINDING_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

struct finding *finding_new(enum finding_kind kind, uint64_t pc, uint64_t object, const char *fmt,
                            ...) __attribute__((format(printf, 4, 5)));
/* A line of its why; what else it says is set in the fact (trace/fact.h). */
struct fact *finding_fact(struct finding *f, enum fact_kind kind, int thread, uint64_t pc, uint64_t object);
struct fact *finding_fact_about(struct finding *f, enum fact_kind kind, int thread, uint64_t pc,
                                uint64_t object, const char *word);
void finding_commit(struct finding *f); /* stores it if it is new; the schedule is the one so far */
void finding_warn(uint64_t pc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Why the verdict will be incomplete: something that is not modelled; a limit. Each is told once. */
void finding_incomplete(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void finding_limit(enum limit_kind which, uint64_t at);
/* A data race of the current access with an earlier one; makes both scheduling points.
 * An earlier one without a pc was left out: nothing is told, await_reads_raced is. */
void finding_race(uintptr_t address, uint32_t size, uintptr_t pc, bool write, int other_thread,
                  uintptr_t other_pc, bool other_write);
void finding_promote(uintptr_t pc);

#pragma GCC visibility pop

#endif
