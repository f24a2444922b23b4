/* The runtime's one state and the seams between its files. The runtime is a shared object inside the
 * tested program: every thread of the program is a fiber on one kernel thread, every operation that
 * other threads could notice is announced here before it is performed, and the engine decides who
 * goes on. No libc call that allocates or locks may be made from here.
 *
 *   start.c    entry, the search loop          sched.c    announcing, deciding, switching
 *   fiber.c    stacks, TLS slots, switching    restart.c  putting everything back
 *   access.c   the compiler's hooks            race.c     happens-before race check
 *   heap.c     malloc and its shadow           strings.c  memcpy & co.
 *   thread.c   create, join, exit, keys, once  sync_*.c   mutexes, conditions, semaphores, …
 *   signal.c   crashes and runaway loops       finding.c  what was found
 *   clock.c    virtual time                    story.c    the recording of one execution
 *   block.c    waiting for anything            syscall.c  futexes and other direct system calls
 *   descriptors.c, io.c, sockets.c, poll.c  pipes, sockets, events between threads
 *   files.c    files put back                  maps.c     mmap
 *   mqueue*.c  message queues                  sem_named.c  named semaphores
 *   cancel.c   cancellation, cleanup           signals.c  signals sent to threads
 *   cxx_*.c    what the C++ ABI asks           svcomp.c   inputs, atomic sections of verifiers
 *   caller.c   whose call it is             assembly.c inline assembly
 *   trap.c     system calls past all functions  timers.c POSIX timers   streams.c stdio on pipes */
#ifndef RT_RT_H
#define RT_RT_H

#include "explore/coverage.h"
#include "explore/engine.h"
#include "trace/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything but what is marked RT_EXPORT is the runtime's own: reached without the GOT. */
#pragma GCC visibility push(hidden)

#define RT_EXPORT __attribute__((visibility("default")))
#define RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_PC() ((uintptr_t)__builtin_return_address(0))

/* Happens-before clocks for the race check: c[t] = the last moment of thread t that is known.
 * Entries from n on are zero and need not be stored; those of the last block that n reaches into are. */
#define VCLOCK_BLOCK 4u
struct vclock {
    uint32_t c[EVENT_MAX_THREADS] __attribute__((aligned(16)));
    uint32_t n;
};

enum thread_state {
    THREAD_NONE,
    THREAD_LOCAL,   /* runs (or may run) without a decision: on the run stack or current */
    THREAD_PENDING, /* stands before its pending operation */
    THREAD_JOINING, /* waits for another thread's end */
    THREAD_PARKED,  /* waits for something that makes it LOCAL again (barrier) */
    THREAD_DONE,
};

/* What a thread waits for that is not a synchronization object: see block.c. */
struct blocker {
    bool (*ready)(const struct blocker *);
    const char *what; /* "waits to read from {}" */
    uint64_t object;
};

/* What a thread looked at in a loop; see spin.h. */
struct spin_entry {
    uint64_t pc, object, value;
    uint32_t round; /* in which it was last read */
    uint32_t turn;
    uint32_t size;
    struct spin_marks {
        uint16_t seen; /* how often with the same value */
        bool lock;     /* a mutex that was taken */
        bool stale;    /* changed since by another thread */
    } is;
};
#define SPIN_RING 64
struct spin_look {
    uint64_t object;
    uint32_t size;
    bool looks; /* and changes nothing */
    bool lock;  /* a mutex that was taken */
    bool stale;
};
#define SPIN_WINDOW 32
enum awaiting { AWAIT_NOTHING, AWAIT_RING, AWAIT_WINDOW };

/* What every thread uses lies together, so that programs of many threads stay in the cache. */
struct thread {
    /* The fiber. */
    void *sp;
    uintptr_t fs;
    char *stack;
    size_t stack_size;

    enum thread_state state;
    int id, creator;
    int joining; /* thread it waits for (THREAD_JOINING) */
    void *(*start)(void *);
    void *arg;
    uint64_t create_pc;
    uint64_t time; /* virtual nanoseconds; follows happens-before */
    void **keys; /* thread-specific data; entries from keys_used on are not valid */
    uint64_t mask; /* blocked signals */
    uint32_t keys_used;
    uint32_t spin_round; /* begins when the state is hashed */

