/* Values of options that schedule files keep as text too: the range of --nondet ("HIGH" or "LOW..HIGH"),
 * the exit status of --status ("N" or "any"). */
#ifndef HOST_NONDET_H
#define HOST_NONDET_H

#include "base/error.h"
#include "trace/shared.h"

int nondet_parse(const char *text, struct run_config *c, struct error *e); /* NULL: no range */
char *nondet_text(const struct run_config *c); /* to be freed; NULL if there is none */

int status_parse(const char *text, struct run_config *c, struct error *e); /* NULL: 0 */
char *status_text(const struct run_config *c); /* to be freed; NULL if it is 0 */

#endif
