/* Command-line options from one table: parsing, --help and the man page all follow from it.
 *
 * A command describes its options in a *.def file of OPT(type, field, name, letter, arg, help)
 * lines, makes a struct with one field per option from it and hands both to opt_parse.
 * See src/cli/opt_pairs.def for an example and CONTRIBUTING.md for the recipe. */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/error.h"

#include <stddef.h>

/* The C type of the field follows from the option's type. */
#define OPT_FIELD_FLAG int                 /* --quiet, --no-quiet; 0 or 1 */
#define OPT_FIELD_INT long long            /* --seed 7 */
#define OPT_FIELD_STRING const char *      /* --out DIR; also choices: arg "a|b|c" is enforced */
#define OPT_FIELD_TIME double              /* --time 90s|2m|1h; seconds */
#define OPT_FIELD_SIZE unsigned long long  /* --memory 512M; bytes */
#define OPT_FIELD_JOINED const char *      /* given again, it is added behind a ";" */
#define OPT_FIELD_LIST struct opt_list     /* may be given several times */

struct opt_list {
    const char **items;
    size_t count, room;
};

enum opt_type { OPT_FLAG, OPT_INT, OPT_STRING, OPT_TIME, OPT_SIZE, OPT_LIST, OPT_JOINED };

struct opt {
    enum opt_type type;
    size_t offset;    /* of the field in the command's struct */
    const char *name; /* "time" */
    char letter;      /* 'j' or 0 */
    const char *arg;  /* "N", "DIR", "report|stop|off" (a choice); NULL for flags.
                       * "[TIME]": the value is optional and must be attached (--optimize=60s) or
                       * be the next word if that looks like a number; without it the field is -1 */
    const char *help;
};

struct opt_command {
    const char *name;        /* "run" */
    const char *usage;       /* "[options] [--] PROGRAM [ARG…]" */
    const char *summary;     /* one line */
    const char *description; /* paragraphs for --help and the man page */
    const struct opt *opts;
    size_t count;
    int stop_at_operand; /* options end at the first operand (run, cc) */
};

#define OPT_STRUCT_FIELD(type, field, name, letter, arg, help) OPT_FIELD_##type field;
#define OPT_TABLE_ROW(type, field, name, letter, arg, help)                                        \
    {OPT_##type, offsetof(struct OPT_OWNER, field), name, letter, arg, help},

/* Parses argv[1…]. Operands are moved to the end of argv and the index of the first is returned;
 * -1 on an error (status EXIT_USAGE). --help prints and exits with 0. */
int opt_parse(const struct opt_command *c, int argc, char **argv, void *into, struct error *e);

/* Before that: options from the file raddle.conf (RADDLE_CONF names another, the empty word none) and from
 * RADDLE_OPTIONS; stderr says which. 0 or -1. */
int opt_outside(const struct opt_command *c, void *into, struct error *e);

void opt_print_help(const struct opt_command *c);
void opt_print_man(const struct opt_command *c); /* roff on stdout */

/* "90s", "2m", "1.5h", "250ms", plain seconds. "512M", "64k", "2G". 0 or -1. */
int opt_parse_time(const char *s, double *seconds);
int opt_parse_size(const char *s, unsigned long long *bytes);

#endif
