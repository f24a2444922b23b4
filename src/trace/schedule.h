/* The schedule file: one execution of one program, in a few lines of text that a person can read and
 * edit. `raddle run` writes it for every finding, `raddle replay` runs it.
 *
 *     raddle schedule 1
 *     program /home/me/prog
 *     …                            one "key value" line per row of schedule.def
 *     steps 11
 *     0x3 1x5 c1/2 2x1 0x1         thread x number of steps; cVALUE/CHOICES for a branch
 *     end
 *
 * Everything from '#' at the start of a line on is a comment. A value is taken literally except for
 * \n, \\ and \xHH. */
#ifndef TRACE_SCHEDULE_H
#define TRACE_SCHEDULE_H

#include "base/error.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "trace/trace.h"

#define SCHEDULE_VERSION 1

struct schedule_list {
    char **items;
    size_t count, room;
};

struct schedule {
#define TEXT(field, key) char *field;
#define NUMBER(field, key) uint64_t field;
#define LIST(field, key) struct schedule_list field;
#include "trace/schedule.def"
#undef TEXT
#undef NUMBER
#undef LIST
    VEC(struct step) steps;
};

void schedule_format(const struct schedule *s, struct sbuf *out);
/* Text of the steps alone, wrapped at 80 columns. */
void schedule_format_steps(const struct step *steps, size_t count, struct sbuf *out);

/* `name` is for messages. On failure s is left empty. */
int schedule_parse(struct schedule *s, const char *text, const char *name, struct error *e);
int schedule_read(struct schedule *s, const char *path, struct error *e);

void schedule_free(struct schedule *s);

#endif
