/* The report in the formats that were asked for; the list is report/formats.def. */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "base/opt.h"
#include "report/report.h"

struct formats {
#define FORMAT(type, field, name, arg, help) OPT_FIELD_##type field;
#include "report/formats.def"
#undef FORMAT
};

/* For the table of a command whose struct of options has a member `formats`: its rows. */
#define FORMATS_ROW(type, field, name, arg, help) OPT_TABLE_ROW(type, formats.field, name, 0, arg, help)

/* Can all files be written? Asked before an hour of exploring. */
int formats_check(const struct formats *f, struct error *e);
/* A file that cannot be written should be known before an hour of exploring. NULL: none is wanted. */
int formats_check_file(const char *path, struct error *e);
/* --coverage FILE.info is --lcov FILE.info. */
void formats_coverage(const char **coverage, struct formats *f);

int formats_wanted(const struct formats *f);      /* how many */
int formats_take_stdout(const struct formats *f); /* the text is not wanted there then */

/* Writes them all; what cannot be written is told on standard error: -1. */
int formats_write(const struct formats *f, const struct report *r);

#endif
