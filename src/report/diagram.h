/* Space-time diagrams of one execution: a line for every thread and every synchronization object, the
 * operations on them from top to bottom, an arrow from each sending event to its receiving event; on
 * demand the race set of every receiving event. */
#ifndef REPORT_DIAGRAM_H
#define REPORT_DIAGRAM_H

#include "base/sbuf.h"
#include "report/names.h"

void diagram_svg(struct names *n, const struct tale *t, int races, struct sbuf *out);
void diagram_dot(struct names *n, const struct tale *t, int races, struct sbuf *out);

#endif
