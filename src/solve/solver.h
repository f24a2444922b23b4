/* Can these conditions hold together, and for which input? The layers, each exact, in this order:
 *
 *   slicing    only conditions that share inputs with the new one, directly or through others, matter;
 *              the rest holds for the input at hand and goes on holding
 *   bytes      conditions on one byte of input: the set of its values, 256 bits, kept with the condition
 *   trying     few bytes with few values each: all combinations are evaluated
 *   cache      the same slice was asked before, perhaps under another schedule
 *   SAT        blast.h, with a budget of conflicts, so that the answer does not depend on the machine
 *
 * Every input found is tried: the conditions are evaluated with it. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "solve/blast.h"

struct byte_set {
    uint64_t bits[4];
};

struct solver_stats {
    uint64_t asked, constant, by_bytes, by_cache, by_trying, by_sat, no, unknown;
    uint64_t wrong; /* inputs found that did not do: a fault of ours, told as unknown */
};

struct solver {
    struct exprs x;
    struct blast blast;
    uint64_t budget; /* conflicts per question */
    struct byte_set *sets;
    uint32_t *set_of, set_count, set_room; /* [expression]: its set, from 1 */
    uint32_t *slice;    /* the conditions that matter, sorted */
    uint64_t *buckets;  /* the cache: where entries are in the pool, by hash */
    uint32_t *pool, pool_used, pool_room, bucket_mask;
    uint8_t *scratch;
    struct solver_stats stats;
    /* Told of every answer to a question that was not a constant, with the slice; may be NULL. */
    void (*answered)(const uint32_t *conditions, uint32_t count, enum answer answer);
};

/* memory: bytes it may use, at least 16 MiB. */
int solver_init(struct solver *s, struct arena *a, uint64_t memory);

/* The input bytes[EXPR_INPUTS] satisfies the n conditions. Is there one that satisfies `last` too? If
 * so it is in bytes afterwards; if not, they are as before. */
enum answer solver_ask(struct solver *s, const uint32_t *conditions, uint32_t n, uint32_t last,
                       uint8_t *bytes);

#endif
