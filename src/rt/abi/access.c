/* The hooks that -fsanitize=thread makes the compiler emit: plain loads and stores here, atomics in
 * atomic.c. A plain access is checked (heap, race) and otherwise left alone; if its instruction has
 * been seen in a data race it is a visible operation, announced like an atomic one. */
#include "rt/abi/access.h"

#include "rt/check/heap.h"
#include "rt/check/finding.h"
#include "rt/check/property.h"
#include "rt/check/race.h"
#include "rt/check/racy.h"
#include "rt/core/capture.h"
#include "rt/core/fiber.h"
#include "rt/core/orbit.h"
#include "rt/core/await_reads.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/cancel.h"
#include "rt/tell/story.h"

#include "rt/core/spin.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

bool access_racy_slow(uintptr_t pc, uintptr_t address, size_t size)
{
    if (rt.places)
        places_reached(rt.places, pc);
    if (rt.self->orbit)
        orbit_accesses(address, size);
    if (rt.properties && property_watches(address, size))
        finding_promote(pc);
    return rt.shared->config.granularity == GRANULARITY_ACCESS || racy_is_point(pc);
}

void access_load_racy(uint32_t count)
{
    if (rt.shared->config.granularity == GRANULARITY_ACCESS) {
        rt_fill(rt.racy_filter, 1, sizeof rt.racy_filter);
        return;
    }
    bool all = rt.places || rt.properties; /* every access is looked at */
    if (all)
        rt_fill(rt.racy_filter, 1, sizeof rt.racy_filter);
    if (rt.racy_in_effect == count)
        return;
    rt_fill(rt.racy_filter, all, sizeof rt.racy_filter);
    rt.racy_in_effect = count;
    for (uint32_t i = 0; i < rt.racy_in_effect; i++)
        rt.racy_filter[(rt.shared->racy[i] ^ rt.shared->racy[i] >> 12) & 4095] = 1;
}

uint64_t access_value(uintptr_t address, size_t size)
{
    uint64_t v = 0;
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)address;
    case 2:
        return *(const volatile uint16_t *)address;
    case 4:
        return *(const volatile uint32_t *)address;
    case 8:
        return *(const volatile uint64_t *)address;
    default:
        rt_copy(&v, (const void *)address, size < 8 ? size : 8);
        return v;
    }
}

static bool peek(uintptr_t address, size_t size, uint64_t *v)
{
    struct iovec to = {v, size}, from = {(void *)address, size};
    return syscall(SYS_process_vm_readv, syscall(SYS_getpid), &to, 1, &from, 1, 0) == (long)size;
}

uint64_t access_peek(uintptr_t address, size_t size)
{
    uint64_t v = 0;
    (void)peek(address, size < 8 ? size : 8, &v);
    return v;
}

#pragma GCC visibility push(hidden)
extern const char access_try_reads[], access_try_failed[];
uint64_t access_look_odd(uintptr_t address, size_t size);
#pragma GCC visibility pop

uint64_t access_look_odd(uintptr_t address, size_t size) /* of 3, 5, 6 or 7 bytes */
{
    uint64_t v = 0;
    return access_try(&v, address, size) ? v : 0;
}

static uintptr_t unreadable; /* the last place that access_look or access_try found to be so */

bool access_recovers(void *context, uintptr_t at)
{
    greg_t *rip = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (*rip < (greg_t)access_try_reads || *rip >= (greg_t)access_try_failed)
        return false;
    *rip = (greg_t)access_try_failed;
    unreadable = at;
    return true;
}

bool access_mapped(uintptr_t address, size_t size)
{
    uint64_t v;
    return peek(address, size < 8 ? size : 8, &v);
}

/* As an atomic load or store with seq_cst orders what is before and after it. */
static void orders(uintptr_t address, bool write)
{
    struct sync *s = sync_get(address, SYNC_ATOMIC);
    if (!write) {
        sync_acquire(s);
        return;
    }
    if (s->owner != rt.current) /* another thread's release sequence ends */
        s->clock.n = 0;
    s->owner = rt.current;
    sync_release(s);
}

/* The access follows the hook, so the value a write stores is not known yet; the story takes it from
 * memory when the thread comes to its next event. What cannot be read faults there and not here: a crash
 * has one place, whether or not its access is a step. */
static void visible(uintptr_t address, size_t size, bool write, uintptr_t pc, bool atomic)
{
    struct event *op = sched_op(write ? EV_WRITE : EV_READ, address, (uint32_t)size, pc);
    if (!write)
        spin_before_look(op, atomic);
    sched_visit();
    heap_check(address, size, write, pc);
    race_access(address, size, pc, (write ? RACE_WRITE : 0) | (atomic ? RACE_ATOMIC : 0));
    if (atomic)
        orders(address, write);
    uint64_t first;
    op->value = access_look(address, size);
    if (RT_UNLIKELY(unreadable == address) && !access_try(&first, address, size < 8 ? size : 8))
        return;
    sched_log(op);
    if (RT_UNLIKELY(rt.properties) && write)
        property_wrote();
}

