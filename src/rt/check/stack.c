/* The stack and the thread-local variables of a thread may be used by others, but only as long as the
 * thread lives. What comes after its end is found where it happens. What came before, but is not ordered
 * before the end by happens-before, could as well have come after it: as in a data race, that is found at
 * the end. For that it is enough to remember the last use by each other thread, since those before it are
 * ordered wherever the last one is.
 *
 * Nor do frames outlive the functions they belong to. While a thread stands before an operation, what lies
 * below the frame that called it is nobody's, or, where that call was not noted, what lies below the
 * runtime's own frames, which is less: not every use is found. */
#include "rt/check/stack.h"

#include "rt/check/finding.h"
#include "rt/core/fiber.h"
#include "rt/core/orbit.h"
#include "rt/core/sched.h"

struct use {
    uint32_t epoch;
    bool write;
    uintptr_t pc, address;
};

static struct use *uses; /* [owner * EVENT_MAX_THREADS + who] */

static struct use *use_of(int owner, int who)
{
    if (!uses)
        uses = rt_map(NULL, sizeof *uses * EVENT_MAX_THREADS * EVENT_MAX_THREADS, "uses of stacks");
    return &uses[(size_t)owner * EVENT_MAX_THREADS + (size_t)who];
}

static bool is_local(uintptr_t address)
{
    return address >= LOCALS_BASE;
}

static __attribute__((noreturn)) void found(int owner, int who, const struct use *u, const char *when)
{
    bool local = is_local(u->address);
    struct finding *f =
        finding_new(FINDING_STACK, u->pc, u->address, "%s of thread %d is %s %s",
                    local ? "a thread-local variable" : "the stack", owner,
                    u->write ? "written" : "read", when);
    f->thread = (uint16_t)who;
    finding_fact(f, u->write ? FACT_WRITES_STACK : FACT_READS_STACK, who, u->pc, u->address);
    if (rt.all[owner].state == THREAD_DONE || owner == rt.current)
        finding_fact(f, local ? FACT_LOCALS_END : FACT_STACK_ENDS, owner, rt.all[owner].create_pc, 0);
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

/* Does the address lie where thread `owner`, which lives, has no frame any more? */
static bool is_left(int owner, uintptr_t address)
{
    const struct thread *t = &rt.all[owner];
    uintptr_t sp = (uintptr_t)t->sp;
    if (rt.shared->config.gdb || t->state == THREAD_NONE || fiber_of_stack(sp) != owner)
        return false;
    bool noted = t->state == THREAD_PENDING && t->frame.pc == rt.next[owner].pc &&
                 fiber_of_stack(t->frame.sp) == owner && t->frame.sp > sp;
    return address < (noted ? t->frame.sp : sp) && fiber_of_stack(address) == owner;
}

void stack_used(uintptr_t address, bool write, uintptr_t pc)
{
    int owner = is_local(address) ? fiber_of_local(address) : (int)((address - STACKS_BASE) / STACK_SIZE);
    struct thread *t = &rt.all[owner];
    orbit_named(owner);
    if (owner == rt.current || owner >= rt.threads)
        return;
    struct use now = {rt.self->clock.c[rt.current], write, pc, address};
    if (t->state == THREAD_DONE)
        found(owner, rt.current, &now, "after that thread has ended");
    if (is_left(owner, address))
        found(owner, rt.current, &now, "where that thread has left the function whose frame it was");
    if (!t->visited)
        t->visitors = (struct tset){{0}};
    t->visited = true;
    tset_add(&t->visitors, rt.current);
    *use_of(owner, rt.current) = now;
}

void stack_ends(void)
{
    const struct vclock *known = &rt.self->clock;
    if (!rt.self->visited)
        return;
    TSET_FOR(t, &rt.self->visitors) {
        const struct use *u = use_of(rt.current, t);
        if ((uint32_t)t >= known->n || known->c[t] < u->epoch)
            found(rt.current, t, u, "and nothing orders that before the end of that thread");
    }
}
