/* The steps of a finding's execution as every format shows them: what happened, where, and which earlier
 * step made it possible. Events that say nothing to a reader, and plain accesses to what the finding does
 * not speak of, are left out. */
#ifndef REPORT_STEPS_H
#define REPORT_STEPS_H

#include "report/report.h"

enum { STEP_NONE = 0xffffffffu };

struct told_step {
    size_t event;    /* in the tale; its number of events: the failure itself */
    uint32_t number; /* of the scheduling step it was part of, from 1; 0: before the first decision */
    int thread;
    int plain;       /* a plain access, which is no scheduling step */
    uint64_t pc;     /* in the program's own code; 0: nowhere */
    uint32_t from;   /* index of the step that enabled it, STEP_NONE */
    char *text;      /* "locks m" */
};

struct told_steps {
    struct told_step *items;
    size_t count, room;
    size_t left_out; /* plain accesses to what the finding is about, before those that are here */
};

/* All steps of a finding up to its failure, which is the last one. Empty if there is no recording. */
void steps_tell(struct names *n, const struct report_finding *f, struct told_steps *out);
void steps_free(struct told_steps *s);

/* The number of the step that an event was part of, from 1: the same in every format, for replay --until and
 * in gdb. 0: before the first decision. */
uint32_t steps_number(const struct report_finding *f, const struct tale_event *t);

/* What an event does to its object, for who follows who has what: 'h' takes it, 'r' gives it back, 'w'
 * waits at it, 'c' waits at it and gives back event.other, '+' and '-' a message into and out of it;
 * 0: nothing of these. */
char steps_effect(const struct event *e);

/* The location without the path of the working directory, for readers who look from there. */
const char *steps_relative(const char *location);

/* "dir/file.c:12" taken apart: the length of the file's name, and the line; 0 if it is none. */
size_t steps_place(const char *location, unsigned *line);

/* What a finding says, in one sentence. */
const char *report_message(struct names *n, const struct report_finding *f);

#endif
