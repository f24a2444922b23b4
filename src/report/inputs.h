/* The inputs that a finding needs, for people and for programs. A line of a schedule file is
 * THREAD.INDEX TYPE VALUE NAME; see src/rt/sym/input.c. */
#ifndef REPORT_INPUTS_H
#define REPORT_INPUTS_H

#include "report/style.h"
#include "trace/schedule.h"

/* One line for each: decimal and hexadecimal, or characters and a C initialiser. */
void report_inputs(const struct schedule *s, struct style style, struct sbuf *out);
/* As a JSON object; numbers are numbers, bytes a string of hexadecimal digits. A name that comes again
 * gets "#2", and so on. */
void report_inputs_json(const struct schedule *s, struct sbuf *out);

/* The lines of a file of inputs as constants of C. */
void report_inputs_header(const char *lines, struct sbuf *out);

#endif
