/* The runtime's one state. The runtime is a shared object inside the
 * tested program: every thread of the program is a fiber on one kernel thread, every operation that
 * other threads could notice is announced here before it is performed, and the engine decides who
 * goes on. No libc call that allocates or locks may be made from here.
 *
 * This header is the state; every seam has a header of its own beside the file that implements it:
 * core/sched.h, core/sync.h, check/finding.h, … */
#ifndef RT_RT_H
#define RT_RT_H

#include "explore/coverage.h"
#include "explore/places.h"
#include "explore/engine.h"
#include "rt/core/vclock.h"
#include "trace/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* Who was called asks where the call came from (abi/syscall.c). A call that is the last thing a
 * function does may be made a jump, and then it seems to come from whoever called that function,
 * possibly the program. */
#define syscall(...)                                                                               \
    ({                                                                                             \
        long result_ = syscall(__VA_ARGS__);                                                       \
        __asm__ volatile("" : "+r"(result_));                                                      \
        result_;                                                                                   \
    })

/* Everything but what is marked RT_EXPORT is the runtime's own: reached without the GOT. */
#pragma GCC visibility push(hidden)

#define RT_EXPORT __attribute__((visibility("default")))
#define RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_PC() ((uintptr_t)__builtin_return_address(0))

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
    bool (*ready)(const struct blocker *); /* NULL: when the operation is possible in … */
    const struct object_state *state;
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
        uint8_t kind;  /* of the event */
        bool stale;    /* changed since by another thread */
        bool plain;    /* a plain read: no race is known, so what it waits for is something else */
        uint16_t taken; /* spin_taken then; 0: it was not read again yet */
    } is;
};
#define SPIN_RING 64

/* The looks of a thread since it last changed anything, at places where loops wait; see await.h. */
#define AWAIT_LOOKS 16
#define AWAIT_PLAIN 4
struct await_plain {
    uint64_t address, value, pc;
    uint32_t size;
};
/* The round of a loop that takes a mutex (await_lock.c) or tries a lock (await_try.c), as far as it is. */
#define AWAIT_LOCK_READS 16
enum { ROUND_NOWHERE, ROUND_STANDS, ROUND_INSIDE, ROUND_LEFT, ROUND_TRIED };
struct lock_round {
    int at;    /* ROUND_… */
    bool fact; /* it stands before the lock, and something is known of its state there */
    uint32_t step, event, count;
    uint64_t state, mutex;
    struct await_plain read[AWAIT_LOCK_READS];
};
struct await {
    uint64_t state; /* in which it stands before such a look; 0 = it does not */
    uint32_t count;
    uint32_t plain_count; /* plain reads since the last look; more than AWAIT_PLAIN: too many */
    struct await_look {
        uint64_t state, pc, object, value, result;
        uint32_t size, step;
        uint32_t change; /* the one under way before it (await_undo.c), 0 = none */
        bool changes, blind; /* it was a change itself; an addition whose result is not used */
        bool own;            /* what it read does not matter, or was that change */
    } looks[AWAIT_LOOKS];
    struct await_plain plain[AWAIT_PLAIN];
    /* What the thread has changed and not yet put back, and nobody else has touched; id 0: nothing. */
    struct await_change {
        uint64_t object, before, after;
        uint32_t size, id;
        bool seen;        /* somebody has */
        bool adds, added; /* it was an addition; others have added something, too */
    } change;
    uint32_t clean; /* looks before it came before a change */
    uint32_t head;  /* the look its round begins with, if that goes on for ever */
    uint32_t stays; /* a round that ends after so many looks stands */
    bool may_undo;  /* it stands before what may put that back */
    bool adds, blind; /* … before an addition; whose result is not used */
    bool acquires;    /* … before a look that acquires what it reads */
    uint64_t add_pc; /* of its last addition */
};

/* Where the program called a hook (abi/hooks.S): what its frame keeps in registers, its stack pointer and
 * the return address there. */
struct frame {
    uint64_t saved[6]; /* rbx, rbp, r12 to r15 */
    uintptr_t sp, pc;
};

