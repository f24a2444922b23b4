/* Call stacks of a recording. Most events share theirs with many others, so each is written once and has a
 * number; which ones were written is known by a hash of 64 bits. */
#include "rt/tell/story.h"

#include <unwind.h>

#define ROOM (1u << 14)

static struct {
    uint64_t hash;
    uint32_t number;
} known[ROOM];
static uint32_t written, kept;

void calls_begin(void)
{
    rt_fill(known, 0, sizeof known);
    written = kept = 0;
}

static _Unwind_Reason_Code collect(struct _Unwind_Context *u, void *arg)
{
    struct calls *c = arg;
    uintptr_t ip = _Unwind_GetIP(u);
    if (!ip || c->frames == STORY_FRAMES)
        return _URC_END_OF_STACK;
    if (rt_from_program(ip))
        c->frame[c->frames++] = (struct story_frame){ip, _Unwind_GetGR(u, 6), _Unwind_GetCFA(u)};
    return _URC_NO_REASON;
}

void calls_take(struct calls *c)
{
    bool was = rt.active;
    rt.active = false;
    c->frames = 0;
    _Unwind_Backtrace(collect, c);
    rt.active = was;
}

static uint64_t hash_of(const struct story_frame *frame, uint32_t frames)
{
    uint64_t h = 0x9e3779b97f4a7c15ull + frames;
    for (uint32_t i = 0; i < frames; i++) {
        h = (h ^ frame[i].pc) * 0xff51afd7ed558ccdull;
        h = (h ^ h >> 29 ^ frame[i].base) * 0xc4ceb9fe1a85ec53ull;
        h = (h ^ h >> 31 ^ frame[i].sp) * 0x9e3779b97f4a7c15ull;
    }
    return h ? h : 1;
}

uint32_t calls_number(const struct calls *c, uint64_t pc)
{
    struct story_frame frame[STORY_FRAMES + 1];
    uint32_t extra = !c->frames || c->frame[0].pc != pc, frames = c->frames + extra;
    frame[0] = (struct story_frame){pc, c->frames ? c->frame[0].base : 0, c->frames ? c->frame[0].sp : 0};
    rt_copy(frame + extra, c->frame, c->frames * sizeof *frame);
    uint64_t hash = hash_of(frame, frames);
    uint32_t i = (uint32_t)hash % ROOM;
    while (known[i].number && known[i].hash != hash)
        i = (i + 1) % ROOM;
    if (known[i].number)
        return known[i].number;
    story_put_calls(frame, frames);
    written++;
    if (kept < ROOM / 2) { /* beyond that each is written anew */
        kept++;
        known[i].hash = hash;
        known[i].number = written;
    }
    return written;
}
