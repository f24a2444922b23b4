/* A run of the system as a message sequence chart: which send belongs to which receive, and the
 * pictures made of it. */
#ifndef MODEL_CHART_H
#define MODEL_CHART_H

#include "base/sbuf.h"
#include "model/step.h"

struct chart_event {
    int proc, trans;
    enum action action;
    int message; /* number of the message sent or received; -1: none */
    int peer;    /* process at the other end, -1: not known (never received) */
    int to;      /* local state after it */
    char *text;  /* "one(2)", or the text of an internal transition */
    int failed;  /* the step that faults */
};

struct chart {
    const struct sys *s;
    VEC(struct chart_event) events;
    int messages;
    struct gstate end; /* the state reached (before a step that faults) */
};

/* Replays steps from the initial state; the last may fault. */
void chart_build(struct chart *c, const struct sys *s, const step_list *steps);
void chart_free(struct chart *c);

/* A column per process, or where that is wider than `width` (0: any width will do) a line per event. */
void chart_text(const struct chart *c, int width, struct sbuf *b);
void chart_svg(const struct chart *c, const char *title, struct sbuf *b);
void chart_dot(const struct chart *c, struct sbuf *b);

#endif
