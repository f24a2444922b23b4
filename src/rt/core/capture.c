/* The words that make up the state are written one after the other into a buffer of the thread; the hash is
 * of these words, and --match exact compares them. Only where the runtime itself keeps nothing between the
 * program's call and the operation can a thread be known by this: accesses and atomics that the compiler
 * announces, and operations on objects whose only argument is the object. Elsewhere (in the middle of a
 * memcpy) nothing is captured, and the thread is known by how it got there from the last place. */
#include "rt/core/capture.h"

#include "object/object.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/code/live.h"
#include "rt/core/caller.h"
#include "rt/core/fiber.h"
#include "rt/core/restart.h"
#include "rt/core/unseen.h"
#include "rt/posix/clock.h"
#include "rt/posix/files.h"
#include "rt/posix/thread.h"

#include <sys/mman.h>

#define MOST_WORDS (1u << 14)
#define FIRST_SLOTS 9
#define MANY_BLOCKS 64 /* of one thread in one execution */

static struct captured *captured; /* [EVENT_MAX_THREADS] */
static bool part;
static uint64_t argument;
static uint64_t changes; /* that main made while it was alone */

/* Shared with the processes of --isolate fork. Thread-local variables are looked at from the beginning, so
 * there is no waiting for their first use. */
static void init(void)
{
    size_t words = sizeof(uint64_t) * MOST_WORDS, size = EVENT_MAX_THREADS * (words + sizeof *captured);
    captured = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (captured == MAP_FAILED)
        rt_fatal("no memory for the states of threads");
    uint64_t *buffers = (uint64_t *)(captured + EVENT_MAX_THREADS);
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        captured[t].words = buffers + (size_t)t * MOST_WORDS;
    fiber_more_slots(FIRST_SLOTS);
}

void capture_begin(void)
{
    rt.captures = rt.engine.captures;
    rt.clears = rt.captures | rt.wipes;
    rt.noting = rt.recording;
    rt.rounds = rt.shared->config.match >= MATCH_STATES;
    if (!rt.captures)
        return;
    if (!captured)
        init();
    rt.engine.captured = captured;
    rt.engine.owner_of = capture_owner;
    rt.noting = true;
    part = false;
    argument = changes = 0;
    unseen_begin();
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        captured[t].count = 0;
}

void capture_part(void)
{
    part = true;
}

void capture_argument(uint64_t with)
{
    argument = with;
}

void capture_hidden(const char *what)
{
    finding_incomplete("%s, which is no part of the states that --match states compares", what);
}

void capture_change(const char *what)
{
    if (rt.threads > 1)
        capture_hidden(what);
    changes++;
}

void capture_too_long(void)
{
    TSET_FOR(t, &rt.live) {
        uint64_t heap[2];
        heap_shape(t, heap);
        if (heap[1] >= MANY_BLOCKS)
            finding_incomplete("a thread allocates memory again and again, at another address each "
                               "time, so it does not come back to a state that --match states knows");
    }
}

/* ---- whose memory it is ----------------------------------------------------------------------------- */

static bool in_block(int thread, uintptr_t address)
{
    uintptr_t start;
    size_t size = fiber_tls_block(thread, &start);
    return address - start < size;
}

int capture_owner(uint64_t address)
{
    int t = fiber_of_stack(address);
    for (int i = 0; t < 0 && i < rt.threads; i++)
        if (address - (uintptr_t)rt.all[i].stack < rt.all[i].stack_size || in_block(i, address))
            t = i;
    return t < rt.threads ? t : -1;
}

