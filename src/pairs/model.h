/* A model of the inputs of a program: parameters with their values, groups of parameters that want
 * another strength (relations), constraints. Read from PICT's format and our superset of it
 * (parse.h) or from ACTS XML (acts.h); docs/pairs.md describes both. The model owns all it holds.
 */
#ifndef PAIRS_MODEL_H
#define PAIRS_MODEL_H

#include "base/error.h"
#include "base/mem.h"
#include "pairs/expr.h"

#include <stdint.h>

#define PAIRS_MAX_VALUES 10000 /* of one parameter */
#define PAIRS_MAX_PARAMS 20000
#define PAIRS_MAX_STRENGTH 6
#define PAIRS_NONE (-1) /* a "don't care" in a row */

struct pairs_value {
    char *name;   /* what constraints see */
    char **shown; /* names the output rotates through: aliases or members of a class; >= 1 */
    int shown_count;
    int weight;
    int negative; /* invalid input: at most one per test */
    int is_number;
    double number;
};

struct pairs_param {
    char *name;
    struct pairs_value *values;
    int count;
    int numeric; /* all values are numbers */
    int result;  /* $name: follows from constraints, needs no coverage */
    int base;    /* index of the base choice, 0 unless said otherwise */
};

/* Every combination of `strength` of these parameters is wanted (with `anchor` >= 0 only those that
 * contain that parameter). A group whose strength is lower than the default exempts its members
 * from the default among themselves, unless it only adds (ACTS). */
struct pairs_relation {
    int *params, count, strength, anchor, adds;
};

struct pairs_constraint {
    struct pairs_expr *expr; /* must be true */
    char *text;
    int line;
};

struct pairs_model {
    VEC(struct pairs_param) params;
    VEC(struct pairs_relation) relations;
    VEC(struct pairs_constraint) constraints;
    VEC(int16_t *) seeds; /* tests that came with the model (ACTS); don't cares are PAIRS_NONE */
    int case_sensitive;
    size_t declared; /* parameters written in the file: not those added for planning */
};

void pairs_model_free(struct pairs_model *m);

int pairs_find_param(const struct pairs_model *m, const char *name);
/* By any of its names, with or without the sign of negative values; -1 if there is none. */
int pairs_find_value(const struct pairs_model *m, int param, const char *name);

struct pairs_param *pairs_add_param(struct pairs_model *m, const char *name, size_t length);
struct pairs_value *pairs_add_value(struct pairs_param *p, const char *name, size_t length);
void pairs_add_shown(struct pairs_value *v, const char *name, size_t length);

/* Called when all parameters are known: which are numeric. Adds what planning asks for. */
struct pairs_read_options;
void pairs_end_params(struct pairs_model *m, const struct pairs_read_options *o);

/* PICT's `*` and `?` wildcards. */
int pairs_like(const struct pairs_model *m, const char *pattern, const char *text);

/* Reads a model in any of the formats (by its content). */
struct pairs_read_options {
    char separator; /* between values, ',' */
    char alias;     /* between aliases, '|' */
    char negative;  /* before invalid values, '~' */
    int case_sensitive;
    /* For planning: what if this parameter (by its place, from 1) had one more value, or there were
     * one more parameter of that many values? 0: neither. */
    int grow_param, extra_values;
    void (*warn)(const struct error *e); /* what is skipped, as PICT does; may be NULL */
};
#define PAIRS_READ_DEFAULTS                                                                        \
    {                                                                                              \
        .separator = ',', .alias = '|', .negative = '~'                                            \
    }

int pairs_read_model(struct pairs_model *m, const char *path, const struct pairs_read_options *o,
                     struct error *e);
int pairs_parse_model(struct pairs_model *m, const char *name, const char *text, size_t length,
                      const struct pairs_read_options *o, struct error *e);

#endif
