/* What a finding is recognised by in another build of the program: not by numbers of lines, which change
 * with every edit above them, but by its kind, the functions it shows in and the text of their lines. A
 * race is recognised by the field that is raced for, whichever of its accesses were seen. */
#ifndef REPORT_IDENTITY_H
#define REPORT_IDENTITY_H

#include "report/report.h"

/* One line: the kind, what it says and its places, separated by tabs (allocated). */
char *identity_of(struct names *n, const struct report_finding *f);

/* The same as a number, for formats that want one. */
uint64_t identity_hash(struct names *n, const struct report_finding *f);

/* The field that a race is for, without numbers of elements and blocks: "slot[].key" (allocated); NULL
 * if it is no race. */
char *identity_field(struct names *n, const struct report_finding *f);

/* Whatever a suppression may name it by: the functions and files of all its stacks, the object. */
void identity_names(struct names *n, const struct report_finding *f, struct report_list *out);

#endif
