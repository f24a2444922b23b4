/* What would differ from run to run and is always the same here (pinned.c). */
#ifndef RT_PINNED_H
#define RT_PINNED_H

#pragma GCC visibility push(hidden)
void pinned_begin(void); /* main begins: what the kernel has left in the process */
#pragma GCC visibility pop

#endif
