/* A report: everything there is to say about one run of raddle, in memory or in an output folder, and
 * the ways to say it. Findings come worst first.
 *
 * The folder holds for each finding a `schedule` and a `story` (the recording; the second finding
 * has schedule.2 and story.2, …), the `summary`, and what was printed: report.txt, report.json. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/sbuf.h"
#include "report/names.h"
#include "report/tale.h"
#include "trace/schedule.h"

struct report_finding {
    struct schedule schedule;
    struct tale tale; /* empty if the recording failed */
    char *file;       /* the schedule file as a user would name it; NULL if it was not stored */
};

struct report_list {
    char **items;
    size_t count, room;
};

struct report {
#define TEXT(field, key) char *field;
#define NUMBER(field, key) uint64_t field;
#define REAL(field, key) double field;
#define LIST(field, key) struct report_list field;
#include "report/summary.def"
#undef TEXT
#undef NUMBER
#undef REAL
#undef LIST
    char *directory; /* NULL if it is stored nowhere */
    VEC(struct report_finding) findings;
};

/* How to print: colours, width of the terminal. */
struct style {
    int colour, width;
    int all;      /* fold nothing */
    int terminal; /* which breaks lines that are too long wherever it is */
};
struct style style_for(int fd); /* 60 to 120 columns; colours on a terminal without NO_COLOR */

void report_free(struct report *r);
int report_load(struct report *r, const char *directory, struct error *e);
void report_format_summary(const struct report *r, struct sbuf *out);
const char *report_file_name(const char *what, size_t finding); /* "schedule", "schedule.2" */

/* Where a finding is, for a reader: the innermost frame of the program's own code, not of the C
 * library or raddle.h. */
uint64_t report_place(struct names *n, const struct tale_finding *f);
/* The thread that fails; of a deadlock one that waits there. */
int report_thread(const struct tale_finding *f);

/* The finding a recording shows that this schedule is about; NULL if it shows none of that kind. */
const struct tale_finding *report_told(const struct report_finding *f);

void report_text(const struct report *r, struct style style, struct sbuf *out);
void report_json(const struct report *r, struct sbuf *out);

/* Parts of the text. */
void report_verdict(const struct report *r, struct style style, struct sbuf *out);
void report_why(struct names *n, const struct report_finding *f, struct style style, struct sbuf *out);
void report_columns(struct names *n, const struct report_finding *f, struct style style,
                    struct sbuf *out);

#endif
