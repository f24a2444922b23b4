/* Fibers with genuine thread-local storage. For every thread slot one real pthread is created once
 * and parked for ever; the fiber in that slot borrows its TLS block (the fs register), so errno,
 * __thread variables and libc's own per-thread state are truly per thread. Before a new thread takes
 * a slot, the block is set back to the image it had when the pthread was created. Stacks are ours
 * (stacks.c); slot 0 is main and uses the kernel thread's own TLS.
 *
 * Setting fs costs as much as the rest of a step (wrfsbase: 25 ns), making a pthread 100 µs, and many
 * programs never use thread-local storage. So at first fs points into memory that nobody may access,
 * whichever fiber runs, and of the pthreads only one exists: where the blocks of the others will be (which
 * is what pthread_t is) follows from it. The first use of either faults; then the execution is repeated with
 * all that is needed, and from then on every switch sets fs. (Only code that reads the register itself,
 * by rdfsbase or arch_prctl, would see the difference.)
 *
 * Under a debugger each fiber runs on the pthread of its slot, so that the debugger sees the program's
 * threads as it sees any: their stacks, stepping over a call that waits, watchpoints. Still only one runs; a
 * switch gives its turn to another kernel thread and waits for its own (switch.S). */
#include "rt/core/fiber.h"

#include "rt/check/crash.h"
#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/core/orbit.h"
#include "rt/core/restart.h"
#include "rt/core/stacks.h"

#include <elf.h>
#include <emmintrin.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <linux/futex.h>
#include <unistd.h>

#define SLOT_SIZE ((unsigned)LOCALS_SIZE)
#define TOO_LARGE "a thread has room for 32 KiB of thread-local variables; put large ones on the heap"
#define TOO_MANY "the system allows no more threads"
#define FEW_SLOTS 9
#define CLEARED (64u << 10)

/* Whether a kernel thread may go on, and with which fiber; switch.S knows. */
struct turn {
    void *sp;
    uint32_t mine;
};

struct fiber_slot {
    _Atomic uintptr_t fs;
    char *image; /* of the TLS block below fs */
    struct turn turn;
    int kernel_thread;
};

enum { TLS_TRAPPED, TLS_WRFSBASE, TLS_PRCTL, TLS_THREADS };
__attribute__((visibility("hidden"))) uint8_t fiber_tls;
void fiber_trampoline(void);
void fiber_wait_turn(struct turn *own) __attribute__((noreturn));
struct turn *fiber_turn_of(uintptr_t fs);

static struct fiber_slot slots[EVENT_MAX_THREADS];
static int slot_count;  /* that can be used */
static int made;        /* whose pthreads exist */
static size_t tls_size; /* of all modules' blocks together, below fs */
static size_t tls_alignment;
static char *parking;   /* stacks of the parked pthreads, with their TLS at the upper end */

#define TRAP_SIZE (4u << 20)
static uintptr_t trap;      /* start of the memory that fs points into the middle of */
static bool trap_is_set;    /* fs is that now */
static bool away;           /* a fiber runs */
static bool lent;           /* and the runtime uses home's thread-local storage in it */
static bool home_needs_tls; /* so does the search loop */

static uintptr_t current_fs(void)
{
    uintptr_t fs;
    __asm__("movq %%fs:0, %0" : "=r"(fs)); /* the ABI keeps the address of the block there */
    return fs;
}

static int widen_tls(struct dl_phdr_info *info, size_t size, void *arg)
{
    uintptr_t fs = *(uintptr_t *)arg, at = (uintptr_t)info->dlpi_tls_data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_phdr[i].p_align > tls_alignment)
            tls_alignment = info->dlpi_phdr[i].p_align;
    if (at && at < fs && fs - at < (1u << 20) && fs - at > tls_size)
        tls_size = fs - at;
    return 0;
}

struct turn *fiber_turn_of(uintptr_t fs)
{
    for (int i = 1; i < made; i++)
        if (slots[i].fs == fs)
            return &slots[i].turn;
    return &slots[0].turn;
}

int fiber_kernel_thread(int slot)
{
    return fiber_tls == TLS_THREADS ? slots[slot].kernel_thread : 0;
}

