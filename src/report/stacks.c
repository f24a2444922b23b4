#include "report/stacks.h"

#include <stdlib.h>
#include <string.h>

size_t stacks_event_at(const struct tale *t, const struct tale_finding *told, int thread,
                       uint64_t pc)
{
    for (size_t i = told->at < t->events.count ? told->at + 1 : t->events.count; i-- > 0;) {
        const struct tale_event *e = &t->events.items[i];
        if (e->event.thread == thread && e->event.pc == pc)
            return i;
    }
    return t->events.count;
}

/* Where it took what it holds, which may be where it stands now as well. */
static size_t taken_at(const struct tale *t, const struct tale_finding *told, const struct fact *f)
{
    for (size_t i = told->at < t->events.count ? told->at : t->events.count; i-- > 0;) {
        const struct event *e = &t->events.items[i].event;
        if (e->thread == f->thread && e->object == f->object && e->pc == f->pc)
            return i;
    }
    return t->events.count;
}

static const uint64_t *stack_at(const struct tale *t, const struct tale_finding *told, int thread,
                                uint64_t pc, uint32_t *frames)
{
    const struct tale_stack *s = tale_stack(t, told, thread);
    for (uint32_t k = 0; s && k < s->frames; k++)
        if (s->pc[k] == pc) {
            *frames = s->frames - k;
            return s->pc + k;
        }
    size_t event = stacks_event_at(t, told, thread, pc);
    *frames = event < t->events.count ? t->events.items[event].frames : 0;
    return *frames ? t->events.items[event].pc : NULL;
}

static void add_caller(struct callers *l, char *line)
{
    if (l->count && !strcmp(l->line[l->count - 1], line)) {
        l->times[l->count - 1]++;
        free(line);
        return;
    }
    l->line[l->count] = line;
    l->times[l->count++] = 1;
}

void stacks_callers(struct names *n, const uint64_t *pc, uint32_t frames, struct callers *out)
{
    int first = 1;
    out->count = 0;
    for (uint32_t i = 0; i < frames && i < STORY_FRAMES; i++) {
        struct place p[4];
        if (tale_foreign(n->tale, pc[i]))
            continue;
        int count = symbols_frames(n->symbols, pc[i], p, 4);
        for (int k = first; k < count; k++) { /* the first one is the place itself */
            if (symbols_internal(&p[k]))
                continue;
            const char *slash = p[k].file ? strrchr(p[k].file, '/') : NULL;
            const char *function = p[k].function ? p[k].function : "?";
            add_caller(out, p[k].file ? mem_printf("%s:%d in %s", slash ? slash + 1 : p[k].file,
                                                   p[k].line, function)
                                      : mem_printf("%s in %s", names_location(n, pc[i]), function));
        }
        first = 0;
    }
}

void stacks_callers_at(struct names *n, const struct tale_finding *told, int thread, uint64_t pc,
                       struct callers *out)
{
    uint32_t frames;
    const uint64_t *stack = stack_at(n->tale, told, thread, pc, &frames);
    out->count = 0;
    if (stack)
        stacks_callers(n, stack, frames, out);
}

static const uint64_t *stack_of_fact(const struct tale *t, const struct tale_finding *told,
                                     const struct fact *f, uint32_t *frames)
{
    size_t event = fact_holds(f) ? taken_at(t, told, f) : t->events.count;
    if (event == t->events.count)
        return stack_at(t, told, f->thread, f->pc, frames);
    *frames = t->events.items[event].frames;
    return t->events.items[event].pc;
}

uint64_t stacks_fact_place(struct names *n, const struct tale_finding *told, const struct fact *f)
{
    uint32_t frames = 0;
    const uint64_t *stack = stack_of_fact(n->tale, told, f, &frames);
    return names_own_place(n, f->pc, stack, stack ? frames : 0);
}

void stacks_fact_callers(struct names *n, const struct tale_finding *told, const struct fact *f,
                         struct callers *out)
{
    uint32_t frames = 0, k = 0;
    const uint64_t *stack = stack_of_fact(n->tale, told, f, &frames);
    uint64_t place = stacks_fact_place(n, told, f);
    out->count = 0;
    while (stack && k < frames && stack[k] != place)
        k++;
    if (stack && k < frames)
        stacks_callers(n, stack + k, frames - k, out);
}

void stacks_free(struct callers *l)
{
    for (int i = 0; i < l->count; i++)
        free(l->line[i]);
    l->count = 0;
}
