/* Space-time diagrams of one execution: a line for every thread and every synchronization object, the
 * operations on them from top to bottom, an arrow from each sending event to its receiving event; on
 * demand the race set of every receiving event. */
#ifndef REPORT_DIAGRAM_H
#define REPORT_DIAGRAM_H

#include "base/sbuf.h"
#include "report/names.h"

void diagram_svg(struct names *n, const struct tale *t, int races, struct sbuf *out);
void diagram_dot(struct names *n, const struct tale *t, int races, struct sbuf *out);

/* The race sets as a table in HTML: a row for every receiving event that could have gone otherwise, with what
 * it received and what it could have received instead. Nothing if there is none. */
void diagram_race_table(struct names *n, const struct tale *t, struct sbuf *out);

#endif