/* What every thread uses lies together, so that programs of many threads stay in the cache. */
struct thread {
    struct frame frame; /* first: hooks.S knows */
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
            uint32_t yields; /* one after the other at the same place, while others could go on */
            int joiners, joiner; /* threads that wait for its end; the last of them */
            uint32_t ring_count;
            uint32_t put_off_end; /* so often it did more before it acts on a request to cancel it */
            uint32_t plain_streak; /* plain accesses since the last visible operation */
            bool detached, joined, yielded;
            bool signalled, timed;
            bool has_acquire_later, has_release_fence;
            bool awaiting; /* a change of what it looked at, before its next operation */
            bool wrote; /* a plain write since the ring was last looked at */
            bool attention;            /* a signal may be delivered or the thread be cancelled */
            bool interrupted; /* its wait ends at once (cancellation, a signal handler ran) */
            bool cancel_disabled, cancel_async, cancelling;
            bool in_cond_wait;         /* pending is its COND_WAKE or COND_TIMEOUT */
            bool hands_on;             /* a signal woke it: another waiter gets it if it is cancelled */
            bool resumes;              /* its wait returns although it is to be cancelled */
            bool woke_spuriously;      /* --spurious: once */
            bool visited;              /* others have used its stack: visitors */
            /* Threads that are alike (orbit.h). */
            uint8_t orbit;             /* the first of them; 0 = it is like no other */
            uint8_t follower;          /* whose start waits for its first operation; 0 = nobody */
            bool unlike, put_off;      /* has attributes, or was told apart; has not started yet */
            struct sync *waits; /* of the operation it stands before, if that is on one */
            struct sync *reacquire; /* the mutex a condition wait gives back and takes again */
            const struct blocker *block; /* what it waits for, if it is blocked there */
            void *cleanup;             /* innermost cleanup handler */
            void *result;
            uint64_t spin_pc;
            uint64_t throw_pc;  /* C++: where it threw last, and what */
            void *thrown;
        };
        uint64_t fresh[15];
    };
    struct vclock clock;

    struct tset visitors; /* threads that have used its stack (check/stack.h) */
    int woken_by;
    uint32_t enabled_by; /* index + 1 of the event that last let it go on, 0 = it did not have to wait */
    uint8_t orbit_joiner, orbit_size, orbit_joins; /* of the first that are alike: who joins them, how many */
    const uint64_t *stored; /* of one that has others like it: where it may have stored a word; or NULL */
    uint32_t created_at; /* events of its creator then */
    uint64_t floats;     /* how it begins to compute with floating point (rt.keeps_floats) */
    uint32_t resumed_at; /* events it had performed when a wait without a decision ended (thread.c) */
    uint64_t ticket;    /* place in the queue of a condition or monitor */
    const void *select; /* the selective wait it stands before (sync/port.c) */
    struct lock_round round; /* these two begin with what every plain access looks at */
    struct await await;
    /* Spin detection: the reads since the last operation that changed anything. */
    uint64_t spin_hash; /* of its state where the round began */
    uint64_t spin_arguments; /* … and of what its look was called with; 0: not known */
    struct spin_entry ring[SPIN_RING];
    uint8_t ring_place[SPIN_RING]; /* by a hash of pc and object; valid if the entry has that hash */
    uint64_t spin_object;
    uint32_t spin_turn;    /* counts the looks where the state is hashed … */
    uint32_t spin_misses;  /* … and repeated looks elsewhere within a turn */
    uint32_t spin_others;  /* other states that were found there */
    uint16_t spin_taken;   /* counts the mutexes it takes; never 0 after the first */
    uint64_t yield_pc; /* where it gave way last */
    struct event announced; /* what it stood before when a request to cancel it at any time came */
    struct vclock acquire_later, release_fence; /* C11 fences */
};
_Static_assert(offsetof(struct thread, clock) - offsetof(struct thread, fresh) == 15 * 8,
               "what is 0 at first fits exactly");
_Static_assert(sizeof(struct frame) == 64 && !offsetof(struct thread, frame), "as in hooks.S");

struct rt {
    /* Read at every hook. */
    bool active; /* an execution is under way and program code runs */
    bool undoes; /* rounds that change something and put it back are left out (await_undo.h; hooks.S) */
    int current; /* thread whose code runs */
    struct thread *self;
    uint32_t generation; /* of the execution; never 0 */
    bool recording;
    bool heeds;   /* recording, or something is to be done after an event (orbit.h) */
    bool watched; /* recording, or under a debugger */
    struct tset enabled, live;
    int threads; /* ids used in this execution */
    int last;    /* thread of the previous step */
    struct shared *shared;
    bool counting; /* one of the next two is on */
    struct coverage_watch *coverage; /* --coverage; NULL = off */
    bool properties;       /* --property */
    struct places *places; /* --coverage, --lcov; NULL = off */
    const struct engine_class *strategy;
    struct trace *trace;
    uint32_t repeats; /* events at the start that need not be announced (abi/repeated.h) */
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
    int exiting; /* a thread that ends the process when nobody else can go on; -1 = none */
    int exit_status;
    bool bug_in_execution;
    bool discarded; /* an assumption failed: what follows is executed for the engine only */
    bool failed;    /* the same after a bug that ends the program */
    enum outcome behind; /* unless COMPLETE: a thread stays behind, and the outcome is this at best */
    uint32_t patience;   /* how often in a row a thread may give way for nothing */

