#include "report/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For questions that are asked for every event: what was allocated, and when each thread did something. */
struct names_index {
    VEC(uint32_t) allocations;
    VEC(uint32_t) of_thread[EVENT_MAX_THREADS]; /* its events that have a call stack */
};

static void build_index(struct names *n)
{
    const struct tale *t = n->tale;
    n->index = mem_alloc(sizeof *n->index);
    for (size_t i = 0; i < t->events.count; i++) {
        const struct tale_event *e = &t->events.items[i];
        if (e->event.kind == EV_ALLOC)
            vec_push(&n->index->allocations, (uint32_t)i);
        if (e->frame)
            vec_push(&n->index->of_thread[e->event.thread], (uint32_t)i);
    }
}

static const struct names_index *index_of(struct names *n)
{
    if (!n->index)
        build_index(n);
    return n->index;
}

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
    for (int t = 0; t < EVENT_MAX_THREADS && n->index; t++)
        vec_free(&n->index->of_thread[t]);
    if (n->index)
        vec_free(&n->index->allocations);
    free(n->index);
    symbols_free(n->symbols);
}

const char *names_keep(struct names *n, char *text)
{
    vec_push(&n->texts, text);
    return text;
}

/* ---- heap blocks ---- */

static int lies_in(const struct event *block, uint64_t address)
{
    return address >= block->object && address - block->object < (block->size ? block->size : 1);
}

