/* Stacks have one size, but the program may have asked for less, and then what it has must do.
 * The rest is closed, so that using it faults. The runtime works on the same stack and needs a
 * part of it that the program knows nothing of: what counts is how deep the program's own frames
 * reach, without those of the runtime between them. Where it is the runtime that comes to the
 * end, or the C library that it calls, the pages are opened and it goes on; the next thread in
 * this place finds them closed again. So a frame that begins in a page which the runtime has
 * opened before is not found, and the C library's needs do not count.
 *
 * Frames are somewhat larger in instrumented code, and much larger with symbolic inputs. What
 * the program would have used by itself is not known then: a little too much is no finding, but
 * the verdict is incomplete. */
#include "rt/core/stacks.h"

#include "rt/check/finding.h"
#include "rt/core/fiber.h"
#include "rt/core/restart.h"
#include "rt/sym/sym.h"

#include <sys/mman.h>
#include <unwind.h>

#define PAGE 4096u
#define GUARD PAGE /* below every stack */
#define COLOUR 640u /* those of two threads are no multiple of 4096 apart: lines of the cache */
#define LEAST (16u << 10) /* that one may ask for; 0: nothing was asked for */
#define TAKEN (2 * PAGE) /* by the C library: a guard, and what it and the program keep for the thread */
#define OWN_STACK (128u << 10) /* bytes of a stack of the program's, where the runtime needs some, too */

bool stacks_guarded[EVENT_MAX_THREADS];

static struct {
    size_t wish;
    uint32_t generation; /* of the execution in which the thread asked for that */
    uintptr_t end;       /* everything below is closed; 0: nothing was done yet */
} rooms[EVENT_MAX_THREADS];

void stacks_usual(struct thread *t)
{
    t->stack = (char *)STACKS_BASE + (size_t)t->id * STACK_SIZE;
    t->stack_size = STACK_SIZE - (uint32_t)t->id * COLOUR % PAGE;
}

static void want_less(const struct thread *t, size_t size)
{
    rooms[t->id].wish = size;
    rooms[t->id].generation = rt.generation;
    stacks_guarded[t->id] = false;
}

/* It is mapped when it is first asked for, at an address of its own. */
static void want_more(struct thread *t, size_t size)
{
    static char *large[EVENT_MAX_THREADS];
    static size_t large_size[EVENT_MAX_THREADS];
    if (!large[t->id]) {
        large[t->id] = rt_map((void *)(LARGE_STACKS_BASE + (uint64_t)t->id * LARGE_STACK), LARGE_STACK,
                              "a large stack");
    }
    if (large_size[t->id] != size)
        rt_protect(large[t->id], LARGE_STACK, PROT_READ | PROT_WRITE);
    large_size[t->id] = size;
    t->stack = large[t->id] + LARGE_STACK - size;
    t->stack_size = size;
    rt_protect(t->stack, GUARD, PROT_NONE);
}

void stacks_want(struct thread *t, size_t size)
{
    if (size >= LEAST && size < t->stack_size)
        want_less(t, size);
    size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    if (size > STACK_SIZE && size <= LARGE_STACK)
        want_more(t, size);
}

bool stacks_take(struct thread *t, void *at, size_t size)
{
    if (size < OWN_STACK)
        return false;
    t->stack = at;
    t->stack_size = size;
    return true;
}

size_t stacks_room(const struct thread *t)
{
    return rooms[t->id].generation == rt.generation ? rooms[t->id].wish : t->stack_size;
}

/* Closes what the thread must not use, and opens what another may have left closed. Guards are made when a
 * stack is first used: a mapping per guard is not free. */
void stacks_guard(const struct thread *t)
{
    uintptr_t least = (uintptr_t)t->stack + GUARD, *end = &rooms[t->id].end;
    size_t room = stacks_room(t), unused = room < t->stack_size ? t->stack_size - room + TAKEN : 0;
    uintptr_t wanted = (uintptr_t)t->stack + unused;
    if (t->stack != (char *)STACKS_BASE + (size_t)t->id * STACK_SIZE)
        return;
    wanted = wanted > least ? wanted & ~(uintptr_t)(PAGE - 1) : least;
    if (*end < wanted)
        rt_protect(t->stack, wanted - (uintptr_t)t->stack, PROT_NONE);
    else if (*end > wanted)
        rt_protect((void *)wanted, *end - wanted, PROT_READ | PROT_WRITE);
    *end = wanted;
    stacks_guarded[t->id] = wanted == least;
}

bool stacks_is_closed(uintptr_t address)
{
    int id = fiber_of_stack(address);
    return id >= 0 && id == rt.current && address < rooms[id].end &&
           address >= (uintptr_t)rt.self->stack + GUARD;
}

/* How deep the innermost frame of the program reaches, or of a library that it called itself. */
struct depth {
    uintptr_t last;    /* where the frame looked at before begins */
    uintptr_t reached; /* 0: it is not known yet */
    size_t foreign;    /* the runtime's frames further out */
    bool known, was_own;
};

static _Unwind_Reason_Code measure(struct _Unwind_Context *c, void *arg)
{
    struct depth *d = arg;
    uintptr_t ip = _Unwind_GetIP(c) - 1, sp = _Unwind_GetCFA(c);
    bool own = !rt_from_program(ip);
    if (fiber_of_stack(sp) != rt.current || ip + 1 <= 1)
        return d->last ? _URC_END_OF_STACK : _URC_NO_REASON; /* the handler's frames are elsewhere */
    if (d->was_own && d->known)
        d->foreign += sp - d->last;
    d->last = sp;
    d->was_own = own;
    if (own && !d->known)
        d->reached = 0;
    else if (!own && !d->reached)
        d->reached = sp;
    d->known |= !own && restart_is_program(ip);
    return _URC_NO_REASON;
}

static size_t used(uintptr_t pc, uintptr_t sp)
{
    uintptr_t top = (uintptr_t)rt.self->stack + rt.self->stack_size;
    struct depth d = {0};
    bool active = rt.active;
    rt.active = false; /* the unwinder's own locks are no operations of the program */
    bool lent = fiber_lend_tls(true);
    _Unwind_Backtrace(measure, &d);
    fiber_lend_tls(lent);
    rt.active = active;
    if (restart_is_program(pc)) /* at its very end, where there need not be a frame yet */
        d.reached = sp;
    return d.reached ? top - d.reached - d.foreign : 0;
}

static void open_down_to(uintptr_t address)
{
    uintptr_t *end = &rooms[rt.current].end, least = (uintptr_t)rt.self->stack + GUARD;
    uintptr_t from = (address & ~(uintptr_t)(PAGE - 1)) - PAGE; /* and what a function uses below its frame */
    from = from < least ? least : from;
    rt_protect((void *)from, *end - from, PROT_READ | PROT_WRITE);
    *end = from;
}

bool stacks_opens(uintptr_t address, uintptr_t pc, uintptr_t sp)
{
    size_t size = stacks_room(rt.self), depth = used(pc, sp);
    if (depth > size + size / 4 && !sym)
        return false;
    if (depth + TAKEN > size)
        finding_incomplete("a stack of %zu KiB, which the program chose, may be too small", size >> 10);
    open_down_to(address);
    return true;
}
