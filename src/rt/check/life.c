/* Destroying a condition, semaphore or barrier, or initialising it again, is no step of the search. It is
 * held against the last use of each thread by happens-before, as free is (race.c): what is not ordered
 * before it could have come after it. So whichever comes first in an execution, it is found. */
#include "rt/check/life.h"

#include "rt/check/finding.h"
#include "rt/core/sched.h"

static __attribute__((noreturn)) void end(struct finding *f)
{
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
    __builtin_unreachable();
}

void life_check(const struct sync *s, uint64_t pc)
{
    if (RT_LIKELY(!s->destroyed))
        return;
    struct finding *f = finding_new(FINDING_LOCK, pc, s->address, "{} is used after it was destroyed");
    finding_fact(f, FACT_DESTROYS, s->ended_by, s->lock_pc, s->address);
    finding_fact(f, FACT_USES, rt.current, pc, s->address);
    end(f);
}

static bool unordered(int thread, uint32_t epoch)
{
    const struct vclock *known = &rt.self->clock;
    return thread != rt.current && ((uint32_t)thread >= known->n || known->c[thread] < epoch);
}

/* It could have come before the object was initialised again. */
static void used_too_early(struct sync *s, struct event *op)
{
    op->flags |= EVENT_FAILED;
    sched_log(op);
    struct finding *f = finding_new(FINDING_LOCK, op->pc, s->address,
                                    "{} is used though nothing orders that after it was initialised again");
    finding_fact_about(f, FACT_BECOMES, s->ended_by, s->lock_pc, s->address, "initialised again");
    finding_fact(f, FACT_USES, rt.current, op->pc, s->address);
    end(f);
}

void life_use(struct sync *s, struct event *op)
{
    if (RT_UNLIKELY(s->destroyed)) {
        op->flags |= EVENT_FAILED;
        sched_log(op); /* engines learn of it first, since it may have come earlier */
        life_check(s, op->pc);
    }
    if (RT_UNLIKELY(s->again) && unordered(s->ended_by, s->again))
        used_too_early(s, op);
    tset_add(&s->seen_by, rt.current);
    s->seen[rt.current].read = rt.self->clock.c[rt.current];
    s->seen[rt.current].pc = op->pc;
}

/* A thread that waits for a token is none of the holders. */
static int who_waits(const struct sync *s)
{
    if (!tset_empty(&s->holders))
        return tset_first(&s->holders);
    TSET_FOR(t, &s->waiters)
        if (t != rt.current && operation_is(rt.next[t].kind, OP_BLOCKS) && !sync_ready(&rt.all[t]))
            return t;
    return -1;
}

struct other {
    enum fact_kind does;
    int thread;
    uint64_t pc;
};

static void found(struct sync *s, const char *what, struct other other, const char *how, uint64_t pc)
{
    struct finding *f = finding_new(FINDING_LOCK, pc, s->address, "{} is %s %s", what, how);
    finding_fact(f, other.does, other.thread, other.pc, s->address);
    finding_fact_about(f, FACT_BECOMES, rt.current, pc, s->address, what);
    end(f);
}

static void check_unused(struct sync *s, const char *what, uint64_t pc)
{
    int waiter = who_waits(s);
    if (waiter >= 0)
        found(s, what, (struct other){FACT_WAITS_ON, waiter, rt.next[waiter].pc},
              "while threads wait on it", pc);
    TSET_FOR(t, &s->seen_by)
        if (unordered(t, s->seen[t].read))
            found(s, what, (struct other){FACT_USES, t, s->seen[t].pc},
                  "though nothing orders that after its use by another thread", pc);
}

void life_destroy(struct sync *s, uint64_t pc)
{
    if (s->destroyed)
        sync_misuse(s, pc, "{} is destroyed twice");
    check_unused(s, "destroyed", pc);
    s->destroyed = true;
    s->ended_by = (uint16_t)rt.current;
    s->lock_pc = pc;
}

struct sync *life_begin(uint64_t address, enum sync_type type, uint64_t pc)
{
    struct sync *s = sync_find(address);
    bool again = s && s->type == type && !s->destroyed;
    if (again)
        check_unused(s, "initialised again", pc);
    s = sync_fresh(address, type);
    s->again = again ? rt.self->clock.c[rt.current] : 0;
    s->ended_by = (uint16_t)rt.current;
    s->lock_pc = pc;
    return s;
}
