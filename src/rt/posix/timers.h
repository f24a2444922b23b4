/* POSIX timers of the program. */
#ifndef RT_TIMERS_H
#define RT_TIMERS_H

void timers_reset(void);
void timers_stop(void); /* the program ends */

#endif
