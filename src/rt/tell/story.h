/* The recording of one execution (story.c, story_output.c). */
#ifndef RT_STORY_H
#define RT_STORY_H

#include "rt/core/rt.h"

void story_output_begin(void);
void story_output(void); /* tells what the program printed since the last call */
void story_put_output(const char *text, size_t n);

#pragma GCC visibility push(hidden)

void story_begin(void);
void story_announce(void); /* the running thread stands before its pending operation */
void story_event(const struct event *ev);
void story_note(const char *text);
void story_name(uint64_t object, uint32_t size, const char *name); /* what is not in memory */
void story_finding(const struct finding *f);
void story_end(enum outcome o);

#pragma GCC visibility pop

#endif