    uint8_t racy_filter[4096]; /* may this pc be in shared->racy? */

    uintptr_t text_start, text_end; /* the runtime's own code */
    uintptr_t program_start, program_size; /* the program's */
    bool files_opened;  /* descriptors may have been opened */
    bool files_touched; /* descriptors closed or replaced, working directory changed */
    int worker_child;   /* process of the isolated execution under way */
    bool halfway;       /* somebody waits for main to create its first thread (halfway.h) … */
    bool short_beginning; /* … which is not worth it */
    bool worker;        /* started by the host; otherwise the program runs as if we were not here */
    bool awaits;        /* rounds that change nothing are left out (await.h) */
    bool lock_rounds;   /* … also such as take a mutex and give it back (await_lock.h) … */
    bool guards;        /* … and who writes what they read is looked at */
    bool tries;         /* who tries a lock in a loop may wait for it (await_try.h) */
    bool any_time;      /* a thread can be cancelled at any time: plain writes are looked at */
    bool may_orbit;     /* as far as is known, with so many lessons … */
    uint32_t orbit_lessons;
    bool orbits;        /* … threads that are alike are explored in one order (orbit.h) … */
    bool alike;         /* … there are some */
    int put_off, half_joined; /* so many of them have not started; so many kinds are joined in part */
    const char *in_call; /* a system call under way that is not under control, or NULL */
    bool reconsider;    /* something has changed: who of those that wait may go on? */
    bool scrambles;     /* dead bytes of stacks are overwritten (a test) */
    bool noting;        /* where threads stand is noted: recording, or … */
    bool wipes;         /* what calls of the runtime leave on stacks is overwritten (spin.h) */
    bool captures;      /* what threads have of their own is noted (capture.h) */
    bool clears;        /* for one or the other, stacks of new threads are empty */
    bool rounds;        /* loops go round as often as the strategy lets them (--match states) */
    bool suspects;      /* a thread has come back to the same read in this execution */
    bool atomics;       /* the program has atomic sections (svcomp.c) */
    int atomic_thread;  /* the thread inside of one, which nobody may interrupt; -1 = none */
    uint32_t racy_in_effect; /* entries of shared->racy that are scheduling points */
    uint64_t tickets;        /* given out */
    int held;                /* mutexes and spinlocks */
    bool (*select_ready)(int thread); /* sync/port.c: is there something to receive? */
    struct tset blocked;     /* threads that wait in block.c */
    bool cancels;            /* the program may cancel threads */
    bool tries_join;         /* it may look whether a thread has ended */
    bool deletes_keys;       /* it may delete keys */
    bool adds_handlers;      /* it may register exit handlers */
    bool keeps_floats;       /* it may look at or change how a thread computes with floating point */
    bool unwinds;            /* it has frames to unwind when a thread exits (C++, -fexceptions) */
};

extern struct rt rt;
_Static_assert(offsetof(struct rt, undoes) == 1 && offsetof(struct rt, self) == 8, "as in hooks.S");

/* Progress, for the host's eyes; nobody else writes it, so no locked instruction. */
static inline __attribute__((always_inline)) void rt_pulse(void)
{
    uint64_t n = atomic_load_explicit(&rt.shared->pulse, memory_order_relaxed);
    atomic_store_explicit(&rt.shared->pulse, n + 1, memory_order_relaxed);
}

/* A bug in the runtime itself, or a machine it cannot work on: says so and ends the worker. */
void rt_fatal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* The same when raddle itself is at fault (base/ensure.h). */
void rt_internal(const char *fmt, ...) __attribute__((noreturn, cold, format(printf, 1, 2)));
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
/* Straight into the kernel, without errno; negative: the error. */
long rt_syscall(long number, const long a[6]);
void *rt_map(void *at, size_t size, const char *what); /* sparse, zeroed; fatal if refused */
/* mprotect and madvise themselves are the program's (posix/maps.c); 0 or -errno. */
int rt_protect(void *at, size_t size, int protection);
int rt_advise(void *at, size_t size, int advice);

#pragma GCC visibility pop

#endif
