#include "trace/shared.h"

#include "base/ensure.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
#define FINDING(kind, name, words) name,
#include "trace/finding.def"
#undef FINDING
};

static const char *const words_of[] = {
#define FINDING(kind, name, words) words,
#include "trace/finding.def"
#undef FINDING
};

const char *finding_name(enum finding_kind k)
{
    ensure(k < FINDING_KINDS);
    return names[k];
}

enum finding_kind finding_find(const char *name)
{
    enum finding_kind k = 0;
    while (k < FINDING_KINDS && (!name || strcmp(names[k], name)))
        k++;
    return k;
}

const char *finding_words(enum finding_kind k)
{
    ensure(k < FINDING_KINDS);
    return words_of[k];
}

static struct work new_work(struct arena *a, uint64_t room)
{
    return (struct work){.bytes = arena_alloc(a, room), .room = room};
}

void shared_init(struct shared *s, uint32_t max_steps)
{
    ensure(max_steps > 0);
    size_t head = (sizeof *s + 4095) & ~(size_t)4095;
    s->magic = SHARED_MAGIC;
    s->version = SHARED_VERSION;
    s->exchange.grove_fd = -1;
    s->arena = (struct arena){.base = (char *)s + head, .size = SHARED_SIZE - head};
    struct trace *t = &s->trace;
    t->step_room = 2 * max_steps + 1024; /* branches are steps too */
    t->event_room = 4 * max_steps + 4096;
    t->steps = arena_alloc(&s->arena, t->step_room * sizeof *t->steps);
    t->events = arena_alloc(&s->arena, t->event_room * sizeof *t->events);
    s->finding_arena.size = SHARED_FINDINGS * t->step_room * sizeof *t->steps;
    s->finding_arena.base = arena_alloc(&s->arena, s->finding_arena.size);
    uint64_t room = (1ull << 20) + 256ull * t->step_room;
    room = room < 256ull << 20 ? room : 256ull << 20;
    s->exchange.mail = new_work(&s->arena, room);
    s->exchange.answer = new_work(&s->arena, room);
    s->exchange.checkpoints[0].item = new_work(&s->arena, room);
    s->exchange.checkpoints[1].item = new_work(&s->arena, room);
    s->exchange.outbox.place = arena_alloc(&s->arena, (t->step_room + 1) * sizeof(uint16_t));
    s->exchange.outbox.told = new_work(&s->arena, OUTBOX_ROOM);
    s->engine_mark = s->arena.used;
}

void shared_lose(struct shared *s, struct finding_id id)
{
    ensure(s->lost.count <= SHARED_LOST);
    uint64_t low = id.pc < id.pc2 || id.kind != FINDING_RACE ? id.pc : id.pc2;
    uint64_t high = low == id.pc ? id.pc2 : id.pc;
    uint64_t key = (low * 0x9e3779b97f4a7c15u ^ high) * 0xbf58476d1ce4e5b9u ^ id.kind;
    limit_reached(&s->limits, LIMIT_FINDINGS, SHARED_FINDINGS);
    if (id.kind >= FINDING_LEAK)
        return; /* a warning */
    for (uint32_t i = 0; i < s->lost.count; i++)
        if (s->lost.keys[i] == key)
            return;
    if (s->lost.count == SHARED_LOST)
        limit_reached(&s->limits, LIMIT_LOST, SHARED_LOST);
    else
        s->lost.keys[s->lost.count++] = key;
}
