/* The report in the formats that were asked for; the options are rows of opt_formats.def. */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "base/opt.h"
#include "report/report.h"

struct formats {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_formats.def"
#undef OPT
};

/* From a struct of options that includes opt_formats.def. */
#define FORMATS_OF(o)                                                                              \
    ((struct formats){.json = (o)->json, .html = (o)->html, .sarif = (o)->sarif, .junit = (o)->junit, \
                      .tap = (o)->tap, .quality = (o)->quality, .markdown = (o)->markdown,         \
                      .perfetto = (o)->perfetto, .github = (o)->github})

/* Can all files be written? Asked before an hour of exploring. */
int formats_check(const struct formats *f, struct error *e);

int formats_wanted(const struct formats *f);      /* how many */
int formats_take_stdout(const struct formats *f); /* the text is not wanted there then */

/* Writes them all; what cannot be written is told on standard error: -1. */
int formats_write(const struct formats *f, const struct report *r);

#endif