/* A kernel thread that fibers run on is to handle what they do. */
static void stand_in(void)
{
    sigset_t mask;
    sigfillset(&mask);
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&mask, own[i]);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, 8);
    crash_signal_stack(rt_map(NULL, CRASH_STACK, "a stack for signals"));
}

static void *parked(void *arg)
{
    struct fiber_slot *s = arg;
    int never = 0;
    s->kernel_thread = (int)syscall(SYS_gettid);
    if (fiber_tls == TLS_THREADS)
        stand_in();
    atomic_store(&s->fs, current_fs());
    syscall(SYS_futex, &s->fs, FUTEX_WAKE, 1, NULL, NULL, 0);
    if (fiber_tls == TLS_THREADS)
        fiber_wait_turn(&s->turn);
    for (;;)
        syscall(SYS_futex, &never, FUTEX_WAIT, 0, NULL, NULL, 0);
    return NULL;
}

static void take_image(struct fiber_slot *s)
{
    static char *images;
    size_t room = (tls_size + 127) & ~(size_t)63;
    if (!images)
        images = rt_map(NULL, room * EVENT_MAX_THREADS, "TLS images");
    s->image = images + room * (size_t)(s - slots);
    rt_copy(s->image, (char *)s->fs - tls_size, tls_size);
}

/* Modules loaded during an execution have their thread-local variables wherever the loader put them:
 * the pointer is in the thread's vector of blocks. The loader allocates them when a thread uses them
 * for the first time; that is made to happen at once for all slots, so that the memory is not that
 * of one execution. */
#define LATE_MODULES 32
#define UNALLOCATED ((char *)-1)
static struct {
    size_t id, image_size, size;
    const char *image;
} late[LATE_MODULES];
static int late_count;

struct tls_index {
    unsigned long module, offset;
};
void *__tls_get_addr(struct tls_index *);

static void use_fs(uintptr_t fs)
{
    if (fiber_tls == TLS_WRFSBASE)
        __asm__ volatile("wrfsbase %0" : : "r"(fs) : "memory");
    else
        syscall(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, fs);
}

/* (A module cannot be loaded without thread-local storage: fs is not in the trap.) */
static void allocate_late(int first_slot, int first_module)
{
    if (first_module >= late_count || fiber_tls == TLS_TRAPPED)
        return;
    uintptr_t fs = current_fs();
    for (int s = first_slot; s < made; s++) {
        use_fs(slots[s].fs);
        for (int m = first_module; m < late_count; m++)
            __tls_get_addr(&(struct tls_index){late[m].id, 0});
    }
    use_fs(fs);
}

void fiber_late_tls(size_t module, const char *image, size_t image_size, size_t size)
{
    if (late_count == LATE_MODULES) {
        finding_limit(LIMIT_MODULES, LATE_MODULES);
        return;
    }
    late[late_count].id = module;
    late[late_count].image = image;
    late[late_count].image_size = image_size;
    late[late_count++].size = size;
    heap_persistent(true);
    allocate_late(0, late_count - 1);
    heap_persistent(false);
}

static void restore_late(uintptr_t fs)
{
    struct block {
        char *at;
        void *to_free;
    } *blocks = ((struct block **)fs)[1];
    size_t last = (size_t)blocks[-1].at;
    for (int i = 0; i < late_count; i++) {
        char *at = late[i].id <= last ? blocks[late[i].id].at : UNALLOCATED;
        if (at == UNALLOCATED || !at)
            continue;
        rt_copy(at, late[i].image, late[i].image_size);
        rt_fill(at + late[i].image_size, 0, late[i].size - late[i].image_size);
    }
}

static void make_slot(struct fiber_slot *s)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        rt_real("pthread_create");
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, parking + (size_t)(s - slots) * SLOT_SIZE, SLOT_SIZE);
    int failed = create(&thread, &attr, parked, s);
    if (failed)
        rt_fatal("cannot create thread slot %d: %s", made, failed == EINVAL ? TOO_LARGE : TOO_MANY);
    while (!atomic_load(&s->fs))
        syscall(SYS_futex, &s->fs, FUTEX_WAIT, 0, NULL, NULL, 0);
    take_image(s);
}

