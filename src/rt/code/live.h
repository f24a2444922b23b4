/* What of a thread's registers and stack can still matter. A compiler leaves in them what it needs no
 * more: the value that a loop read in its last round, the result of a call, a variable that will be
 * assigned before it is read. Two states that differ in nothing else lead to the same behaviour. */
#ifndef RT_CODE_LIVE_H
#define RT_CODE_LIVE_H

#include "rt/core/rt.h"

#define LIVE_FRAME 1024 /* bytes of a frame, from its base down, that are told apart */

/* Of a frame whose function has made a call: what the call, or the function afterwards, reads before it
 * is written. Registers that hold arguments are not among it. */
struct live {
    uint64_t registers[6]; /* rbx, rbp, r12 to r15: the bytes that matter are 0xff */
    uint32_t words;        /* of the frame, from the stack pointer up to the base pointer */
    uint64_t memory[LIVE_FRAME / 8];
    uintptr_t place; /* pc, or that of the first call after which the same happens (alike.h) */
};

void live_init(void);

/* Of the frame whose function has made the call that returns to pc with the stack pointer sp and the base
 * pointer base; NULL: not known, all of it may matter. */
const struct live *live_at(uintptr_t pc, uintptr_t sp, uintptr_t base);

/* The same where it is told apart when and for how long a thread gives way. */
const struct live *live_exactly_at(uintptr_t pc, uintptr_t sp, uintptr_t base);

/* The places like pc, itself among them, of which there is room for `room`: how many? 0: it is not known. */
uint32_t live_alike(uintptr_t pc, uint64_t *out, uint32_t room);

/* May the value that the call which returns to pc returns be used? */
bool live_result(uintptr_t pc);

/* Is pc in a loop that only pauses and counts, and comes to its end at last (ends.h)? */
bool live_ends(uintptr_t pc);

#endif
