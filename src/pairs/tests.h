/* Files of tests: reading them in any of our output formats, writing them. */
#ifndef PAIRS_TESTS_H
#define PAIRS_TESTS_H

#include "base/sbuf.h"
#include "pairs/generate.h"
#include "pairs/model.h"
#include "pairs/space.h"

/* What did not fit the model while reading. */
struct tests_notes {
    size_t unknown_columns, missing_columns, unknown_values;
    char first_value[120]; /* "Size: 7": the first unknown value */
};

/* Reads tests: tab- or comma-separated with a header line, a JSON array of objects (or our JSON
 * document), one JSON object per line, or the test set of an ACTS file. Cells that are empty, "*"
 * or unknown stay open. */
int tests_read(const struct pairs_model *m, const char *path, struct table *t,
               struct tests_notes *notes, struct error *e);

enum tests_format { TESTS_TEXT, TESTS_CSV, TESTS_JSON, TESTS_JSONL };

/* The name that test `index` shows for a value: aliases and members of classes rotate. */
const char *tests_name(const struct pairs_model *m, int param, int value, size_t *turns);

void tests_write(const struct pairs_model *m, const struct pairs_result *r, int strength,
                 enum tests_format format, int list_impossible, struct sbuf *out);

#endif
