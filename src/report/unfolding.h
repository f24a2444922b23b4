/* The unfolding that an engine has built (explore/unfold/net.h), to be drawn. In a report it is lines
 * of text, fields separated by tabs; a condition is EVENT.SLOT, the event that put it (0: it is there
 * from the start) and the slot whose state it is:
 *
 *   slot    SLOT thread NAME   or: object
 *   event   NUMBER THREAD done ARCS WORDS PLACE   or: open, it is possible and was not performed
 *           ARCS: -CONDITION takes it, ~CONDITION reads it, +EVENT comes after it,
 *           =SLOT:VALUE of what it puts
 *   cut     CONDITION COUNT    so many further events take it that are not among these */
#ifndef REPORT_UNFOLDING_H
#define REPORT_UNFOLDING_H

#include "base/mem.h"
#include "report/report.h"

enum { UNFOLDING_MOST = 400, UNFOLDING_PAGE = 120 }; /* events that are kept; that a page still shows */

struct unfolding_slot {
    uint32_t slot;
    bool thread;
    char *name;
};

struct unfolding_event {
    uint32_t number, thread;
    bool done;
    char *words, *place;
};

struct unfolding_condition {
    uint32_t event, slot;
    uint32_t cut;       /* further events that take it */
    char *value;        /* NULL: not known */
};

enum unfolding_arc_kind { ARC_TAKES, ARC_READS, ARC_PUTS, ARC_AFTER };
struct unfolding_arc {
    uint8_t kind;
    size_t event, other; /* indices: an event, and a condition or (ARC_AFTER) the event before it */
};

struct unfolding {
    uint64_t performed; /* events there are; more than `events` if it was too large */
    VEC(struct unfolding_slot) slots;
    VEC(struct unfolding_event) events;
    VEC(struct unfolding_condition) conditions;
    VEC(struct unfolding_arc) arcs;
};

/* 0, or -1: the report has none. */
int unfolding_read(struct unfolding *u, const struct report *r);
void unfolding_free(struct unfolding *u);

/* "m", "x = 3", "main": what the condition says; the text is the caller's. */
char *unfolding_condition_text(const struct unfolding *u, const struct unfolding_condition *c);
const struct unfolding_slot *unfolding_slot(const struct unfolding *u, uint32_t slot);

/* For Graphviz. */
void unfolding_dot(const struct report *r, struct sbuf *out);

/* As a section of the page, if it is small. */
void html_unfolding(const struct report *r, struct sbuf *out);

#endif
