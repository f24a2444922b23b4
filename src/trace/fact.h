/* One line of the why of a finding: who does what to which object, where, and because of whom.
 * Words are made of it once, by whoever tells it (fact_words). */
#ifndef TRACE_FACT_H
#define TRACE_FACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fact_kind {
#define FACT(kind, words) FACT_##kind,
#include "trace/fact.def"
#undef FACT
    FACT_KINDS
};

struct fact {
    uint16_t kind; /* enum fact_kind */
    uint16_t thread;
    uint16_t other; /* the thread that holds the object, or has to end, + 1; 0 = none */
    uint64_t pc;
    uint64_t object;
    uint64_t number;
    char word[80];
};

static inline bool fact_holds(const struct fact *f)
{
    return f->kind == FACT_HOLDS || f->kind == FACT_HOLDS_IT || f->kind == FACT_HOLDS_READING;
}

bool fact_same(const struct fact *a, const struct fact *b);

/* "waits for mutex {}, held by thread 2": {} stands for the name of the object. Returns its length. */
size_t fact_words(const struct fact *f, char *out, size_t size);

#endif
