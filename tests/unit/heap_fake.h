/* Around the heap of the runtime, for testing it by itself: what it calls is written down here. */
#ifndef TESTS_HEAP_FAKE_H
#define TESTS_HEAP_FAKE_H

#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/check/race.h"
#include "rewrite/hooks.h"
#include "rt/core/sched.h"
#include "rt/sym/sym.h"
#include "rt/tell/story.h"
#include "rt_fake.h"

#include "base/rng.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* Nothing is symbolic here. */
struct sym *sym;

void raddle_sym_clear(uintptr_t at, uint64_t size)
{
    fail();
}

void raddle_sym_copy(uintptr_t to, uintptr_t from, uint64_t size)
{
    fail();
}

/* The program's heap beside the test's own. */
#define malloc h_malloc
#define free h_free
#define calloc h_calloc
#define realloc h_realloc
#define reallocarray h_reallocarray
#define posix_memalign h_posix_memalign
#define aligned_alloc h_aligned_alloc
#define memalign h_memalign
#define valloc h_valloc
#define pvalloc h_pvalloc
#define malloc_usable_size h_malloc_usable_size
void *h_malloc(size_t), h_free(void *), *h_calloc(size_t, size_t), *h_realloc(void *, size_t);
void *h_reallocarray(void *, size_t, size_t), *h_aligned_alloc(size_t, size_t);
void *h_memalign(size_t, size_t), *h_valloc(size_t), *h_pvalloc(size_t);
int h_posix_memalign(void **, size_t, size_t);
size_t h_malloc_usable_size(void *);
#include "rt/check/heap.c"
#include "rt/check/heap_block.c"
#include "rt/check/heap_check.c"

static char message[256], facts[1024], warning[256];
static int findings;
static struct finding finding;
static jmp_buf after_end;
static enum outcome outcome;
static struct shared shared;
static struct trace trace;
static uintptr_t racy_pc, free_write, copied_to;
static int visits, forgotten;
static void (*meanwhile)(void);

struct finding *finding_new(enum finding_kind kind, uint64_t pc, uint64_t object, const char *fmt, ...)
{
    facts[0] = 0;
    finding.fact_count = 0;
    assert_int_equal(kind, FINDING_HEAP);
    FAKE_FORMAT(message);
    return &finding;
}

struct fact *finding_fact(struct finding *f, enum fact_kind kind, int thread, uint64_t pc, uint64_t object)
{
    struct fact *fact = &f->facts[f->fact_count++];
    *fact = (struct fact){.kind = (uint16_t)kind, .thread = (uint16_t)thread};
    return fact;
}

struct fact *finding_fact_about(struct finding *f, enum fact_kind kind, int thread, uint64_t pc,
                                uint64_t object, const char *word)
{
    struct fact *fact = finding_fact(f, kind, thread, pc, object);
    snprintf(fact->word, sizeof fact->word, "%s", word);
    return fact;
}

void finding_commit(struct finding *f)
{
    findings++;
    for (uint32_t i = 0; i < f->fact_count; i++) {
        size_t n = strlen(facts);
        char text[128];
        fact_words(&f->facts[i], text, sizeof text);
        snprintf(facts + n, sizeof facts - n, "[%d] %s\n", f->facts[i].thread, text);
    }
}

void finding_warn(uint64_t pc, const char *fmt, ...)
{
    FAKE_FORMAT(warning);
}

void sched_end_execution(enum outcome o)
{
    outcome = o;
    longjmp(after_end, 1);
}

void sched_visit(void)
{
    visits++;
    if (meanwhile)
        meanwhile();
}

void sched_log(const struct event *op)
{
    assert_int_equal(op->kind, EV_FREE);
}

static int choice, choices;

int sched_choose(int n, uint64_t pc)
{
    assert_int_equal(n, 2);
    choices++;
    return choice;
}

void story_event(const struct event *ev)
{
}

void story_note(const char *text)
{
}

bool access_racy_slow(uintptr_t pc, uintptr_t address, size_t size)
{
    return racy_pc;
}

void race_end_of_life(uintptr_t address, size_t size, uintptr_t pc)
{
    free_write = address;
}

void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    assert_true(write); /* the old block is freed, which says as much, unless every access is a step */
    copied_to = address;
}

/* No states are captured here. */
void capture_part(void)
{
}

void capture_hidden(const char *what)
{
    fail();
}

void unseen_expect(uint64_t address, uint64_t size)
{
    fail();
}

void benign_forget(uintptr_t address, size_t size)
{
    (void)address;
    (void)size;
}
void race_forget(uintptr_t address, size_t size)
{
    forgotten++;
}

void rt_fatal(const char *fmt, ...)
{
    abort();
}

void *rt_real(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static int begin(void **state)
{
    rt.shared = &shared;
    shared.config.reuse = 0;
    shared.config.quarantine = 256 << 10;
    choices = 0;
    heap_reset();
    fake_thread(0);
    rt.active = true;
    rt.trace = &trace;
    shared.config.max_heap = 1ull << 30;
    message[0] = facts[0] = warning[0] = fake_incomplete[0] = 0;
    findings = visits = forgotten = 0;
    racy_pc = 0;
    meanwhile = NULL;
    memset(rt.racy_filter, 0, sizeof rt.racy_filter);
    return 0;
}

#endif