    /* All of this is 0 when it begins. */
    union {
        struct {
            uint32_t events; /* so far */
            uint32_t yields; /* one after the other at the same place */
            uint32_t window_count;
            enum awaiting awaiting; /* what it waits for before its next operation */
            int joiners, joiner; /* threads that wait for its end; the last of them */
            uint32_t ring_count;
            uint32_t plain_streak; /* plain accesses since the last visible operation */
            bool detached, joined, yielded;
            bool signalled, timed;
            bool has_acquire_later, has_release_fence;
            bool wrote; /* a plain write since the ring was last looked at */
            bool attention;            /* a signal may be delivered or the thread be cancelled */
            bool interrupted; /* its wait ends at once (cancellation, a signal handler ran) */
            bool cancel_wanted, cancel_disabled, cancel_async, cancelling;
            bool in_cond_wait;         /* pending is its COND_WAKE or COND_TIMEOUT */
            bool ending;               /* tryjoin may join it */
            bool woke_spuriously;      /* --spurious: once */
            struct sync *waits; /* of the operation it stands before, if that is on one */
            struct sync *reacquire; /* the mutex a condition wait gives back and takes again */
            const struct blocker *block; /* what it waits for, if it is blocked there */
            void *cleanup;             /* innermost cleanup handler */
            void *result;
            uint64_t signals;   /* pending */
            uint64_t spin_pc;
            uint64_t throw_pc;  /* C++: where it threw last, and what */
            void *thrown;
        };
        uint64_t fresh[17];
    };
    struct vclock clock;

    int woken_by;
    uint64_t ticket;    /* place in the queue of a condition or monitor */
    uint64_t wait_pc;   /* where it waits without a pending operation */
    const void *select; /* the selective wait it stands before (sync/port.c) */
    /* Spin detection: the reads since the last operation that changed anything. */
    uint64_t spin_hash;
    struct spin_entry ring[SPIN_RING];
    uint8_t ring_place[SPIN_RING]; /* by a hash of pc and object; valid if the entry has that hash */
    uint64_t spin_object;
    uint32_t spin_turn;    /* counts the looks where the state is hashed … */
    uint32_t spin_misses;  /* … and repeated looks elsewhere within a turn */
    uint32_t spin_others;  /* other states that were found there */
    /* Yields in a loop: where, and what was looked at since the last one. */
    uint64_t yield_pc, yield_set;
    struct spin_look window[SPIN_WINDOW];
    struct vclock acquire_later, release_fence; /* C11 fences */
};
_Static_assert(offsetof(struct thread, clock) - offsetof(struct thread, fresh) == 17 * 8,
               "what is 0 at first fits exactly");

struct rt {
    /* Read at every hook. */
    bool active; /* an execution is under way and program code runs */
    int current; /* thread whose code runs */
    struct thread *self;
    uint32_t generation; /* of the execution; never 0 */
    bool recording;
    bool watched; /* recording, or under a debugger */
    struct tset enabled, live;
    int threads; /* ids used in this execution */
    int last;    /* thread of the previous step */
    struct shared *shared;
    struct coverage_watch *coverage; /* --coverage; NULL = off */
    const struct engine_class *strategy;
    struct trace *trace;
    struct thread *all; /* [EVENT_MAX_THREADS] */
    uint32_t step_limit; /* of an execution */
    int run_count;
    int run_stack[EVENT_MAX_THREADS]; /* threads that go on without a decision, last first */
    struct engine engine;
    struct event next[EVENT_MAX_THREADS]; /* pending operations */

    /* The search loop's own context. */
    void *home_sp;
    uintptr_t home_fs;
    enum outcome outcome;
    bool over;        /* the execution has ended; only the loop may go on */
    int slots_wanted;
    bool redo;        /* run the same schedule again (more thread slots were needed) */
    bool restart;     /* give the search up and begin again with the new scheduling points */
    bool new_racy;    /* racy accesses were found that are not yet scheduling points */
    bool main_done, finishing;
    int exit_status;
    bool bug_in_execution;
    bool discarded; /* an assumption failed: what follows is executed for the engine only */

    uint8_t racy_filter[4096]; /* may this pc be in shared->racy? */

