/* What the C++ ABI asks of threads: guards of static variables, and destructors of thread_local ones.
 *
 * The library's own guard functions would block the one kernel thread that all threads share. Here the
 * guard is a lock that the initialising thread holds. Its first byte tells compiled code that the
 * variable is there; setting it is an atomic store of its own, because that code reads it without
 * calling us. */
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/thread.h"

typedef uint64_t guard;

#define GUARD_KEY(g) ((uintptr_t)(g) | 1) /* its address itself is an atomic's */

int __cxa_guard_acquire(guard *g);
void __cxa_guard_release(guard *g);
void __cxa_guard_abort(guard *g);
int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *dso);

static bool initialised(const guard *g)
{
    return *(const volatile uint8_t *)g != 0;
}

RT_EXPORT int __cxa_guard_acquire(guard *g)
{
    PASSIVE(__cxa_guard_acquire, g);
    uint64_t pc = RT_CALLER();
    struct sync *s = sync_get(GUARD_KEY(g), SYNC_GUARD);
    struct event *op = sync_turn_to_lock(s, pc);
    s->count = initialised(g);
    return sync_take_first(s, op, pc);
}

static void give(guard *g, uint32_t how, uint64_t pc)
{
    struct sync *s = sync_get(GUARD_KEY(g), SYNC_GUARD);
    struct event *op = sched_op(EV_UNLOCK, s->address, how, pc);
    sched_visit_blocking(s);
    object_perform(&s->now, op);
    sync_given(s);
    sched_log(op);
}

RT_EXPORT void __cxa_guard_release(guard *g)
{
    if (!rt.active) {
        REAL(__cxa_guard_release)(g);
        return;
    }
    uint64_t pc = RT_CALLER();
    atomic_set_byte((volatile uint8_t *)g, 1, pc);
    give(g, UNLOCK_DONE, pc);
}

RT_EXPORT void __cxa_guard_abort(guard *g)
{
    if (!rt.active) {
        REAL(__cxa_guard_abort)(g);
        return;
    }
    give(g, 0, RT_CALLER());
}

/* thread_local destructors, the last registered first. */
#define MAX_LOCALS 8192

static struct local {
    void (*run)(void *);
    void *object;
    int before; /* index + 1 of the one registered before by the same thread */
} locals[MAX_LOCALS];
static int local_count, newest[EVENT_MAX_THREADS];

void locals_reset(void)
{
    if (local_count)
        rt_fill(newest, 0, sizeof newest);
    local_count = 0;
}

RT_EXPORT int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *dso)
{
    PASSIVE(__cxa_thread_atexit_impl, run, object, dso);
    if (local_count == MAX_LOCALS) {
        finding_limit(LIMIT_LOCALS, MAX_LOCALS);
        sched_end_execution(OUTCOME_BOUND);
    }
    locals[local_count] = (struct local){run, object, newest[rt.current]};
    newest[rt.current] = ++local_count;
    return 0;
}

void locals_end(void)
{
    int *next = &newest[rt.current];
    while (*next) {
        struct local l = locals[*next - 1];
        *next = l.before;
        l.run(l.object);
    }
}
