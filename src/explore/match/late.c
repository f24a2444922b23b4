/* Plain writes that are performed later than they are announced. gcc announces both accesses of a copy of a
 * structure before it performs it, the write first: so when the thread comes to its next operation, the read,
 * what it writes is not in memory yet. It is when the thread comes to the operation after that: if the value
 * is another one then, the instruction is known as late from now on, places that it puts are known by who
 * wrote them, and everything is learnt again. */
#include "explore/match/stateful.h"

bool match_is_late(const struct match_model *m, uint64_t pc)
{
    for (uint32_t i = 0; i < m->late_count; i++)
        if (m->late[i] == pc)
            return true;
    return false;
}

void stateful_late_begin(struct stateful *s, const struct event *write)
{
    s->awaited = *write;
    s->awaits = write->size <= 8 && !s->model.states && !match_is_late(&s->model, write->pc);
    s->passed = false;
}

static bool overlap(const struct event *a, const struct event *b)
{
    return a->object < b->object + b->size && b->object < a->object + a->size;
}

/* A thread has come to its next operation. */
void stateful_late_look(struct engine *e)
{
    struct stateful *s = e->state;
    struct match_model *m = &s->model;
    if (!s->awaits || !s->passed)
        return;
    s->awaits = false;
    if (e->peek(s->awaited.object, s->awaited.size) == s->awaited.value)
        return;
    if (m->late_count < MATCH_LATE) {
        m->late[m->late_count++] = s->awaited.pc;
        m->begins_anew = true;
    } else if (!e->incomplete) {
        e->incomplete = "too many writes are performed later than they are announced";
    }
}

void stateful_late_observe(struct engine *e, const struct event *ev)
{
    struct stateful *s = e->state;
    if (!s->awaits)
        return;
    if (ev->thread != s->awaited.thread || s->passed) {
        bool memory = operation_of(ev->kind)->object == OBJECT_MEMORY;
        if (memory && event_class(ev->kind) != CLASS_READ && overlap(ev, &s->awaited))
            s->awaits = false;
        return;
    }
    bool reads = operation_is(ev->kind, OP_PLAIN) && event_class(ev->kind) == CLASS_READ;
    s->passed = s->awaits = reads;
}