    uintptr_t text_start, text_end; /* the runtime's own code */
    uintptr_t program_start, program_size; /* the program's */
    bool files_opened;  /* descriptors may have been opened */
    bool files_touched; /* descriptors closed or replaced, working directory changed */
    int worker_child;   /* process of the isolated execution under way */
    bool worker;        /* started by the host; otherwise the program runs as if we were not here */
    bool suspects;      /* a thread has come back to the same read in this execution */
    bool atomics;       /* the program has atomic sections (svcomp.c) */
    int atomic_thread;  /* the thread inside of one, which nobody may interrupt; -1 = none */
    uint32_t racy_in_effect; /* entries of shared->racy that are scheduling points */
    uint64_t tickets;        /* given out */
    bool (*select_ready)(int thread); /* sync/port.c: is there something to receive? */
    struct tset blocked;     /* threads that wait in block.c */
    bool cancels;            /* the program may cancel threads */
    bool tries_join;         /* it may look whether a thread has ended */
    bool unwinds;            /* it has frames to unwind when a thread exits (C++, -fexceptions) */
};

extern struct rt rt;

/* Progress, for the host's eyes; nobody else writes it, so no locked instruction. */
static inline void rt_pulse(void)
{
    uint64_t n = atomic_load_explicit(&rt.shared->pulse, memory_order_relaxed);
    atomic_store_explicit(&rt.shared->pulse, n + 1, memory_order_relaxed);
}

