/* What raddle run keeps of the sequences that engine reach has exercised: files, a tree, a comparison. */
#ifndef CLI_RUN_SEQUENCES_H
#define CLI_RUN_SEQUENCES_H

#include "base/error.h"
#include "host/supervise.h"
#include "report/report.h"

struct run_sequences {
    const char *folder;  /* --save-sequences, NULL = not wanted */
    const char *tree;    /* --save-tree */
    const char *regress; /* --regress */
};

int run_sequences_wanted(const struct run_sequences *w);
/* Before the search: can everything be read and written? */
int run_sequences_check(const struct run_sequences *w, const char *engine, struct error *e);
/* After it. A comparison becomes part of the report, and its differences files of the output folder. */
int run_sequences_keep(const struct run_sequences *w, const struct search *s, const char *program,
                       struct report *r, struct error *e);

#endif
