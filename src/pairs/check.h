/* Verifying a set of tests against a model: are the tests valid, is every tuple covered that some
 * valid test contains? Shares nothing with the generator but the model that both read: it has its
 * own evaluation of constraints, its own list of combinations and its own search. */
#ifndef PAIRS_CHECK_H
#define PAIRS_CHECK_H

#include "base/mem.h"
#include "base/sbuf.h"
#include "pairs/model.h"

#define CHECK_MAX_STRENGTH PAIRS_MAX_STRENGTH

struct check_tuple {
    int count;
    int params[CHECK_MAX_STRENGTH];
    int values[CHECK_MAX_STRENGTH];
};

struct check_test {
    size_t index;   /* of the test, from 0 */
    int constraint; /* the first it violates; -1: two invalid values; -2: cells are missing */
};

struct check_level {
    int counted; /* 0: too many to count */
    unsigned long long total, covered, impossible;
    int exact; /* impossible is known; otherwise total includes them */
};

struct check_report {
    struct check_level levels[CHECK_MAX_STRENGTH + 1]; /* all parameters, by t */
    struct check_level wanted; /* what the model and t ask for, groups included */
    VEC(struct check_tuple) uncovered;
    VEC(struct check_tuple) undecided; /* the search gave up */
    VEC(struct check_tuple) impossible; /* no valid test contains them */
    VEC(struct check_test) bad_tests;
    size_t tests;
};

/* rows[i][p] is the index of parameter p's value in test i, negative if the cell is missing. */
void check_tests(const struct pairs_model *m, int strength, const int16_t *const *rows,
                 size_t count, struct check_report *report);
void check_free(struct check_report *report);
int check_status(const struct check_report *report); /* exit status: 0, 1 or 2 */
/* At most `most` items of each list; the impossible tuples only if asked for. */
void check_text(const struct pairs_model *m, const struct check_report *report, int strength,
                size_t most, int list_impossible, struct sbuf *out);
void check_json(const struct pairs_model *m, const struct check_report *report, int strength,
                struct sbuf *out);

/* check_eval.c: 1 holds, 0 does not, -1 open because a parameter it needs has no value. */
int check_holds(const struct pairs_model *m, const struct pairs_expr *e, const int16_t *row);

/* check_search.c: can the row be completed to a valid test (with an invalid value only where the
 * row has one)? 1, 0, or -1 if the search gave up. */
struct check_search;
struct check_search *check_search_new(const struct pairs_model *m);
void check_search_free(struct check_search *s);
int check_search_possible(struct check_search *s, const struct check_tuple *tuple);

#endif
