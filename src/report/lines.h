/* Lines of the program that the executions reached, and pairs of lines that they interleaved
 * (--coverage, --lcov). In a report they are texts: lines "COUNT\tFILE:LINE", 0 for one that can be
 * reached and was not; pairs "COUNT\tFILE:LINE\tFILE:LINE", first and second; branches on inputs "COUNT
 * COUNT\tFILE:LINE\tADDRESS", how often they were not taken and taken. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/report.h"

/* Adds what one worker noted; at the end lines_finish puts together what belongs together, and what
 * was not reached of the program. */
void lines_add(struct report *r, struct names *n, const struct places *p);
void lines_finish(struct report *r, struct names *n, const char *program);

struct line_count {
    uint64_t count;
    const char *place, *other; /* other: of pairs; NULL otherwise */
};
/* A text taken apart, in place: 0, or -1 if it is none. */
int lines_take(char *text, struct line_count *out);

#endif
