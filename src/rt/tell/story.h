/* The recording of one execution (story.c, story_output.c). */
#ifndef RT_STORY_H
#define RT_STORY_H

#include "rt/core/rt.h"
#include "trace/story.h"

void story_output_begin(void);
void story_output(bool plain); /* tells what the program printed since the last call */
void story_put_output(const char *text, size_t n);

#pragma GCC visibility push(hidden)

extern uint64_t assert_registers[STORY_REGISTERS]; /* hooks.S: at the last failed assertion */

void story_begin(void);
void story_announce(void); /* the running thread stands before its pending operation */
void story_event(const struct event *ev);
void story_note(const char *text);
void story_name(uint64_t object, uint32_t size, const char *name); /* what is not in memory */
void story_finding(const struct finding *f);
void story_end(enum outcome o);
void story_order(int order); /* the memory order of the atomic operation that is told next */

/* Where a thread stands. */
struct calls {
    uint32_t frames;
    struct story_frame frame[STORY_FRAMES]; /* innermost first, of the program only */
};
void calls_begin(void);
void calls_take(struct calls *c);
/* Its number in the recording, with `pc` as the innermost place; it is written if it is new. */
uint32_t calls_number(const struct calls *c, uint64_t pc);
void story_put_calls(const struct story_frame *frame, uint32_t frames);

#pragma GCC visibility pop

#endif