/* A plain write that is no scheduling point still ends the wait of a thread that spins on it. */
static inline void wrote(uintptr_t address, size_t size)
{
    if (spin_is_change(address, size))
        rt.self->wrote = true;
    if (RT_UNLIKELY(rt.guards))
        await_reads_wrote(address, size, false);
    if (RT_UNLIKELY(rt.suspects))
        sched_wake_spinners(address, (uint32_t)size, false);
}

static inline void plain(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    if (RT_UNLIKELY(!rt.active))
        return;
    if (access_is_racy(pc, address, size)) {
        visible(address, size, write, pc, false);
        return;
    }
    if (write && RT_UNLIKELY(rt.any_time))
        cancel_any_time_point(pc);
    heap_check(address, size, write, pc);
    race_access(address, size, pc, write ? RACE_WRITE : 0);
    if (write)
        wrote(address, size);
    else
        spin_plain_read(address, (uint32_t)size, pc);
    if (RT_UNLIKELY(++rt.self->plain_streak >= SPIN_PLAIN_STREAK) && !write)
        spin_plain_streak(address, pc);
    if (RT_UNLIKELY(rt.recording))
        access_record(address, size, write, pc);
}

void access_record(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    if (fiber_of_stack(address) == rt.current)
        return;
    story_event(&(struct event){.kind = write ? EV_WRITE : EV_READ,
                                .flags = EVENT_PLAIN,
                                .thread = (uint16_t)rt.current,
                                .index = rt.self->events,
                                .object = address,
                                .size = (uint32_t)size,
                                .value = write ? 0 : access_peek(address, size), /* … written: story.c */
                                .pc = pc});
}

static inline void volatile_access(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    if (RT_UNLIKELY(rt.active && rt.shared->config.volatiles == VOLATILE_ATOMIC))
        visible(address, size, write, pc, true);
    else
        plain(address, size, write, pc);
}

__attribute__((noinline)) void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    if (!rt.active || !size)
        return;
    if (address - HEAP_BASE < HEAP_SIZE)
        heap_check_slow(address, size, write, pc);
    if (access_is_racy(pc, address, size)) {
        capture_part();
        visible(address, size, write, pc, false);
        return;
    }
    if (write && RT_UNLIKELY(rt.any_time))
        cancel_any_time_point(pc);
    race_access(address, size, pc, write ? RACE_WRITE : 0);
    if (write)
        wrote(address, size);
    else
        spin_plain_read(address, (uint32_t)size, pc);
    if (RT_UNLIKELY(rt.recording))
        access_record(address, size, write, pc);
}

#define HOOK(name, how, size, write)                                                               \
    void __tsan_##name(void *address);                                                             \
    RT_EXPORT void __tsan_##name(void *address)                                                    \
    {                                                                                              \
        how((uintptr_t)address, size, write, RT_PC());                                             \
    }
#define UPDATE_HOOK(name, size)                                                                    \
    void __tsan_##name(void *address);                                                             \
    RT_EXPORT void __tsan_##name(void *address)                                                    \
    {                                                                                              \
        plain((uintptr_t)address, size, false, RT_PC());                                           \
        plain((uintptr_t)address, size, true, RT_PC());                                            \
    }

#define HOOKS(size)                                                                                \
    HOOK(read##size, plain, size, false)                                                           \
    HOOK(write##size, plain, size, true)                                                           \
    HOOK(unaligned_read##size, plain, size, false)                                                 \
    HOOK(unaligned_write##size, plain, size, true)                                                 \
    HOOK(volatile_read##size, volatile_access, size, false)                                        \
    HOOK(volatile_write##size, volatile_access, size, true)                                        \
    HOOK(unaligned_volatile_read##size, volatile_access, size, false)                              \
    HOOK(unaligned_volatile_write##size, volatile_access, size, true)                              \
    UPDATE_HOOK(read_write##size, size)                                                            \
    UPDATE_HOOK(unaligned_read_write##size, size)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void *address, size_t size);
RT_EXPORT void __tsan_read_range(void *address, size_t size)
{
    access_range((uintptr_t)address, size, false, RT_PC());
}

void __tsan_write_range(void *address, size_t size);
RT_EXPORT void __tsan_write_range(void *address, size_t size)
{
    access_range((uintptr_t)address, size, true, RT_PC());
}

void __tsan_vptr_read(void **address);
RT_EXPORT void __tsan_vptr_read(void **address)
{
    plain((uintptr_t)address, sizeof *address, false, RT_PC());
}

/* A destructor stores the same table pointer again: no change, no race. */
void __tsan_vptr_update(void **address, void *value);
RT_EXPORT void __tsan_vptr_update(void **address, void *value)
{
    if (*address != value)
        plain((uintptr_t)address, sizeof *address, true, RT_PC());
}

#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__);                                                                        \
    RT_EXPORT void name(__VA_ARGS__)                                                               \
    {                                                                                              \
    }
NOTHING(__tsan_func_entry, void *caller)
NOTHING(__tsan_func_exit, void)
NOTHING(__tsan_ignore_thread_begin, void)
NOTHING(__tsan_ignore_thread_end, void)
