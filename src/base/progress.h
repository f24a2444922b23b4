/* The progress line of long work: on a terminal one line that is redrawn, elsewhere a plain line
 * every few seconds, nothing with quiet. Colours only on a terminal and without NO_COLOR. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdio.h>

struct progress {
    FILE *out;      /* stderr */
    int terminal;   /* redraw in place */
    int quiet;      /* print nothing */
    int drawn;      /* a line stands on the terminal */
    double started; /* seconds, monotonic */
    double shown;   /* when the last line was printed */
};

double progress_now(void); /* monotonic seconds */
void progress_begin(struct progress *p, int quiet);
int progress_due(const struct progress *p); /* is it time for a new line? cheap */
void progress_line(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void progress_end(struct progress *p); /* wipes the redrawn line */

/* "12,345,678" in a rotating static buffer (8 of them). */
const char *progress_number(unsigned long long n);

int progress_colour(FILE *f); /* may escapes be written to f? */
int progress_plain(void);     /* only plain lines are wanted: on CI, and on a terminal that can do no more */

#endif