/* The first of the ranges, which are in order, that ends behind the address. */
static uint32_t first_behind(uint64_t address)
{
    uint32_t low = 0, high = rt.engine.foreign_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct foreign *f = &rt.engine.foreign[middle];
        if (f->at + f->size > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool is_foreign(uint64_t address, size_t size)
{
    uint32_t i = first_behind(address);
    return i < rt.engine.foreign_count && rt.engine.foreign[i].at < address + size;
}

/* ---- words ------------------------------------------------------------------------------------------ */

struct capture_words {
    uint64_t *at, *end;
};

static inline void put(struct capture_words *w, uint64_t word)
{
    if (w->at < w->end)
        *w->at = word;
    w->at++;
}

/* The word of the thread's memory there, without bytes that others use. */
static uint64_t own_word(const uint64_t *p)
{
    uint64_t address = (uint64_t)(uintptr_t)p, word = *p;
    if (RT_LIKELY(!rt.engine.foreign_count) || !is_foreign(address, 8))
        return word;
    for (uint32_t b = 0; b < 8; b++)
        if (is_foreign(address + b, 1))
            word &= ~(0xffull << 8 * b);
    return word;
}

static void put_memory(struct capture_words *w, uintptr_t from, uintptr_t to)
{
    for (const uint64_t *p = (const uint64_t *)(from & ~7ull); p < (const uint64_t *)to; p++)
        put(w, own_word(p));
}

/* Of the frames that are understood, from the innermost outwards, what is not dead; then all of the rest. */
static void put_stack(struct capture_words *w, const struct frame *f, uintptr_t sp)
{
    const struct thread *t = rt.self;
    uintptr_t base = f->saved[1], top = (uintptr_t)t->stack + t->stack_size - 64;
    const struct live *l = live_exactly_at(f->pc, sp, base);
    put(w, f->pc);
    put(w, sp);
    for (int i = 0; i < 6; i++)
        put(w, l ? f->saved[i] & l->registers[i] : f->saved[i]);
    for (; l && base + 16 < top; l = live_exactly_at(((uintptr_t *)(sp - 16))[1], sp, base)) {
        for (uint32_t i = 0; i < l->words; i++)
            put(w, own_word((const uint64_t *)sp + i) & l->memory[i]);
        put(w, ((const uint64_t *)base)[0]);
        put(w, ((const uint64_t *)base)[1]);
        sp = base + 16;
        base = *(uintptr_t *)base;
    }
    put_memory(w, sp, top);
}

static void put_rest(struct capture_words *w)
{
    const struct thread *t = rt.self;
    uint64_t heap[2], random[4], name[2];
    uintptr_t block;
    size_t size = fiber_tls_block(rt.current, &block);
    put_memory(w, block, block + size);
    put(w, t->keys_used);
    for (uint32_t k = 0; k < t->keys_used; k++)
        put(w, (uint64_t)(uintptr_t)t->keys[k]);
    put(w, t->mask);
    put(w, fiber_floats() & (rt.keeps_floats ? ~0ul : FLOATS_CONTROL));
    put(w, rt.current ? 0 : changes);
    put(w, maps_used(rt.current));
    thread_name(rt.current, name);
    put(w, name[0]);
    put(w, name[1]);
    put(w, (uint64_t)(t->cancel_disabled | t->cancel_async << 1 | t->detached << 2));
    if (!heap_shape(rt.current, heap))
        capture_hidden("memory that was freed is used again");
    put(w, heap[0]);
    put(w, heap[1]);
    if (clock_random_state(rt.current, random))
        for (int i = 0; i < 4; i++)
            put(w, random[i]);
}

static void put_operation(struct capture_words *w, const struct event *op)
{
    put(w, (uint64_t)op->kind << 32 | op->size);
    put(w, op->object);
    put(w, op->value);
    put(w, op->other);
    put(w, op->pc);
    put(w, argument);
    argument = 0;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

/* ----------------------------------------------------------------------------------------------------- */

/* Is everything that the operation is called with known? */
static bool is_whole(const struct event *op)
{
    unsigned object = operation_of(op->kind)->object;
    if (op->flags & (EVENT_TIMED | EVENT_CANCELLABLE))
        return false;
    if (object == OBJECT_MEMORY)
        return !part && op->size <= 16;
    return object == OBJECT_MUTEX || object == OBJECT_CONDITION || object == OBJECT_SEMAPHORE ||
           object == OBJECT_RWLOCK || object == OBJECT_BARRIER;
}

/* Where the program is on the stack of the running thread; false: it is not known. */
static bool own_frame(struct frame *f, uintptr_t *sp)
{
    bool known = caller_frame(rt.next[rt.current].pc, f, sp) &&
                 *sp - (uintptr_t)rt.self->stack < rt.self->stack_size;
    unseen_stands(known ? *sp : 0);
    return known;
}

void capture_none(void)
{
    struct frame f;
    uintptr_t sp;
    captured[rt.current].count = 0;
    own_frame(&f, &sp);
}

void capture_stand(void)
{
    struct captured *c = &captured[rt.current];
    const struct event *op = &rt.next[rt.current];
    bool known = is_whole(op);
    struct frame f;
    uintptr_t sp;
    c->count = 0;
    part = false;
    if (restart_library_changed())
        capture_hidden("a library has changed data of its own");
    if (unseen_changes())
        capture_hidden("code that raddle does not see has changed data of the program");
    if (rt.files_opened | rt.files_touched)
        capture_hidden("the program has opened or changed descriptors");
    bool framed = own_frame(&f, &sp);
    if (!known || !framed) {
        argument = 0;
        return;
    }
    struct capture_words w = {c->words, c->words + MOST_WORDS};
    put_operation(&w, op);
    put_stack(&w, &f, sp);
    put_rest(&w);
    if (w.at > w.end)
        return;
    c->count = (uint32_t)(w.at - c->words);
    c->hash[0] = c->count;
    c->hash[1] = ~0ull;
    for (uint32_t i = 0; i < c->count; i++) {
        c->hash[0] = mix(c->hash[0], c->words[i]);
        c->hash[1] = mix(c->hash[1] + 0x51ed, c->words[i] ^ c->words[i] >> 32);
    }
}
