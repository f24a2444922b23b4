/* The bridge from inputs to schedules, for `raddle run --inputs MODEL ./prog`: rows of a model, the
 * program's arguments and environment for each row, and one report over all rows.
 *
 *   struct bridge b;
 *   if (bridge_open(&b, "model.pict", NULL, &e)) …
 *   for (size_t i = 0; i < b.count; i++) {
 *       char **argv = bridge_words(&b, i, argv_template, &e);     // {name} becomes the value
 *       … run; then bridge_set(&b, i, failed, "assert: …");
 *   }
 *   bridge_report_text(&b, &out);
 *
 * A program reads a value with raddle_param("name"): bridge_value(&b, i, "name"). */
#ifndef PAIRS_BRIDGE_H
#define PAIRS_BRIDGE_H

#include "base/sbuf.h"
#include "pairs/generate.h"
#include "pairs/model.h"

enum bridge_outcome { BRIDGE_NOT_RUN, BRIDGE_PASSED, BRIDGE_FAILED, BRIDGE_INCOMPLETE };

struct bridge_row {
    const char **values; /* text of each parameter's value, as the output would show it */
    enum bridge_outcome outcome;
    char *message; /* what went wrong; may be NULL */
};

struct bridge {
    struct pairs_model model;
    struct pairs_result tests;
    struct bridge_row *rows;
    size_t count;
};

/* Reads the model and generates its tests (options NULL: pairs). */
int bridge_open(struct bridge *b, const char *path, const struct pairs_options *options,
                struct error *e);
void bridge_close(struct bridge *b);

/* The value of a parameter in a row, or NULL if the model has no such parameter. */
const char *bridge_value(const struct bridge *b, size_t row, const char *name);

/* A copy of a NULL-terminated list of words (argv or environment) with every {name} replaced by the
 * row's value; {{ stands for a brace. NULL with e filled if a name is unknown. Free with
 * bridge_free_words. */
char **bridge_words(const struct bridge *b, size_t row, char *const *words, struct error *e);
void bridge_free_words(char **words);

void bridge_set(struct bridge *b, size_t row, enum bridge_outcome outcome, const char *message);

/* A value that matters: parameter and value index. */
struct bridge_cause {
    int param, value;
};

/* The smallest set of values that all failing rows share and no passing row has all of; if there is
 * no such set, all values that the failing rows share (*exact is 0 then). Returns its size; causes
 * has room for all parameters. */
int bridge_common(const struct bridge *b, struct bridge_cause *causes, int *exact);

void bridge_report_text(const struct bridge *b, struct sbuf *out);
void bridge_report_json(const struct bridge *b, struct sbuf *out); /* an object, no newline */

#endif
