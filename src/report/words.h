/* What an event says in the schedule: "locks m", "writes counter = 1". */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "base/sbuf.h"
#include "report/names.h"

/* Events that say nothing to a reader: another one tells what happened. */
int words_silent(const struct event *e);

void words_event(struct names *n, size_t event, struct sbuf *out);

/* The operation a thread stands before, as an infinitive: "lock m". */
void words_pending(struct names *n, const struct event *next, struct sbuf *out);

/* `text` with "{}" replaced by the name of the object. */
/* What the runtime says of a schedule that was not followed: "of 0x5555… at pc 0x5555…" becomes the name
 * of the variable and the place. */
const char *words_divergence(struct names *n, const char *text);

/* What a finding says, in one sentence. */
const char *words_finding(struct names *n, const struct finding *f, size_t at);
const char *words_about(struct names *n, const char *text, uint64_t object, size_t at);

/* What a fact says of its thread. */
const char *words_fact(struct names *n, const struct fact *f, size_t at);

#endif
