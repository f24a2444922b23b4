/* Which parts of the program were not compiled with raddle cc (units.c). */
#ifndef RT_UNITS_H
#define RT_UNITS_H

/* Names the source files whose objects were only linked with raddle: the verdict is incomplete. */
void units_check(void);

#endif