/* A bug in the runtime itself, or a machine it cannot work on: says so and ends the worker. */
void rt_fatal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
int rt_format(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void rt_copy(void *to, const void *from, size_t n);
void rt_fill(void *to, int byte, size_t n);
bool rt_same(const void *a, const void *b, size_t n);
/* Calls made by the runtime's own code to interposed functions are not the program's. */
static inline bool rt_from_program(uintptr_t pc)
{
    return pc - rt.text_start >= rt.text_end - rt.text_start;
}
/* The place in the program that a call came from, though it came through a library that was not built
 * with raddle (std::condition_variable::wait, std::thread's constructor). */
uintptr_t rt_caller_slow(uintptr_t pc);
static inline uintptr_t rt_caller(uintptr_t pc)
{
    return RT_LIKELY(pc - rt.program_start < rt.program_size) ? pc : rt_caller_slow(pc);
}
#define RT_CALLER() rt_caller(RT_PC())
void *rt_real(const char *name);                       /* the next definition of a libc function */
void *rt_map(void *at, size_t size, const char *what); /* sparse, zeroed; fatal if refused */

/* sched.c ------------------------------------------------------------------------------------- */

/* Announces the pending operation in rt.next[rt.current] (filled by sched_op) and returns when the
 * engine has picked this thread; the operation must then be performed and logged at once. */
static inline struct event *sched_op(enum event_kind kind, uint64_t object, uint32_t size,
                                     uint64_t pc)
{
    struct event *op = &rt.next[rt.current];
    *op = (struct event){.kind = (uint8_t)kind,
                         .thread = (uint16_t)rt.current,
                         .object = object,
                         .size = size,
                         .pc = pc};
    return op;
}
void sched_visit(void);
void sched_visit_blocking(struct sync *s); /* as above; sync_ready(thread) says when it may go on */
void sched_log(const struct event *op);    /* appends the performed operation to the trace */
void sched_log_local(enum event_kind kind, uint64_t object, uint64_t value, uint64_t other,
                     uint64_t pc);
int sched_branch(const struct event *op, int n);
int sched_choose(int n, uint64_t pc); /* process.c: an input of the program, 0 … n-1 */
void sched_run_local(int thread);    /* puts a thread on the run stack */
void sched_wait_local(enum thread_state state); /* gives up control until sched_run_local */
void sched_yielded(uint64_t pc);
void sched_log_only(const struct event *op); /* that does not concern the detection of loops */
RT_EXPORT void raddle_stopped(void); /* where the debugger stops */
void sched_end_execution(enum outcome o) __attribute__((noreturn)); /* from a fiber */
void sched_reset(void);
/* only_free: a mutex is free again, what it protects was not changed. */
void sched_wake_spinners(uint64_t object, uint32_t size, bool only_free);

/* fiber.c ------------------------------------------------------------------------------------- */
void fiber_init(void);
int fiber_slots(void); /* thread slots available */
void fiber_more_slots(int wanted);
uintptr_t fiber_fs(int slot);
int fiber_of_fs(uintptr_t fs); /* the slot; INT_MAX: none */
/* A module that was loaded later has thread-local variables. */
void fiber_late_tls(size_t module, const char *image, size_t image_size, size_t size);
void fiber_usual_stack(struct thread *t);
void fiber_want_stack(struct thread *t, size_t size); /* if that is more than usual */
void fiber_prepare(struct thread *t, void (*entry)(void)); /* fresh stack and TLS */
void fiber_switch(void **save_sp, void *load_sp, uintptr_t fs);
void fiber_run_main(void); /* from the search loop, until a fiber leaves for it */
/* A fault at `address`: of fiber's own making? The execution may have to be repeated (rt.redo). */
bool fiber_first_tls(uintptr_t address);
/* Begin and end of something the runtime does, in a fiber, that uses thread-local storage: that need not
 * be its own. */
void fiber_lend_tls(bool begin);
int fiber_of_stack(uintptr_t address); /* thread whose stack it is in, -1 */

/* restart.c ----------------------------------------------------------------------------------- */
void restart_snapshot(int argc, char **argv, char **envp);
void restart_remember_files(void); /* first of all */
void restart_new_modules(void); /* after dlopen: their data as it is now */
void restart_restore(void);
/* Begin and end of a part of the runtime's own work: library data it is the first to write is not
 * put back. */
void restart_keep_writes(bool begin);
bool restart_is_program(uintptr_t pc); /* in a module built with raddle? */
bool restart_first_write(uintptr_t address); /* handles faults of restart's own making */
struct dl_phdr_info;
bool restart_built_with_raddle(const struct dl_phdr_info *info);
void restart_module_of(uintptr_t pc, const char **path, uintptr_t *base); /* path NULL: none */

/* finding.c ----------------------------------------------------------------------------------- */
struct finding *finding_new(enum finding_kind kind, uint64_t pc, uint64_t object, const char *fmt,
                            ...) __attribute__((format(printf, 4, 5)));
void finding_fact(struct finding *f, int thread, uint64_t pc, uint64_t object, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void finding_commit(struct finding *f); /* stores it if it is new; the schedule is the one so far */
void finding_warn(uint64_t pc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void finding_incomplete(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A data race of the current access with an earlier one; makes both scheduling points. */
void finding_race(uintptr_t address, uint32_t size, uintptr_t pc, bool write, int other_thread,
                  uintptr_t other_pc, bool other_write);
void finding_promote(uintptr_t pc);

/* race.c -------------------------------------------------------------------------------------- */
enum { RACE_WRITE = 1, RACE_ATOMIC = 2 };
void race_init(void);
void race_access(uintptr_t address, size_t size, uintptr_t pc, int flags); /* by rt.current */
/* The memory ends (free): a write that need not be remembered, for the heap's shadow does. */
void race_end_of_life(uintptr_t address, size_t size, uintptr_t pc);
/* From now on only atomic operations use this memory, and they are noted in struct sync.seen; false if
 * it is used otherwise already. The first plain access sets sync.mixed. */
bool race_claim_atomic(uintptr_t address, size_t size);
void race_forget(uintptr_t address, size_t size); /* fresh memory: earlier accesses do not count */
/* Executions are told apart by rt.generation; nothing needs to be cleared. */

/* heap.c -------------------------------------------------------------------------------------- */
#define HEAP_BASE 0x010000000000ull
#define HEAP_ARENA (2ull << 30)                                    /* bytes per thread */
#define HEAP_SIZE (HEAP_ARENA * (EVENT_MAX_THREADS + 1))           /* the last: before main */
#define HEAP_SHADOW 0x02a000000000ull                              /* one byte for 8 */
/* Shadow: 8 = all eight bytes may be accessed, 1…7 = the first k, 0 = none (never allocated,
 * between blocks), 0x80 = freed. */
void heap_init(void);
void heap_reset(void);   /* a new execution: every arena but the one of before main is empty again */
void heap_freeze(void);  /* from now on allocations belong to executions */
void heap_persistent(bool on); /* allocations meanwhile survive (dlopen, thread slots) */
void heap_init_range(char **start, size_t *size); /* memory allocated before main, to be put back */
void heap_leaks(void);   /* at the end of an execution: warns about blocks nobody freed */
void heap_bad_access(uintptr_t address, size_t size, bool write, uintptr_t pc);
void heap_check_slow(uintptr_t address, size_t size, bool write, uintptr_t pc);
void *heap_allocate(size_t size, size_t alignment, uintptr_t pc); /* malloc for a caller at pc */
void heap_free(void *p, uintptr_t pc);                            /* free */
static inline void heap_check(uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    if (address - HEAP_BASE < HEAP_SIZE) {
        uint8_t s = *(uint8_t *)(HEAP_SHADOW + ((address - HEAP_BASE) >> 3));
        if (RT_UNLIKELY(s != 8 || (address & 7) + size > 8))
            heap_check_slow(address, size, write, pc);
    }
}

/* access.c ------------------------------------------------------------------------------------ */
void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc); /* plain */
bool access_racy_slow(uintptr_t pc);
static inline bool access_is_racy(uintptr_t pc)
{
    return RT_UNLIKELY(rt.racy_filter[(pc ^ pc >> 12) & 4095]) && access_racy_slow(pc);
}

/* thread.c ------------------------------------------------------------------------------------ */
void thread_reset(void);
void thread_start_main(void);
void thread_program_exit(int status) __attribute__((noreturn)); /* exit(): handlers, then the end */
void thread_finish_program(void) __attribute__((noreturn)); /* after main and all other threads */
void thread_quick_exit(int status) __attribute__((noreturn)); /* _exit(): the end at once */

/* hb: clocks ---------------------------------------------------------------------------------- */
/* Signed, for which there is a comparison: an execution has less than 2^31 moments. */
typedef int32_t vclock_block __attribute__((vector_size(4 * VCLOCK_BLOCK), may_alias));

static inline vclock_block *vclock_at(const struct vclock *a, uint32_t i)
{
    return (vclock_block *)&a->c[i];
}

static inline uint32_t vclock_round(uint32_t n)
{
    return (n + VCLOCK_BLOCK - 1) & ~(VCLOCK_BLOCK - 1);
}

/* Makes room for entries below n. */
static inline void vclock_extend(struct vclock *a, uint32_t n)
{
    for (uint32_t i = vclock_round(a->n); i < n; i += VCLOCK_BLOCK)
        *vclock_at(a, i) = (vclock_block){0};
    a->n = a->n > n ? a->n : n;
}

static inline void vclock_join(struct vclock *a, const struct vclock *b)
{
    vclock_extend(a, b->n);
    for (uint32_t i = 0; i < b->n; i += VCLOCK_BLOCK) {
        vclock_block x = *vclock_at(a, i), y = *vclock_at(b, i);
        *vclock_at(a, i) = (x & (x > y)) | (y & ~(x > y));
    }
}

static inline void vclock_copy(struct vclock *a, const struct vclock *b)
{
    a->n = b->n;
    for (uint32_t i = 0; i < b->n; i += VCLOCK_BLOCK)
        *vclock_at(a, i) = *vclock_at(b, i);
}

/* sync.c: synchronization objects ------------------------------------------------------------- */
enum sync_type {
    SYNC_NONE,
    SYNC_ATOMIC, /* any memory location used atomically */
    SYNC_MUTEX,
    SYNC_COND,
    SYNC_SEM,
    SYNC_RWLOCK,
    SYNC_BARRIER,
    SYNC_SPIN,
    SYNC_ONCE,
    SYNC_MONITOR, /* these three: raddle/sync.h */
    SYNC_CONDITION,
    SYNC_PORT,
    SYNC_OTHER, /* descriptors, signals, futexes, …: only its clock is used */
    SYNC_GUARD,
    SYNC_QUEUE, /* a message queue: count of limit messages */
};

struct sync {
    uint64_t address;
    uint32_t generation; /* of the execution it was made in */
    uint8_t type, kind;  /* kind: PTHREAD_MUTEX_* */
    bool destroyed;
    bool robust;
    uint8_t dead;        /* robust mutex: its owner ended (OWNER_DIED), nobody repaired it */
    int owner;           /* thread, -1 = nobody */
    int32_t count;       /* recursion, semaphore value, readers, barrier arrivals */
    uint32_t limit;      /* barrier: threads; atomic: bytes */
    uint64_t lock_pc;
    uint64_t time;       /* virtual time of the last release */
    struct tset waiters; /* threads whose pending operation is on this object */
    struct tset holders; /* readers of an rwlock, queue of a condition */
    struct vclock clock;
    bool mixed; /* an atomic: plain accesses to it too, so the race check keeps all records */
    struct tset seen_by; /* threads whose entry in `seen` is valid */
    struct {
        uint32_t read, write; /* epochs of the last atomic operations of a thread */
        uint64_t pc;
    } seen[EVENT_MAX_THREADS];
    struct vclock readers; /* rwlock: released by readers, acquired by writers only */
    uint32_t head, tail;   /* port: its messages */
};

void sync_init(void);
struct sync *sync_get(uint64_t address, enum sync_type type); /* made at its first use */
struct sync *sync_find(uint64_t address);                     /* NULL if never used */
bool sync_ready(const struct thread *t); /* can the thread perform its pending operation now? */
struct sync *sync_fresh(uint64_t address, enum sync_type type); /* as if never used before */
void sync_recheck(int thread); /* is it enabled? its pending operation or object has changed */
void sync_misuse(const struct sync *s, uint64_t pc, const char *message); /* ends the execution */
struct sync *sync_next_robust(int owner); /* a robust mutex that the thread holds, NULL */
void mutex_take(struct sync *s, uint64_t pc);
void mutex_give(struct sync *s);
int sync_lock(struct sync *s, enum event_kind kind, uint64_t pc);
int sync_unlock(struct sync *s, uint64_t pc);
int sync_sem_take(struct sync *s, enum event_kind kind, uint64_t pc);
int sync_sem_give(struct sync *s, enum event_kind kind, uint64_t pc);
void sync_changed(struct sync *s);       /* re-examines the threads waiting on s */
void sync_acquire(struct sync *s);       /* happens-before edges of the current thread */
void sync_release(struct sync *s);
void sync_describe_wait(struct finding *f, const struct thread *t); /* "waits for …" */

/* block.c: waiting for anything ---------------------------------------------------------------- */
enum block_result { BLOCK_READY, BLOCK_TIMEOUT, BLOCK_INTERRUPTED };
/* Announces the operation (again and again, while it is not ready); on BLOCK_READY the operation in
 * rt.next[rt.current] is to be performed and then logged with block_done. */
enum block_result block_wait(struct blocker *b, enum event_kind kind, uint32_t size, bool timed,
                             uint64_t pc);
void block_done(struct event *op); /* logs a performed operation and looks who can go on now */
void block_recheck(void);
void block_interrupt(int thread);  /* its wait ends with BLOCK_INTERRUPTED */
/* After it: cancels the thread or runs handlers; does the wait end (EINTR)? */
bool block_was_interrupted(uint64_t pc);
void block_not_at_all(void); /* the running thread is cancelled already */
bool block_interruptible(const struct thread *t); /* its wait, by a signal or a cancellation */

/* cancel.c, signals.c ------------------------------------------------------------------------- */
#define SIGNAL_OBJECT 0x02be00000000ull /* what signals are sent through */
void cancel_init(void);
void cancel_point(uint64_t pc); /* ends the thread if it is to be cancelled */
bool cancel_acts(const struct thread *t); /* wanted, and not disabled */
void cancel_attend(void);       /* asynchronous cancellation */
void cancel_now(uint64_t pc) __attribute__((noreturn)); /* of the running thread, in the step under way */
/* EVENT_CANCELLABLE if a request could interrupt the running thread where it waits now. */
uint8_t cancel_flag(void);
bool cancel_any_time(const struct thread *t); /* at every operation */
void cancel_exit(void *result) __attribute__((noreturn)); /* cleanup handlers, then the end */
bool signals_attend(void);      /* runs handlers of pending signals; did any run? */
uint32_t signals_handled(void); /* handlers that have run in the running thread */
void signals_raise(int thread, int sig, uint64_t pc); /* -1: to the process */
union sigval;
void signals_set_value(int sig, union sigval value); /* what the next such signal carries */
void signals_reset(void);
bool signals_time_passes(void); /* nobody can go on: does a timer fire? */

/* descriptors.c, files.c, maps.c ---------------------------------------------------------------- */
void descriptors_reset(void);
void files_undo(void);
void maps_reset(void);

/* signal.c, clock.c, story.c ------------------------------------------------------------------ */
void signal_init(void);
void story_begin(void);
void story_announce(void); /* the running thread stands before its pending operation */
void story_event(const struct event *ev);
void story_note(const char *text);
void story_name(uint64_t object, uint32_t size, const char *name); /* what is not in memory */
void story_finding(const struct finding *f);
void story_end(enum outcome o);

#pragma GCC visibility pop

#endif
