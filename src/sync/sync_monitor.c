/* Monitors under control. Only entering is a decision: who enters next determines everything that
 * happens inside (000_*.txt, section III), because waiting queues are first in, first out. Leaving,
 * waiting and signalling are performed at once; a thread that is handed the monitor goes on without a
 * decision, one that was signalled and has to compete stands before a new MONITOR_ENTER. */
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "sync/controlled.h"

static struct sync *monitor_of(const raddle_monitor *m)
{
    return sync_get((uintptr_t)m, SYNC_MONITOR);
}

static struct sync *condition_of(const raddle_condition *c)
{
    return sync_get((uintptr_t)c, SYNC_CONDITION);
}

static void enter(struct sync *m, uint64_t pc)
{
    struct event *op = sched_op(EV_MONITOR_ENTER, m->address, 0, pc);
    sched_visit_blocking(m);
    object_perform(&m->now, op);
    sync_taken(m, pc);
    sched_log(op);
}

static int longest_waiting(const struct tset *queue)
{
    int first = -1;
    TSET_FOR(t, queue)
        if (first < 0 || rt.all[t].ticket < rt.all[first].ticket)
            first = t;
    return first;
}

/* It has the monitor before it is told so, which its RESUME records. */
static void hand_to(struct sync *m, int thread)
{
    struct event op = {.kind = EV_MONITOR_RESUME, .thread = (uint16_t)thread, .value = 1};
    object_perform(&m->now, &op);
    m->lock_pc = rt.next[thread].pc;
    sched_run_local(thread);
}

static struct event inside(enum event_kind kind, int woken)
{
    return (struct event){.kind = (uint8_t)kind, .thread = (uint16_t)rt.current,
                          .value = (uint64_t)(woken + 1)};
}

/* `holders` of a monitor: threads that wait because they signalled. */
static void give_up(struct sync *m, enum event_kind kind)
{
    int urgent = longest_waiting(&m->holders);
    struct event op = inside(kind, -1);
    sync_release(m);
    object_perform(&m->now, &op);
    if (urgent >= 0) {
        tset_remove(&m->holders, urgent);
        hand_to(m, urgent);
    }
    sync_changed(m);
}

static void park(struct sync *s, uint64_t pc)
{
    rt.self->ticket = ++rt.tickets;
    sched_wait_parked(s, pc);
}

static void resume(struct sync *m, uint64_t pc)
{
    sync_acquire(m);
    sched_log_followed(EV_MONITOR_RESUME, m->address, m->owner == rt.current, 0, pc);
}

static void check_inside(const struct sync *m, uint64_t pc, const char *message)
{
    if (RT_UNLIKELY(m->owner != rt.current))
        sync_misuse(m, pc, message);
}

RT_EXPORT void raddle_monitor_init(raddle_monitor *m, enum raddle_signalling s)
{
    *m = (raddle_monitor)RADDLE_MONITOR(s);
    if (rt.active)
        sync_fresh((uintptr_t)m, SYNC_MONITOR);
}

RT_EXPORT void raddle_monitor_enter(raddle_monitor *m)
{
    if (!rt.active)
        native_monitor_enter(m);
    else
        enter(monitor_of(m), RT_PC());
}

RT_EXPORT void raddle_monitor_leave(raddle_monitor *monitor)
{
    if (!rt.active) {
        native_monitor_leave(monitor);
        return;
    }
    struct sync *m = monitor_of(monitor);
    check_inside(m, RT_PC(), "a thread leaves monitor {} without being in it");
    sched_log_local(EV_MONITOR_EXIT, m->address, 0, 0, RT_PC());
    give_up(m, EV_MONITOR_EXIT);
}

RT_EXPORT void raddle_condition_init(raddle_condition *c, raddle_monitor *m)
{
    *c = (raddle_condition)RADDLE_CONDITION(m);
    if (rt.active)
        sync_fresh((uintptr_t)c, SYNC_CONDITION);
}

RT_EXPORT void raddle_condition_wait(raddle_condition *condition)
{
    if (!rt.active) {
        native_condition_wait(condition);
        return;
    }
    uint64_t pc = RT_PC();
    struct sync *m = monitor_of(condition->monitor), *c = condition_of(condition);
    check_inside(m, pc, "a condition is waited on outside of its monitor {}");
    sched_log_local(EV_MONITOR_WAIT, m->address, 0, c->address, pc);
    struct event op = inside(EV_MONITOR_WAIT, -1);
    operation_of(op.kind)->perform_other(&c->now, &op);
    give_up(m, EV_MONITOR_WAIT);
    park(c, pc);
    resume(m, pc);
    if (condition->monitor->signalling == RADDLE_SIGNAL_AND_CONTINUE)
        enter(m, pc);
}

/* Takes the longest waiting thread off the queue, -1 if there is none. */
static int wake_one(struct sync *m, struct sync *c, uint64_t pc)
{
    int woken = longest_waiting(&c->holders);
    sched_log_local(EV_MONITOR_SIGNAL, m->address, (uint64_t)(woken + 1), c->address, pc);
    struct event op = inside(EV_MONITOR_SIGNAL, woken);
    operation_of(op.kind)->perform_other(&c->now, &op);
    return woken;
}

RT_EXPORT void raddle_condition_signal(raddle_condition *condition)
{
    if (!rt.active) {
        native_condition_signal(condition);
        return;
    }
    uint64_t pc = RT_PC();
    struct sync *m = monitor_of(condition->monitor), *c = condition_of(condition);
    check_inside(m, pc, "a condition is signalled outside of its monitor {}");
    int woken = wake_one(m, c, pc);
    if (woken < 0)
        return;
    if (condition->monitor->signalling == RADDLE_SIGNAL_AND_CONTINUE) {
        sched_run_local(woken);
        return;
    }
    sync_release(m);
    hand_to(m, woken);
    tset_add(&m->holders, rt.current);
    park(m, pc);
    resume(m, pc);
}

RT_EXPORT void raddle_condition_broadcast(raddle_condition *condition)
{
    if (!rt.active) {
        native_condition_broadcast(condition);
        return;
    }
    uint64_t pc = RT_PC();
    struct sync *m = monitor_of(condition->monitor), *c = condition_of(condition);
    check_inside(m, pc, "a condition is broadcast outside of its monitor {}");
    if (condition->monitor->signalling == RADDLE_SIGNAL_AND_URGENT_WAIT)
        sync_misuse(m, pc, "broadcast in monitor {} with signal and urgent wait");
    int woken;
    while ((woken = wake_one(m, c, pc)) >= 0)
        sched_run_local(woken);
}

RT_EXPORT int raddle_condition_empty(const raddle_condition *c)
{
    return rt.active ? tset_empty(&condition_of(c)->holders) : native_condition_empty(c);
}
