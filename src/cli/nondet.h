/* The range of --nondet: "HIGH" or "LOW..HIGH". */
#ifndef CLI_NONDET_H
#define CLI_NONDET_H

#include "base/error.h"
#include "trace/shared.h"

int nondet_parse(const char *text, struct run_config *c, struct error *e); /* NULL: no range */
char *nondet_text(const struct run_config *c); /* to be freed; NULL if there is none */

#endif
