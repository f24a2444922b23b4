/* malloc and its kin, for the whole process.
 *
 * Without raddle (passive) the calls go to libc's allocator. Under raddle every block comes from the
 * arenas of heap_block.c: during an execution from the one of the running thread, before main and
 * while something persistent is made (dlopen, thread slots) from the arena HEAP_BEFORE. Which of the
 * two it is must be known at the first call, which ld.so makes before any constructor has run; so it
 * is read off the environment on the initial stack.
 *
 * free is a write to the whole block as far as races are concerned. If that has been seen in a race
 * it is a visible operation, so that "freed before used" and "used before freed" are both explored. */
#include "rt/check/heap.h"

#include "rt/abi/access.h"
#include "rt/check/heap_impl.h"
#include "rt/check/race.h"
#include "rt/core/capture.h"
#include "rt/core/orbit.h"
#include "rt/core/sched.h"
#include "rt/core/unseen.h"
#include "rt/tell/story.h"
#include "rt/sym/sym.h"

#include "rewrite/hooks.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define ADDRESS_SPACE (1ull << 46) /* no machine gives so much: malloc fails, as libc's does */

struct heap heap;

/* libc's own, under the names that nobody interposes. */
extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void *__libc_stack_end; /* where the kernel put argc, argv, envp */

static bool starts_worker(const char *entry)
{
    static const char name[] = SHARED_ENV "=";
    size_t i = 0;
    while (i < sizeof name - 1 && entry[i] == name[i])
        i++;
    return i == sizeof name - 1;
}

static __attribute__((noinline)) bool decide_mode(void)
{
    if (heap.mode != HEAP_UNKNOWN)
        return heap.mode == HEAP_CONTROLLED;
    long argc = *(long *)__libc_stack_end;
    char **env = (char **)__libc_stack_end + 1 + argc + 1;
    heap.mode = HEAP_PASSIVE;
    for (; *env; env++)
        if (starts_worker(*env)) {
            heap_init();
            return true;
        }
    return false;
}

static inline bool controlled(void)
{
    return RT_LIKELY(heap.mode == HEAP_CONTROLLED) || decide_mode();
}

/* ---- taking ----------------------------------------------------------------------------------- */

static inline bool in_execution(void)
{
    return rt.active && !heap.persistent;
}

static void tell(enum event_kind kind, const struct block *b, uintptr_t pc)
{
    struct event ev = {.kind = (uint8_t)kind,
                       .flags = EVENT_PLAIN,
                       .thread = (uint16_t)rt.current,
                       .object = b->start,
                       .size = (uint32_t)b->size,
                       .pc = pc};
    story_event(&ev);
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

/* --reuse: what the thread freed last, or new memory, is a choice. */
static struct block *take_freed(size_t size, size_t alignment, uintptr_t pc)
{
    struct block *b = heap_freed_last(rt.current, size, alignment);
    if (!b || !sched_choose(2, pc))
        return NULL;
    if (rt.recording)
        story_note("gets the memory again that it freed last");
    return heap_take_again(rt.current, b, size);
}

static struct block *take(size_t size, size_t alignment, uintptr_t pc)
{
    bool mine = in_execution();
    int arena = mine ? rt.current : HEAP_BEFORE;
    struct block *b = RT_UNLIKELY(heap.reuse) && mine ? take_freed(size, alignment, pc) : NULL;
    if (!b)
        b = heap_take(&heap.arena[arena], size, alignment);
    if (mine) {
        uint64_t limit = rt.shared->config.max_heap;
        if (RT_UNLIKELY(!b || (limit && heap.carved > limit)))
            heap_too_much(size);
        tset_add(&heap.used, arena);
        if (RT_UNLIKELY(rt.captures))
            unseen_expect(b->start, b->size);
        heap.allocs++;
        rt_pulse();
    }
    if (RT_UNLIKELY(!b))
        rt_fatal("no room for %zu bytes in the heap of before main", size);
    b->thread = (uint16_t)rt.current;
    b->alloc_pc = pc;
    if (RT_UNLIKELY(rt.recording) && mine)
        tell(EV_ALLOC, b, pc);
    return b;
}

void *heap_allocate(size_t size, size_t alignment, uintptr_t pc)
{
    if (RT_UNLIKELY(size > ADDRESS_SPACE))
        return no_memory();
    if (!controlled())
        return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size);
    orbit_shows();
    rt.self->wrote = true; /* the next one lies elsewhere: a loop that allocates does not come back */
    return (void *)take(size, alignment < 16 ? 16 : alignment, pc)->start;
}

/* ---- giving ----------------------------------------------------------------------------------- */

/* The live block that starts at p. What else p may be is an error that ends the execution; outside
 * of executions (NULL) nothing is done about it. */
static struct block *live_block(void *p, const char *what, uintptr_t pc)
{
    uintptr_t start = (uintptr_t)p;
    struct block *b = heap_has(start) ? heap_block_at(start) : NULL;
    if (RT_LIKELY(b && b->state == BLOCK_LIVE))
        return b;
    if (rt.active) {
        if (b)
            heap_double_free(b, what, pc);
        heap_bad_free(start, what, pc);
    }
    return NULL;
}

