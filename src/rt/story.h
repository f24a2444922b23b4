/* Inside the runtime: the two halves of the recording. */
#ifndef RT_STORY_H
#define RT_STORY_H

#include "rt/rt.h"

void story_output_begin(void);
void story_output(void); /* tells what the program printed since the last call */
void story_put_output(const char *text, size_t n);

#endif
