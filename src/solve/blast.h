/* Conditions over bit vectors as clauses over bits (cdcl.h): every operation becomes a circuit of gates,
 * equal gates are made once. */
#ifndef SOLVE_BLAST_H
#define SOLVE_BLAST_H

#include "base/htable.h"
#include "solve/cdcl.h"
#include "solve/expr.h"

struct blast {
    struct exprs *x;
    struct cdcl sat;
    uint32_t *bits, bit_count, bit_room; /* literals, lowest bit first */
    uint32_t *where;                     /* [expression]: its bits */
    struct htable gates; /* by what they join: their literals */
    const uint32_t *list; /* the expressions of the question, operands first */
    uint32_t listed;
    bool full;
};

int blast_init(struct blast *b, struct exprs *x, struct arena *a);
/* Begins a question: all conditions (one bit each) are to hold. Clauses may be added to b->sat before it is
 * solved. false: there is no room. */
bool blast_state(struct blast *b, const uint32_t *conditions, uint32_t n, const uint8_t *bytes);
/* The literal of a bit of an input byte; false: nothing depends on that byte. */
bool blast_input(const struct blast *b, uint32_t byte, unsigned bit, uint32_t *literal);
/* Can all conditions (one bit each) hold? Tries to stay near `bytes`; if so they become an input for
 * which they do. */
enum answer blast_solve(struct blast *b, const uint32_t *conditions, uint32_t n, uint8_t *bytes,
                        uint64_t budget);

#endif
