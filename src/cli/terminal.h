/* A report on standard output: with colours and links where the terminal shows them. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "report/report.h"

/* Prints the text; what is not ours in it is made visible (base/foreign.h). Locations that the
 * report speaks of become links to their files (OSC 8) if the terminal is known to have them, or
 * RADDLE_LINKS=1 says so. `r` may be NULL: no links. */
void terminal_print(const char *text, const struct report *r);

#endif