/* From the second pthread on nothing of the parking may be used. */
static char *unused_parking(void)
{
    return (char *)(((uintptr_t)parking + 2 * SLOT_SIZE + 4095) & ~4095ul);
}

static size_t unused_size(void)
{
    return (size_t)(parking + (size_t)SLOT_SIZE * EVENT_MAX_THREADS - unused_parking());
}

static void set_fs(uintptr_t fs)
{
    __asm__ volatile("wrfsbase %0" : : "r"(fs) : "memory");
    trap_is_set = fs == trap + TRAP_SIZE / 2;
}

static void end_trap(void)
{
    if (fiber_tls != TLS_TRAPPED)
        return;
    fiber_tls = TLS_WRFSBASE;
    if (trap_is_set) /* somebody who needs some comes next, and nothing would catch that any more */
        set_fs(rt.home_fs);
    rt.may_orbit = false; /* it would not be noticed any more */
    rt_protect(unused_parking(), unused_size(), PROT_READ | PROT_WRITE);
    for (int t = made; t < EVENT_MAX_THREADS; t++)
        slots[t].fs = 0;
}

void fiber_more_slots(int wanted)
{
    sigset_t all, before;
    end_trap();
    sigfillset(&all);
    sigdelset(&all, SIGSEGV); /* restart.c needs it */
    sigdelset(&all, SIGSYS);  /* and trap.c */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, 8); /* inherited: parked for signals too */
    heap_persistent(true);
    restart_keep_writes(true);
    int made_before = made;
    for (; made < wanted && made < EVENT_MAX_THREADS; made++)
        make_slot(&slots[made]);
    slot_count = made;
    allocate_late(made_before, 0);
    restart_keep_writes(false);
    heap_persistent(false);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8);
}

int fiber_slots(void)
{
    return slot_count;
}

uintptr_t fiber_fs(int slot)
{
    return slots[slot].fs;
}

int fiber_of_fs(uintptr_t fs)
{
    size_t slot = (fs - (uintptr_t)parking) / SLOT_SIZE;
    if (slot < (size_t)slot_count && slots[slot].fs == fs)
        return (int)slot;
    return fs == slots[0].fs ? 0 : INT_MAX;
}

int fiber_of_local(uintptr_t address)
{
    return (int)((address - LOCALS_BASE) / SLOT_SIZE);
}

/* A debugger would show the fault; blocks of greater alignment than the slots differ in distance. */
static void set_trap(void)
{
    if (fiber_tls != TLS_WRFSBASE || rt.watched || SLOT_SIZE % tls_alignment)
        return;
    trap = (uintptr_t)rt_map(NULL, TRAP_SIZE, "the trap for thread-local storage");
    rt_protect((void *)trap, TRAP_SIZE, PROT_NONE);
    rt_protect(unused_parking(), unused_size(), PROT_NONE);
    for (int t = made; t < EVENT_MAX_THREADS; t++)
        slots[t].fs = slots[1].fs + (size_t)(t - 1) * SLOT_SIZE;
    slot_count = EVENT_MAX_THREADS;
    fiber_tls = TLS_TRAPPED;
}

void fiber_init(void)
{
    uintptr_t fs = current_fs();
    fiber_tls = rt.shared->config.gdb             ? TLS_THREADS
                : getauxval(AT_HWCAP2) >> 1 & 1 ? TLS_WRFSBASE
                                                : TLS_PRCTL;
    tls_alignment = 64;
    dl_iterate_phdr(widen_tls, &fs);
    slots[0].fs = fs;
    slots[0].kernel_thread = (int)syscall(SYS_gettid);
    errno = 0; /* what we did until here is not the program's */
    take_image(&slots[0]);
    made = 1;
    parking = rt_map((void *)LOCALS_BASE, (size_t)SLOT_SIZE * EVENT_MAX_THREADS, "thread slots");
    if (fiber_tls == TLS_THREADS) {
        fiber_more_slots(rt.shared->config.gdb); /* a debugger shows them all */
    } else {
        fiber_more_slots(2);
        set_trap();
        if (fiber_tls != TLS_TRAPPED)
            fiber_more_slots(FEW_SLOTS);
    }
    rt_map((void *)STACKS_BASE, (size_t)STACK_SIZE * EVENT_MAX_THREADS, "stacks");
}