/* Announces the end of a block to the other threads, if one of them may notice. */
static struct block *announce(struct block *b, const char *what, uintptr_t pc)
{
    if (!in_execution())
        return b;
    if (access_is_racy(pc, b->start, b->size)) {
        void *p = (void *)b->start;
        struct event *op = sched_op(EV_FREE, b->start, (uint32_t)b->size, pc);
        sched_visit();
        sched_log(op);
        b = live_block(p, what, pc);
    } else if (RT_UNLIKELY(rt.recording)) {
        tell(EV_FREE, b, pc);
    }
    race_end_of_life(b->start, b->size, pc);
    return b;
}

static void give(struct block *b, uintptr_t pc)
{
    struct heap_arena *a = heap_arena_of(b->start);
    bool mine = in_execution(), old = a == &heap.arena[HEAP_BEFORE];
    b->free_pc = pc;
    b->freed_by = (uint16_t)rt.current;
    b->free_step = mine ? rt.trace->step_count : 0;
    heap_give(a, b, mine ? a == &heap.arena[rt.current] : old && b->start >= heap.frozen_top);
    if (mine && !old) {
        heap.frees++;
    } else if (mine) {
        b->next = heap.undo;
        heap.undo = (uint32_t)(b - a->block);
    }
}

static void release(void *p, const char *what, uintptr_t pc)
{
    struct block *b = live_block(p, what, pc);
    if (b)
        give(announce(b, what, pc), pc);
}

/* The block as it is after a step, in which others may have freed it. */
static struct block *read_all(struct block *b, size_t size, uintptr_t pc)
{
    void *p = (void *)b->start;
    if (in_execution() && rt.shared->config.granularity == GRANULARITY_ACCESS)
        access_range(b->start, size, false, pc);
    return live_block(p, "realloc", pc);
}

static void *resize_in_place(struct block *b, size_t size, uintptr_t pc)
{
    void *p = (void *)b->start;
    capture_noticed("a large block of memory has got another size");
    b = announce(b, "realloc", pc);
    heap_stretch(b, size);
    return p;
}

/* All of the old block is read, all of that is written, and then it is freed. */
static void *resize(void *p, size_t size, uintptr_t pc)
{
    struct block *b = live_block(p, "realloc", pc);
    if (!b)
        return heap_allocate(size, 16, pc);
    if (heap_arena_of(b->start) == &heap.arena[rt.current] && in_execution() && heap_fits(b, size))
        return resize_in_place(b, size, pc);
    size_t copied = size < b->size ? size : b->size;
    b = read_all(b, copied, pc);
    struct block *new = take(size, 16, pc);
    if (in_execution())
        access_range(new->start, copied, true, pc);
    rt_copy((void *)new->start, p, copied);
    if (RT_UNLIKELY(sym != NULL))
        raddle_sym_copy(new->start, (uintptr_t)p, copied);
    capture_part();
    give(announce(live_block(p, "realloc", pc), "realloc", pc), pc);
    return (void *)new->start;
}

static void *reallocate(void *p, size_t size, uintptr_t pc)
{
    if (!p)
        return heap_allocate(size, 16, pc);
    if (!controlled())
        return __libc_realloc(p, size);
    if (size > ADDRESS_SPACE)
        return no_memory();
    if (!size) {
        release(p, "realloc", pc);
        return NULL;
    }
    return resize(p, size, pc);
}

/* ---- what the program calls ------------------------------------------------------------------- */

RT_EXPORT void *malloc(size_t size)
{
    return heap_allocate(size, 16, RT_PC());
}

void heap_free(void *p, uintptr_t pc)
{
    if (!p)
        return;
    if (controlled())
        release(p, "free", pc);
    else
        __libc_free(p);
}

RT_EXPORT void free(void *p)
{
    heap_free(p, RT_PC());
}

RT_EXPORT void *calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return no_memory();
    return controlled() ? heap_allocate(bytes, 16, RT_PC()) : __libc_calloc(n, size);
}

RT_EXPORT void *realloc(void *p, size_t size)
{
    return reallocate(p, size, RT_PC());
}

RT_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return no_memory();
    return reallocate(p, bytes, RT_PC());
}

static bool power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

RT_EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (!power_of_two(alignment) || alignment % sizeof(void *))
        return EINVAL;
    int saved = errno;
    void *p = heap_allocate(size, alignment, RT_PC());
    errno = saved;
    if (p && controlled())
        access_range((uintptr_t)out, sizeof *out, true, RT_PC());
    if (p)
        *out = p;
    return p ? 0 : ENOMEM;
}

RT_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    if (!power_of_two(alignment)) {
        errno = EINVAL;
        return NULL;
    }
    return heap_allocate(size, alignment, RT_PC());
}

/* As libc, which rounds a bad alignment up. */
RT_EXPORT void *memalign(size_t alignment, size_t size)
{
    size_t power = 16;
    while (power < alignment && power < HEAP_ARENA)
        power *= 2;
    return heap_allocate(size, power, RT_PC());
}

RT_EXPORT void *valloc(size_t size)
{
    return heap_allocate(size, 4096, RT_PC());
}

RT_EXPORT void *pvalloc(size_t size)
{
    return heap_allocate((size + 4095) & ~4095ul, 4096, RT_PC());
}

RT_EXPORT size_t malloc_usable_size(void *p)
{
    if (!p)
        return 0;
    if (!controlled()) {
        static size_t (*real)(void *);
        if (!real)
            real = (size_t(*)(void *))rt_real("malloc_usable_size");
        return real(p);
    }
    struct block *b = live_block(p, "malloc_usable_size", RT_PC());
    return b ? b->size : 0;
}
