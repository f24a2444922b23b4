/* Call stacks for readers: who called, as "f.c:10 in f", inlined functions too, recursion counted.
 */
#ifndef REPORT_STACKS_H
#define REPORT_STACKS_H

#include "report/names.h"

struct callers {
    char *line[STORY_FRAMES * 4];
    int times[STORY_FRAMES * 4];
    int count;
};

/* The callers in a stack whose innermost frame is the place itself. */
void stacks_callers(struct names *n, const uint64_t *pc, uint32_t frames, struct callers *out);

/* Those of a thread at a place: where it stands at the finding, or of the last event it performed
 * there. None if neither is known. */
void stacks_callers_at(struct names *n, const struct tale_finding *told, int thread, uint64_t pc,
                       struct callers *out);

/* Of a fact: the innermost place of the program's own code, not of the headers of a library, and who called
 * that. */
uint64_t stacks_fact_place(struct names *n, const struct tale_finding *told, const struct fact *f);
void stacks_fact_callers(struct names *n, const struct tale_finding *told, const struct fact *f,
                         struct callers *out);

void stacks_free(struct callers *l);

/* The last event of the thread at that place before the finding; the number of events if there is
 * none. */
size_t stacks_event_at(const struct tale *t, const struct tale_finding *told, int thread,
                       uint64_t pc);

#endif
