/* What was asked of the solver in a search with symbolic inputs. */
#ifndef REPORT_SOLVER_H
#define REPORT_SOLVER_H

#include "report/report.h"

void report_solver(const struct report *r, struct sbuf *out); /* lines for --verbose */
void report_solver_json(const struct report *r, struct sbuf *out);

#endif
