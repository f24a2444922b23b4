/* Inline assembly, as raddle cc wraps it (cc/asm_text.c). The call before it announces an operation on
 * the place it touches, the statement itself performs it while no other thread can run, and the call
 * behind it sees what it did: an update that changed nothing was a read (a lock that is taken). It
 * counts as sequentially consistent. What cannot be told is named when it is executed, and the verdict
 * is incomplete; if it then waits for another thread, that is no livelock of the program's.
 *
 * The processor's clock (rdtsc) is made to fault and answers with virtual time, whoever reads it. */
#include "rt/abi/access.h"
#include "rt/abi/assembly.h"
#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/posix/clock.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define WIDEST 16 /* larger places are casts that mean "something here" */

static struct event *performing; /* between the two calls */
static uint64_t old_value;
static uint64_t unknown_pc; /* where unknown assembly is being executed */
static uint64_t linked[16]; /* assembly that was linked in, by its note's place */
static unsigned linked_count;

void raddle_rt_asm(const volatile void *place, unsigned long size, int access);
RT_EXPORT void raddle_rt_asm(const volatile void *place, unsigned long size, int access)
{
    static const uint8_t kinds[] = {EV_NONE, EV_LOAD, EV_STORE, EV_CAS};
    uintptr_t at = (uintptr_t)place;
    performing = NULL;
    if (!rt.active) /* a place on the own stack is no exception: the node of a queued lock lies there */
        return;
    uint32_t bytes = size > WIDEST ? 8 : (uint32_t)size;
    struct event *op = atomic_before((enum event_kind)kinds[access & 3], at, bytes, RT_PC());
    old_value = access_value(at, bytes);
    performing = op;
}

void raddle_rt_asm_done(void);
RT_EXPORT void raddle_rt_asm_done(void)
{
    struct event *op = performing;
    unknown_pc = 0;
    if (!op || !rt.active)
        return;
    performing = NULL;
    op->value = access_value(op->object, op->size);
    bool changed = op->value != old_value;
    if (op->kind == EV_CAS) {
        op->kind = changed ? EV_RMW : EV_LOAD;
    }
    if (op->kind != EV_LOAD)
        op->other = old_value;
    atomic_after(op);
}

void raddle_rt_asm_unknown(void);
RT_EXPORT void raddle_rt_asm_unknown(void)
{
    if (!rt.active)
        return;
    unknown_pc = RT_PC();
    finding_warn(unknown_pc, "inline assembly: what it does to memory is not under raddle's control");
    finding_incomplete("the program executes inline assembly that raddle does not control");
}

bool assembly_waits(void)
{
    return unknown_pc != 0;
}

void raddle_rt_asm_linked(void);
RT_EXPORT void raddle_rt_asm_linked(void)
{
    if (rt.shared)
        assembly_name(RT_PC());
    else if (linked_count < sizeof linked / sizeof linked[0])
        linked[linked_count++] = RT_PC();
}

void assembly_name(uint64_t pc)
{
    finding_warn(pc, "assembly code is part of the program: what it does to memory is not under raddle's "
                     "control");
    finding_incomplete("the program has assembly code that raddle does not control");
}

void assembly_init(void)
{
    for (unsigned i = 0; i < linked_count; i++)
        assembly_name(linked[i]);
    syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}

void assembly_reset(void)
{
    unknown_pc = 0;
    performing = NULL;
}

/* Time in ticks of a processor of one gigahertz. Outside of executions too: the C library reads the
 * clock by itself. */
bool assembly_reads_clock(void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uint8_t *code = (const uint8_t *)r[REG_RIP];
    bool rdtsc = code[0] == 0x0f && code[1] == 0x31;
    bool rdtscp = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
    if (!rdtsc && !rdtscp)
        return false;
    uint64_t now = rt.active ? clock_ticks() : 0;
    r[REG_RAX] = (greg_t)(now & 0xffffffffu);
    r[REG_RDX] = (greg_t)(now >> 32);
    if (rdtscp)
        r[REG_RCX] = 0;
    r[REG_RIP] += rdtsc ? 2 : 3;
    return true;
}
