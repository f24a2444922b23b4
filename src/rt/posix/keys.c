/* Thread-specific data and pthread_once. Under raddle keys have numbers from FIRST_KEY on and live in
 * tables of ours, also those made before main: each execution begins with these and with the values
 * that main's thread had then. (A library that was initialised before the runtime has libc's.) */
#include "rt/check/finding.h"
#include "rt/core/caller.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/file_steps.h"
#include "rt/posix/strings.h"
#include "rt/posix/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#define FIRST_KEY 0x10000u
#define MAX_KEYS PTHREAD_KEYS_MAX

static struct {
    void (*destructor)(void *);
    bool used;
} keys[MAX_KEYS];
static uint32_t key_count;
static void *values[EVENT_MAX_THREADS][MAX_KEYS];

static struct {
    uint32_t keys;
    bool used[MAX_KEYS];
    void *value[MAX_KEYS]; /* of main's thread */
} before_main;

void keys_freeze(void)
{
    before_main.keys = key_count;
    for (uint32_t k = 0; k < key_count; k++)
        before_main.used[k] = keys[k].used;
}

void keys_reset(void)
{
    key_count = before_main.keys;
    for (uint32_t k = 0; k < key_count; k++)
        keys[k].used = before_main.used[k];
}

void keys_begin(struct thread *t)
{
    t->keys = values[t->id];
    for (uint32_t k = 0; k < t->keys_used; k++)
        t->keys[k] = NULL;
    t->keys_used = t->id ? 0 : before_main.keys;
    for (uint32_t k = 0; k < t->keys_used; k++)
        t->keys[k] = before_main.value[k];
}

/* A key may be deleted before or after a thread ends that has a value for it. */
static struct event *at_keys(bool looks, uint64_t pc)
{
    bool noticed = rt.active && rt.deletes_keys && !thread_alone();
    return noticed ? table_step(KEYS_OBJECT, "keys", looks, pc) : NULL;
}

static bool has_destructor(const struct thread *t, uint32_t k)
{
    return t->keys[k] && k < key_count && keys[k].used && keys[k].destructor;
}

static bool run_destructors(struct thread *t)
{
    bool again = false;
    for (uint32_t k = 0; k < t->keys_used; k++) {
        if (!has_destructor(t, k))
            continue;
        table_done(at_keys(true, t->create_pc), false);
        if (!has_destructor(t, k))
            continue;
        void *value = t->keys[k];
        t->keys[k] = NULL;
        keys[k].destructor(value);
        again = true;
    }
    return again;
}

void keys_end(struct thread *t)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!run_destructors(t))
            return;
}

/* One that was never used, as long as there is one, so that a key is not taken for one that was deleted. */
static uint32_t free_key(void)
{
    uint32_t k = key_count;
    if (k == MAX_KEYS)
        for (k = before_main.keys; k < MAX_KEYS && keys[k].used;)
            k++;
    return k;
}

RT_EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    if (!rt.active && !rt.worker)
        return REAL(pthread_key_create)(key, destructor);
    strings_write(key, sizeof *key, RT_PC());
    struct event *op = at_keys(false, RT_CALLER());
    uint32_t k = free_key();
    table_done(op, true);
    if (k == MAX_KEYS)
        return EAGAIN;
    capture_changes("the program creates a key");
    key_count += k == key_count;
    keys[k].destructor = destructor;
    keys[k].used = true;
    *key = FIRST_KEY + k;
    return 0;
}

RT_EXPORT int pthread_key_delete(pthread_key_t key)
{
    if (key < FIRST_KEY)
        return REAL(pthread_key_delete)(key);
    uint32_t k = key - FIRST_KEY;
    if (k >= key_count || !keys[k].used)
        return EINVAL;
    capture_changes("the program deletes a key");
    struct event *op = at_keys(false, RT_CALLER());
    keys[k].used = false;
    for (int t = 0; t < rt.threads; t++)
        if (k < rt.all[t].keys_used)
            rt.all[t].keys[k] = NULL;
    table_done(op, true);
    return 0;
}

RT_EXPORT void *pthread_getspecific(pthread_key_t key)
{
    uint32_t k = key - FIRST_KEY;
    if (key < FIRST_KEY)
        return REAL(pthread_getspecific)(key);
    if (!rt.active)
        return k < key_count ? before_main.value[k] : NULL;
    return k < rt.self->keys_used ? rt.self->keys[k] : NULL;
}

RT_EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
    uint32_t k = key - FIRST_KEY;
    if (key < FIRST_KEY)
        return REAL(pthread_setspecific)(key, value);
    if (k >= key_count || !keys[k].used)
        return EINVAL;
    if (!rt.active) {
        before_main.value[k] = (void *)value;
        return 0;
    }
    for (; rt.self->keys_used <= k; rt.self->keys_used++)
        rt.self->keys[rt.self->keys_used] = NULL;
    rt.self->keys[k] = (void *)value;
    return 0;
}

/* The routine has returned, an exception passes through, or the thread has ended in it (pthread_exit,
 * cancellation, without unwinding). */
struct attempt {
    struct sync *s;
    pthread_once_t *control;
    uint64_t pc;
    bool done;
};

#define NESTED 16
static struct {
    struct attempt open[NESTED];
    uint32_t depth, generation; /* of the execution */
} attempts[EVENT_MAX_THREADS];

static void begin_attempt(const struct attempt *a)
{
    if (attempts[rt.current].generation != rt.generation)
        attempts[rt.current].depth = 0;
    attempts[rt.current].generation = rt.generation;
    uint32_t n = attempts[rt.current].depth++;
    if (n < NESTED)
        attempts[rt.current].open[n] = *a;
    else
        finding_limit(LIMIT_ONCE, NESTED);
}

static void end_attempt(struct attempt *a)
{
    attempts[rt.current].depth--;
    struct event *op = sched_op(EV_UNLOCK, a->s->address, a->done ? UNLOCK_DONE : 0, a->pc);
    sched_visit_blocking(a->s);
    if (a->done)
        *a->control = 2;
    object_perform(&a->s->now, op);
    sync_given(a->s);
    sched_log(op);
}

void once_thread_ends(void)
{
    while (attempts[rt.current].generation == rt.generation && attempts[rt.current].depth) {
        uint32_t n = attempts[rt.current].depth - 1;
        if (n < NESTED)
            end_attempt(&(struct attempt){attempts[rt.current].open[n].s,
                                          attempts[rt.current].open[n].control,
                                          attempts[rt.current].open[n].pc, false});
        else
            attempts[rt.current].depth--;
    }
}

/* The control counts as a lock that the initialising thread holds; `count` 1 = done. */
int once_run(pthread_once_t *control, void (*routine)(void), uint64_t pc)
{
    if (*control == 2 && !sync_find((uintptr_t)control))
        return 0; /* done before main */
    struct sync *s = sync_get((uintptr_t)control, SYNC_ONCE);
    if (*control == 2)
        s->count = 1;
    if (!sync_take_first(s, sync_turn_to_lock(s, pc), pc))
        return 0;
    struct attempt attempt __attribute__((cleanup(end_attempt))) = {s, control, pc, false};
    begin_attempt(&attempt);
    routine();
    attempt.done = true;
    return 0;
}

RT_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    PASSIVE(pthread_once, control, routine);
    if (caller_is_unwinder(RT_PC()))
        return REAL(pthread_once)(control, routine);
    return once_run(control, routine, RT_CALLER());
}
