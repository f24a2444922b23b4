/* Limits that were reached (limit.def): each makes the verdict incomplete and names itself and the option
 * that lifts it. They stand in memory that the host reads, so one that a forked execution reaches is not
 * lost. */
#ifndef TRACE_LIMIT_H
#define TRACE_LIMIT_H

#include <stddef.h>
#include <stdint.h>

enum limit_kind {
#define LIMIT(kind, name, words, option) LIMIT_##kind,
#include "trace/limit.def"
#undef LIMIT
    LIMITS
};

struct limits {
    uint64_t reached; /* set of enum limit_kind */
    uint64_t at[LIMITS];
};

/* l may be NULL: nobody wants to know. */
static inline void limit_reached(struct limits *l, enum limit_kind which, uint64_t at)
{
    if (!l)
        return;
    l->reached |= 1ull << which;
    l->at[which] = at;
}

const char *limit_name(enum limit_kind which);   /* "max-steps" */
const char *limit_option(enum limit_kind which); /* "--max-steps"; empty: none */

/* "an execution was cut after 20000 steps (--max-steps)"; returns its length. */
int limit_words(enum limit_kind which, uint64_t at, char *out, size_t size);

#endif