/* Sixteen bytes at a time, the first sixteen and the rest possibly overlapping. */
static inline void restore_tls(char *to, const char *from)
{
    size_t n = tls_size;
    if (n < 16) {
        rt_copy(to, from, n);
        return;
    }
    _mm_storeu_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)from));
    for (size_t i = n % 16; i < n; i += 16)
        _mm_storeu_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
}

bool fiber_traps(void)
{
    return fiber_tls == TLS_TRAPPED;
}

bool fiber_first_tls(uintptr_t address)
{
    bool by_handle = address - (uintptr_t)unused_parking() < unused_size();
    if (fiber_tls != TLS_TRAPPED || (address - trap >= TRAP_SIZE && !by_handle))
        return false;
    if (!away) {
        home_needs_tls = true;
        set_fs(rt.home_fs);
        return true;
    }
    set_fs(rt.home_fs);
    orbit_uses_tls();
    rt.redo = true;
    rt.slots_wanted = rt.threads > FEW_SLOTS ? rt.threads : FEW_SLOTS;
    return true;
}

bool fiber_runs(void)
{
    return away;
}

bool fiber_lend_tls(bool lend)
{
    bool was = lent;
    if (fiber_tls == TLS_TRAPPED && away)
        set_fs(lend ? rt.home_fs : trap + TRAP_SIZE / 2);
    lent = lend;
    return was;
}

void fiber_run_main(void)
{
    if (fiber_tls == TLS_TRAPPED && !trap_is_set)
        set_fs(trap + TRAP_SIZE / 2);
    lent = false;
    away = true;
    uint64_t floats = rt.keeps_floats ? fiber_floats() : 0;
    fiber_switch(&rt.home_sp, rt.all[0].sp, rt.all[0].fs);
    if (RT_UNLIKELY(rt.keeps_floats))
        fiber_set_floats(floats); /* every execution begins with them */
    away = false;
    if (fiber_tls == TLS_TRAPPED && home_needs_tls)
        set_fs(rt.home_fs);
}

static void clear_stack(struct thread *t)
{
    size_t size = stacks_room(t) < CLEARED ? stacks_room(t) : CLEARED;
    rt_fill(t->stack + t->stack_size - size, 0, size);
}

void fiber_prepare(struct thread *t, void (*entry)(void))
{
    struct fiber_slot *s = &slots[t->id];
    if (RT_UNLIKELY(!stacks_guarded[t->id]))
        stacks_guard(t);
    t->fs = s->fs;
    if (fiber_tls != TLS_TRAPPED) {
        restore_tls((char *)t->fs - tls_size, s->image);
        if (RT_UNLIKELY(late_count))
            restore_late(t->fs);
    }
    if (RT_UNLIKELY(rt.clears)) /* what the last execution left there is no state */
        clear_stack(t);
    void **sp = (void **)(t->stack + t->stack_size - 64);
    *--sp = NULL; /* keeps the trampoline's call aligned */
    *--sp = NULL;
    *--sp = (void *)fiber_trampoline;
    *--sp = NULL; /* rbp */
    *--sp = (void *)entry; /* rbx */
    for (int i = 0; i < 4; i++)
        *--sp = NULL;
    t->sp = sp;
    if (RT_UNLIKELY(rt.keeps_floats))
        t->floats = fiber_floats(); /* as whoever creates it */
}

size_t fiber_tls_block(int thread, uintptr_t *start)
{
    size_t size = fiber_tls == TLS_TRAPPED ? 0 : tls_size;
    *start = slots[thread].fs - size;
    return size;
}

int fiber_of_stack(uintptr_t address)
{
    uintptr_t offset = address - STACKS_BASE;
    return offset < (uintptr_t)STACK_SIZE * EVENT_MAX_THREADS ? (int)(offset / STACK_SIZE) : -1;
}
