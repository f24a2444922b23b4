/* raddle replay --gdb. The debugger breaks in raddle_stopped, sets raddle_until to the step where it wants
 * to stop next, and reads what threads stand before and who holds what in raddle_told, or elsewhere calls
 * raddle_tell: lines of words, so that the other side (src/cli/gdb.py) needs no debug information of ours.
 *
 *     step 17
 *     thread 2 12345 waits 0x555555555305 0x555555558070 mutex lock
 *     object 0x555555558070 held by 1 0x555555555305
 *
 * A thread: its number, kernel thread, state, place, object and operation. */
#include "rt/tell/debugger.h"

#include "rt/core/fiber.h"
#include "rt/core/sync.h"

RT_EXPORT const char *raddle_tell(void);
RT_EXPORT void raddle_stopped(void);

/* The step that was taken last, the one to stop at (0: at the finding), and the thread meant there. */
RT_EXPORT volatile uint32_t raddle_at, raddle_until;
RT_EXPORT volatile int raddle_thread;

static char text[256 << 10];
RT_EXPORT const char *const volatile raddle_told = text;
static size_t used;

#define TELL(...)                                                                                  \
    (used += used < sizeof text ? (size_t)rt_format(text + used, sizeof text - used, __VA_ARGS__) : 0)

__attribute__((noinline)) void raddle_stopped(void)
{
    __asm__ volatile("");
}

void debugger_init(void)
{
    raddle_until = rt.shared->config.until_step;
}

static void stop(int thread)
{
    raddle_at = rt.trace->step_count;
    raddle_thread = thread;
    raddle_until = 0;
    raddle_tell();
    raddle_stopped();
}

void debugger_step(void)
{
    raddle_at = rt.trace->step_count;
    if (rt.shared->config.gdb && raddle_until && raddle_at == raddle_until)
        stop(rt.current);
}

/* The execution goes on after a data race, so there may be others before the one that is meant. */
static bool is_meant(const struct finding *f)
{
    const struct run_config *c = &rt.shared->config;
    return f->kind != FINDING_RACE ||
           (c->target.kind == FINDING_RACE && c->target_steps == rt.trace->step_count);
}

void debugger_finding(const struct finding *f)
{
    if (rt.shared->config.gdb && !raddle_until && is_meant(f))
        stop(f->thread);
}

static const char *state_of(const struct thread *t)
{
    switch (t->state) {
    case THREAD_PENDING:
        return tset_has(&rt.enabled, t->id) ? "ready" : "waits";
    case THREAD_JOINING:
    case THREAD_PARKED:
        return "waits";
    case THREAD_LOCAL:
        return t->id == rt.current ? "runs" : "ready";
    default:
        return "ended";
    }
}

static void tell_thread(const struct thread *t)
{
    const struct event *op = &rt.next[t->id];
    bool joins = t->state == THREAD_JOINING;
    const char *what = joins ? "join" : t->state == THREAD_PENDING ? event_name(op->kind) : "";
    uint64_t object = joins                               ? (uint64_t)t->joining
                      : operation_is(op->kind, OP_WOKEN) ? op->other
                                                         : op->object;
    TELL("thread %d %d %s %#lx %#lx %s\n", t->id, fiber_kernel_thread(t->id), state_of(t),
         (unsigned long)op->pc, (unsigned long)object, what);
}

static void tell_set(const struct tset *set)
{
    TSET_FOR(t, set)
        TELL(" %d", t);
}

static void tell_object(const struct sync *s)
{
    TELL("object %#lx ", (unsigned long)s->address);
    switch (s->type) {
    case SYNC_SEM:
        TELL("value %d", s->count);
        break;
    case SYNC_BARRIER:
        TELL("arrived %d %u", s->count, s->limit);
        break;
    case SYNC_COND:
        TELL("awaited by");
        tell_set(&s->holders);
        break;
    case SYNC_RWLOCK:
        if (s->owner < 0 && !tset_empty(&s->holders)) {
            TELL("read by");
            tell_set(&s->holders);
            break;
        } /* fall through */
    default:
        if (s->owner >= 0)
            TELL("held by %d %#lx", s->owner, (unsigned long)s->lock_pc);
        else
            TELL("%s", s->destroyed ? "destroyed" : "free");
    }
    TELL("\n");
}

const char *raddle_tell(void)
{
    used = 0;
    TELL("step %u\n", rt.trace->step_count);
    for (int t = 0; t < rt.threads; t++)
        tell_thread(&rt.all[t]);
    for (const struct sync *s = sync_first(); s; s = sync_after(s))
        if (s->type != SYNC_ATOMIC && s->type != SYNC_OTHER)
            tell_object(s);
    return text;
}
