/* A report on standard output: with colours and links where the terminal shows them. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "report/report.h"

#include <stdio.h>

/* Prints the text; what is not ours in it is made visible (base/foreign.h). Locations that the
 * report speaks of become links to their files (OSC 8) if the terminal is known to have them, or
 * RADDLE_LINKS=1 says so. `r` may be NULL: no links. */
void terminal_print(const char *text, const struct report *r);

/* The columns of a terminal; 0 if the stream is none. */
int terminal_width(FILE *f);
/* Prints the text; on a terminal lines that are too long for it are broken between words. */
void terminal_wrap(FILE *f, const char *text);

#endif
