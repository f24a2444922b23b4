/* A part of a command that has nothing to show before it is done (reading a model, choosing tests), with
 * an end: it takes no longer than this and no more memory, or the command says so and ends with
 * EXIT_INCOMPLETE; also when it is asked to stop (base/stop.h). One at a time. */
#ifndef BASE_BOUNDED_H
#define BASE_BOUNDED_H

#include <stddef.h>

struct bounded {
    const char *what;   /* "choosing tests" */
    double seconds;     /* 0 = no end */
    size_t bytes;       /* 0 = half of the machine's memory */
    const char *folder; /* removed if it is empty; may be NULL */
};

void bounded_begin(const struct bounded *b);
void bounded_end(void);

/* Memory cannot be had: if there is a bound, says so and ends the command. */
void bounded_out_of_memory(void);

/* Half of the machine's memory. */
size_t bounded_half(void);

#endif
