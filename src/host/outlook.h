/* How far a search is and how long it may take: for the progress line and the report. */
#ifndef HOST_OUTLOOK_H
#define HOST_OUTLOOK_H

#include "host/supervise.h"

/* Where it is now; its estimates (s->fraction, …) are those of this moment afterwards. */
struct pace_sample outlook_now(struct search *s);
/* The progress line, its own or that of whoever waits for it. */
void outlook_show(struct search *s, struct pace_sample now);

#endif