/* The block that holds the address as of event `at`: the last one allocated there before. */
static size_t allocation_of(struct names *n, uint64_t address, size_t at)
{
    const struct names_index *x = index_of(n);
    for (size_t i = x->allocations.count; i-- > 0;) {
        size_t event = x->allocations.items[i];
        if (event <= at && lies_in(&n->tale->events.items[event].event, address))
            return event;
    }
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

#define USES 48   /* of a block that are looked at */
#define CALLERS 4 /* and functions of each */
#define KINDS 32  /* types that are compared */

struct votes {
    int kind[KINDS], count[KINDS], kinds;
};

static void vote(struct votes *v, int kind, int weight)
{
    int i = 0;
    while (i < v->kinds && v->kind[i] != kind)
        i++;
    if (kind < 0 || i == KINDS)
        return;
    v->kinds += i == v->kinds;
    v->kind[i] = kind;
    v->count[i] += weight;
}

static void vote_of_event(struct names *n, const struct tale_event *t, uint64_t size, struct votes *v)
{
    int kinds[8];
    for (uint32_t i = 0; i < t->frames && i < CALLERS; i++) {
        int foreign = tale_foreign(n->tale, t->pc[i]);
        int count = foreign ? 0 : symbols_pointees(n->symbols, t->pc[i], size, kinds, 8);
        for (int k = 0; k < count; k++) {
            int whole = symbols_kind_size(n->symbols, kinds[k]) == size;
            vote(v, kinds[k], (whole ? 100 : 1) * (CALLERS - (int)i));
        }
    }
}

/* The type that most of the functions which use the block could reach it by; one that is exactly as large
 * before one that it could be an array of. */
static int kind_of(struct names *n, size_t allocation, int *guessed)
{
    const struct tale *t = n->tale;
    const struct event *block = &t->events.items[allocation].event;
    struct votes v = {.kinds = 0};
    int left = USES, best = -1, said = -1;
    for (size_t i = allocation; i < t->events.count && left; i++) {
        const struct tale_event *e = &t->events.items[i];
        int pointed = e->event.size == 8 && e->event.value == block->object
                          ? symbols_pointer_at(n->symbols, e->event.object, block->size)
                          : -1;
        vote(&v, pointed, 1000);
        said = pointed >= 0 ? pointed : said;
        if (!lies_in(block, e->event.object) || e->note)
            continue;
        vote_of_event(n, e, block->size, &v);
        left--;
    }
    for (int i = 0; i < v.kinds; i++)
        best = best < 0 || v.count[i] > v.count[best] ? i : best;
    *guessed = best >= 0 && v.kind[best] != said;
    return best < 0 ? -1 : v.kind[best];
}

static const char *block_label(struct names *n, int kind)
{
    size_t same = 1, nameless = 1;
    for (size_t i = 0; i < n->blocks.count; i++) {
        int other = n->blocks.items[i].kind;
        nameless += other < 0;
        same += kind >= 0 && other >= 0 &&
                !strcmp(symbols_kind_name(n->symbols, kind), symbols_kind_name(n->symbols, other));
    }
    if (kind < 0)
        return names_keep(n, mem_printf("block %zu", nameless));
    const char *name = symbols_kind_name(n->symbols, kind);
    return same > 1 ? names_keep(n, mem_printf("%s#%zu", name, same)) : name;
}

static const struct named_block *block_of(struct names *n, size_t allocation)
{
    for (size_t i = 0; i < n->blocks.count; i++)
        if (n->blocks.items[i].event == allocation)
            return &n->blocks.items[i];
    int guessed, kind = kind_of(n, allocation, &guessed);
    struct named_block b = {allocation, free_of(n->tale, allocation), kind, block_label(n, kind), guessed};
    vec_push(&n->blocks, b);
    return &n->blocks.items[n->blocks.count - 1];
}

/* `whole`: an address at its beginning means the block, not what it begins with. */
static const char *block_name(struct names *n, uint64_t address, uint32_t size, size_t at, int whole)
{
    size_t allocation = allocation_of(n, address, at);
    if (allocation == SIZE_MAX)
        return NULL;
    const struct event *e = &n->tale->events.items[allocation].event;
    const struct named_block *b = block_of(n, allocation);
    uint64_t offset = address - e->object;
    if (b->kind < 0)
        return offset ? names_keep(n, mem_printf("%s+%llu", b->name, (unsigned long long)offset)) : b->name;
    if (!offset && whole)
        return b->name;
    char *inside = symbols_in_kind(n->symbols, b->kind, offset, e->size, size);
    const char *text = names_keep(n, mem_printf("%s%s", b->name, inside));
    free(inside);
    return text;
}

const char *names_block(struct names *n, uint64_t address, size_t at)
{
    const char *name = block_name(n, address, 0, at, 1);
    return name ? name : names_object(n, address, 0, at);
}

const char *names_block_of(struct names *n, uint64_t address, size_t at)
{
    size_t allocation = allocation_of(n, address, at);
    return allocation == SIZE_MAX ? "the block" : block_of(n, allocation)->name;
}

/* ---- stacks ---- */

/* The function of the frame that the address lies in, from what its thread did nearest to event `at`. */
static char *local_name(struct names *n, int thread, uint64_t address, uint32_t size, size_t at)
{
    const struct names_index *x = index_of(n);
    size_t low = 0, high = x->of_thread[thread].count;
    const uint32_t *events = x->of_thread[thread].items;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (events[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    /* What it did just before, just after if the function did not run yet, and earlier if it has ended. */
    for (size_t tries = 0; tries < 18; tries++) {
        size_t k = tries == 1 ? low : low - 1 - (tries ? tries - 1 : 0);
        if (k >= x->of_thread[thread].count) /* also: there are not so many */
            continue;
        const struct tale_event *e = &n->tale->events.items[events[k]];
        uint32_t i = 0;
        while (i < e->frames && (address < e->frame[i].sp || address >= e->frame[i].base + 16))
            i++;
        char *name = i < e->frames ? symbols_local(n->symbols, &e->frame[i], address, size) : NULL;
        if (name)
            return name;
    }
    return NULL;
}

/* Without a name "stack of main-136": so many bytes from its outer end. */
static const char *stack_name(struct names *n, int thread, uint64_t address, uint32_t size, size_t at,
                              uint64_t end)
{
    char *local = thread >= 0 && thread < EVENT_MAX_THREADS ? local_name(n, thread, address, size, at) : NULL;
    unsigned long long d = end - address;
    return names_keep(n, local ? local : thread ? mem_printf("stack of thread %d-%llu", thread, d)
                                                : mem_printf("stack of main-%llu", d));
}

/* "pipe 5-6@0x555555555189]": "pipe 5-6 (of server.c:20)". */
static const char *outside_name(struct names *n, const char *text)
{
    const char *at = strrchr(text, '@');
    uint64_t pc = at ? strtoull(at + 1, NULL, 16) : 0;
    int length = (int)(at ? (size_t)(at - text) : strlen(text) - 1);
    return names_keep(n, pc ? mem_printf("%.*s (of %s)", length, text, names_location(n, pc))
                            : mem_printf("%.*s", length, text));
}

const char *names_object(struct names *n, uint64_t address, uint32_t size, size_t at)
{
    const struct tale_module *m = tale_module_at(n->tale, address);
    int thread;
    if (m && sscanf(m->path, "[stack %d]", &thread) == 1)
        return stack_name(n, thread, address, size, at, m->end);
    if (m && !strncmp(m->path, "[object ", 8))
        return outside_name(n, m->path + 8);
    char *variable = symbols_variable(n->symbols, address, size);
    if (variable)
        return names_keep(n, variable);
    const char *block = block_name(n, address, size, at, 0);
    if (block)
        return block;
    /* Of what comes later the recording has the allocation, if there is one. */
    bool early = address - HEAP_BASE < HEAP_SIZE && n->tale->events.count;
    return names_keep(n, mem_printf(early ? "memory from before main (%#llx)" : "%#llx",
                                    (unsigned long long)address));
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
        const char *block = block_name(n, value, 0, at, 1);
        if (block)
            return names_keep(n, mem_printf("&%s", block));
        const struct tale_module *m = tale_module_at(n->tale, value);
        if (m && !strncmp(m->path, "[stack ", 7))
            return names_keep(n, mem_printf("&%s", names_object(n, value, 0, at)));
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

const char *names_source(struct names *n, uint64_t pc)
{
    return symbols_place(n->symbols, pc).source;
}

const char *names_short(const char *name, size_t room)
{
    const char *part = name;
    int depth = 0; /* inside of <> and () */
    for (const char *p = name; strlen(name) > room && *p && strncmp(p, "operator", 8); p++) {
        depth += *p == '<' || *p == '(';
        depth -= depth && (*p == '>' || *p == ')');
        if (!depth && p[0] == ':' && p[1] == ':')
            part = p + 2;
    }
    return *part ? part : name;
}

/* The outermost frame of the program's own code in a call stack: what the thread was started with. */
static const char *outermost(struct names *n, const uint64_t *pc, uint32_t frames)
{
    for (uint32_t i = frames; i-- > 0;) {
        struct place p[16];
        if (tale_foreign(n->tale, pc[i]))
            continue;
        for (int k = symbols_frames(n->symbols, pc[i], p, 16); k-- > 0;)
            if (p[k].function && !symbols_internal(&p[k]))
                return p[k].function;
    }
    return "";
}

static const char *find_thread(struct names *n, int thread)
{
    const struct tale *t = n->tale;
    const struct names_index *x = index_of(n);
    const char *best = "";
    for (size_t i = 0; i < x->of_thread[thread].count && !*best; i++) {
        const struct tale_event *e = &t->events.items[x->of_thread[thread].items[i]];
        if (e->event.kind != EV_START)
            best = outermost(n, e->pc, e->frames);
    }
    for (size_t i = 0; i < t->stacks.count && !*best; i++)
        if ((int)t->stacks.items[i].thread == thread)
            best = outermost(n, t->stacks.items[i].pc, t->stacks.items[i].frames);
    return best;
}

const char *names_thread(struct names *n, int thread)
{
    if (thread <= 0 || thread >= EVENT_MAX_THREADS)
        return "main";
    if (!n->threads[thread])
        n->threads[thread] = find_thread(n, thread);
    return n->threads[thread];
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
    return !symbols_internal(&p);
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
