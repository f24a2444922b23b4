/* What led to a finding, told from its recording: sentences, the events that they speak of, and the objects
 * that the failure is about. Each kind of finding has its own questions (causes_*.c); what the recording does
 * not show is not said. */
#ifndef REPORT_CAUSES_H
#define REPORT_CAUSES_H

#include "report/report.h"

struct cause {
    char *text;   /* without the place */
    uint64_t pc;  /* the place; 0: it has none */
    size_t event; /* in the tale; SIZE_MAX: none */
    int stack;    /* show its callers */
};

struct causes {
    VEC(struct cause) items;
    VEC(uint64_t) objects; /* that the failure is about */
};

void causes_find(struct names *n, const struct report_finding *f, struct causes *out);
void causes_free(struct causes *c);

/* Does an access of `size` bytes there touch one of the objects? */
int causes_touch(const struct causes *c, uint64_t address, uint32_t size);
/* Does the event concern one of them? */
int causes_concern(const struct causes *c, const struct event *e);
/* Is the event one of those that are spoken of? */
int causes_name(const struct causes *c, size_t event);

#endif
