/* What the columns of a finding show, line by line. Of a short execution every step; of a long one always
 * what the why speaks of, what the program printed, notes, and what each thread did last before the
 * failure; then, as far as there is room, what concerns the objects of the finding, the lives of threads,
 * and the rest. Plain accesses, which are no steps, are shown only for those objects. What is left out is
 * counted. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/report.h"

enum row_kind { ROW_EVENT, ROW_GAP, ROW_MARK, ROW_WAIT, ROW_FAIL };

struct row {
    enum row_kind kind;
    int thread, times;
    uint32_t number; /* of the step, 0 = before the first */
    uint64_t pc;
    size_t event;
    char *text;
};

struct rows {
    struct row *items;
    size_t count, room;
    size_t folded; /* steps that are left out */
};

/* With `all` nothing is folded, and plain accesses to all memory that several threads used are shown. */
void rows_choose(struct names *n, const struct report_finding *f, int all, struct rows *out);
void rows_free(struct rows *r);

#endif
