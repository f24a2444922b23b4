#include "report/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void names_init(struct names *n, const struct tale *t)
{
    *n = (struct names){.tale = t, .symbols = symbols_open(t)};
}

void names_free(struct names *n)
{
    for (size_t i = 0; i < n->texts.count; i++)
        free(n->texts.items[i]);
    vec_free(&n->texts);
    vec_free(&n->blocks);
    symbols_free(n->symbols);
}

const char *names_keep(struct names *n, char *text)
{
    vec_push(&n->texts, text);
    return text;
}

/* ---- data ---- */

static int allocates(const struct event *e, uint64_t address)
{
    return e->kind == EV_ALLOC && address >= e->object && address - e->object < (e->size ? e->size : 1);
}

/* The block that holds the address as of event `at`: the last one allocated there before. */
static size_t allocation_of(const struct tale *t, uint64_t address, size_t at)
{
    for (size_t i = at < t->events.count ? at + 1 : t->events.count; i-- > 0;)
        if (allocates(&t->events.items[i].event, address))
            return i;
    return SIZE_MAX;
}

static size_t free_of(const struct tale *t, size_t allocation)
{
    uint64_t object = t->events.items[allocation].event.object;
    for (size_t i = allocation + 1; i < t->events.count; i++) {
        const struct event *e = &t->events.items[i].event;
        if (e->kind == EV_FREE && e->object == object)
            return i;
        if (e->kind == EV_ALLOC && e->object == object)
            break;
    }
    return SIZE_MAX;
}

static size_t block_number(struct names *n, size_t allocation)
{
    for (size_t i = 0; i < n->blocks.count; i++)
        if (n->blocks.items[i].event == allocation)
            return i + 1;
    vec_push(&n->blocks, ((struct named_block){allocation, free_of(n->tale, allocation)}));
    return n->blocks.count;
}

static const char *block_name(struct names *n, uint64_t address, size_t at)
{
    size_t allocation = allocation_of(n->tale, address, at);
    if (allocation == SIZE_MAX)
        return NULL;
    uint64_t offset = address - n->tale->events.items[allocation].event.object;
    size_t number = block_number(n, allocation);
    return names_keep(n, offset ? mem_printf("block %zu+%llu", number, (unsigned long long)offset)
                                : mem_printf("block %zu", number));
}

/* "stack of main-136": so many bytes from its outer end. */
static const char *stack_name(struct names *n, int thread, uint64_t depth)
{
    unsigned long long d = depth;
    return names_keep(n, thread ? mem_printf("stack of thread %d-%llu", thread, d)
                                : mem_printf("stack of main-%llu", d));
}

const char *names_object(struct names *n, uint64_t address, uint32_t size, size_t at)
{
    const struct tale_module *m = tale_module_at(n->tale, address);
    int thread;
    if (m && sscanf(m->path, "[stack %d]", &thread) == 1)
        return stack_name(n, thread, m->end - address);
    if (m && !strncmp(m->path, "[object ", 8))
        return names_keep(n, mem_printf("%.*s", (int)strlen(m->path) - 9, m->path + 8));
    char *variable = symbols_variable(n->symbols, address, size);
    if (variable)
        return names_keep(n, variable);
    const char *block = block_name(n, address, at);
    if (block)
        return block;
    return names_keep(n, mem_printf("%#llx", (unsigned long long)address));
}

static int64_t sign_extend(uint64_t value, uint32_t size)
{
    if (size == 0 || size >= 8)
        return (int64_t)value;
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

const char *names_value(struct names *n, uint64_t value, uint32_t size, size_t at)
{
    int64_t number = sign_extend(value, size);
    if (size == 8 && number > 0xffff) {
        char *variable = symbols_variable(n->symbols, value, 0);
        if (variable) {
            const char *text = names_keep(n, mem_printf("&%s", variable));
            free(variable);
            return text;
        }
        const char *block = block_name(n, value, at);
        if (block)
            return names_keep(n, mem_printf("&%s", block));
        if (number > 0xffffffffll)
            return names_keep(n, mem_printf("%#llx", (unsigned long long)value));
    }
    return names_keep(n, mem_printf("%lld", (long long)number));
}

/* ---- threads and code ---- */

const char *names_function(struct names *n, uint64_t pc)
{
    struct place p = symbols_place(n->symbols, pc);
    return p.function ? p.function : "";
}

/* The outermost frame of ours in a call stack: what the thread was started with. */
static const char *outermost(struct names *n, const uint64_t *pc, uint32_t frames)
{
    for (uint32_t i = frames; i-- > 0;) {
        struct place p[16];
        if (tale_foreign(n->tale, pc[i]))
            continue;
        int count = symbols_frames(n->symbols, pc[i], p, 16);
        if (p[count - 1].function)
            return p[count - 1].function;
    }
    return "";
}

const char *names_thread(struct names *n, int thread)
{
    if (thread == 0)
        return "main";
    const char *best = "";
    for (size_t i = 0; i < n->tale->events.count && !*best; i++) {
        const struct tale_event *e = &n->tale->events.items[i];
        if (e->event.thread == thread && e->frames > 0 && e->event.kind != EV_START)
            best = outermost(n, e->pc, e->frames);
    }
    for (size_t i = 0; i < n->tale->stacks.count && !*best; i++) {
        const struct tale_stack *s = &n->tale->stacks.items[i];
        if ((int)s->thread == thread)
            best = outermost(n, s->pc, s->frames);
    }
    return best;
}

const char *names_thread_full(struct names *n, int thread)
{
    const char *function = names_thread(n, thread);
    return names_keep(n, *function ? mem_printf("thread %d (%s)", thread, function)
                                   : mem_printf("thread %d", thread));
}

static const char *location(struct names *n, uint64_t pc, int whole)
{
    struct place p = symbols_place(n->symbols, pc);
    if (p.file) {
        const char *slash = whole ? NULL : strrchr(p.file, '/');
        return names_keep(n, mem_printf("%s:%d", slash ? slash + 1 : p.file, p.line));
    }
    char *place = pc ? tale_place(n->tale, pc) : NULL;
    return place ? names_keep(n, place) : "?";
}

const char *names_location(struct names *n, uint64_t pc)
{
    return location(n, pc, 0);
}

const char *names_path_location(struct names *n, uint64_t pc)
{
    return location(n, pc, 1);
}

static int is_own_code(struct names *n, uint64_t pc)
{
    if (tale_foreign(n->tale, pc))
        return 0;
    struct place p = symbols_place(n->symbols, pc);
    return !symbols_in_raddle_h(&p);
}

uint64_t names_own_place(struct names *n, uint64_t pc, const uint64_t *frames, uint32_t count)
{
    if (pc && is_own_code(n, pc))
        return pc;
    for (uint32_t i = 0; i < count; i++)
        if (is_own_code(n, frames[i]))
            return frames[i];
    return pc;
}
