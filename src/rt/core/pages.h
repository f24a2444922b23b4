/* Memory shared with the host, several pages in one call of the system: a page fault for each costs more. */
#ifndef RT_CORE_PAGES_H
#define RT_CORE_PAGES_H

#include <stddef.h>

/* The descriptor of that memory, which stays open. */
void pages_of(int fd);

/* engine.will_use */
void pages_will_use(void *from, size_t size);

#endif
