/* On a busy machine a worker may be ready to run and not get the processor: then it does not hang. */
#ifndef HOST_STARVED_H
#define HOST_STARVED_H

#include <stdbool.h>
#include <sys/types.h>

/* Processor time that the process has used, in seconds; 0 if that is not known. */
double starved_cpu(pid_t pid);

/* Is it ready to run, or does the kernel wait for memory on its behalf (a state that no program keeps up by
 * itself), and has it not yet used so much processor time? */
bool starved(pid_t pid, double enough);

/* How long a process worked. Time in which it was ready to run and did not get the processor does not
 * count, so that a busy machine comes as far as an idle one; time in which it waited for something does. */
struct worked {
    double seconds;
    double at, cpu; /* when it was looked at last, and the processor time used by then */
};
void worked_note(struct worked *w, pid_t pid, double now);

#endif
