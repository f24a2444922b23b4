/* Synchronization objects of the running execution (sync.c). */
#ifndef RT_SYNC_H
#define RT_SYNC_H

#include "rt/core/vclock.h"
#include "rt/core/rt.h"
#include "object/object.h"

#pragma GCC visibility push(hidden)

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
    SYNC_OTHER, /* descriptors, signals, requests to cancel, futexes, ends of threads */
    SYNC_GUARD,
    SYNC_QUEUE, /* a message queue: count of limit messages */
};

struct sync {
    uint64_t address;
    uint32_t generation; /* of the execution it was made in */
    uint8_t type;
    bool robust;
    union { /* its state, which operations are performed on (object/object.h); atomic: limit = bytes */
        struct object_state now;
        struct {
            OBJECT_STATE
        };
    };
    uint64_t lock_pc;    /* where it was taken last, or destroyed … */
    uint16_t ended_by;   /* … by that thread, or initialised again … (check/life.h) */
    uint32_t again;      /* … in its epoch; 0: was not */
    uint64_t time;       /* virtual time of the last release */
    struct tset waiters; /* threads whose pending operation is on this object */
    struct vclock clock;
    bool mixed; /* an atomic: plain accesses to it too, so the race check keeps all records */
    struct tset seen_by; /* threads whose entry in `seen` is valid */
    struct {
        uint32_t read, write; /* epochs of the last atomic operations of a thread; read: or use (life.h) */
        uint64_t pc;
    } seen[EVENT_MAX_THREADS];
    struct vclock readers; /* rwlock: released by readers, acquired by writers only */
    uint32_t head, tail;   /* port: its messages */
};

void sync_init(void);
void sync_begin(void); /* a new execution */
struct sync *sync_look_up(uint64_t address, enum sync_type type);
/* Those that were used last; each is one of this execution if it says so. */
#define SYNC_RECENT 64
extern struct sync *sync_recent[SYNC_RECENT];
static inline struct sync **sync_place(uint64_t address)
{
    return &sync_recent[address >> 2 & (SYNC_RECENT - 1)];
}
/* Made at its first use. */
static inline struct sync *sync_get(uint64_t address, enum sync_type type)
{
    struct sync *s = *sync_place(address);
    if (RT_LIKELY(s->address == address && s->generation == rt.generation && s->type == type))
        return s;
    return sync_look_up(address, type);
}
struct sync *sync_find(uint64_t address);                     /* NULL if never used */
/* All of this execution, for a debugger: the first, and the one after s; NULL: there is none. */
struct sync *sync_first(void);
struct sync *sync_after(const struct sync *s);
bool sync_ready(const struct thread *t); /* can the thread perform its pending operation now? */
struct sync *sync_fresh(uint64_t address, enum sync_type type); /* as if never used before */
void sync_again(struct sync *s); /* the same, but threads stand before operations on it */
void sync_recheck(int thread); /* is it enabled? its pending operation or object has changed */
void sync_misuse(const struct sync *s, uint64_t pc, const char *message); /* ends the execution */
struct sync *sync_next_robust(int owner); /* a robust mutex that the thread holds, NULL */
void sync_taken(struct sync *s, uint64_t pc); /* the running thread has just acquired it */
void sync_given(struct sync *s);              /* … or given it back */
/* The running thread wants s, and it is its turn: the operation to perform and log. */
struct event *sync_turn_to_lock(struct sync *s, uint64_t pc);
/* Of what is initialised once: performs the announced lock; is the caller the one to do it? */
bool sync_take_first(struct sync *s, struct event *op, uint64_t pc);
int sync_lock(struct sync *s, uint64_t pc);
int sync_trylock(struct sync *s, uint64_t pc);
int sync_unlock(struct sync *s, uint64_t pc);
int sync_sem_take(struct sync *s, enum event_kind kind, uint64_t pc);
int sync_sem_give(struct sync *s, enum event_kind kind, uint64_t pc);
void sync_changed(struct sync *s);       /* re-examines the threads waiting on s */
void sync_acquire(struct sync *s);       /* happens-before edges of the current thread */
void sync_release(struct sync *s);
void sync_warn_held(void); /* at the end of the program: by threads that have ended */
/* For a lock that a thread holds which has ended; that somebody ends the process does not help. */
bool sync_anybody_waits_for_ended(void);
bool sync_waits_for_lock(const struct thread *t);
void sync_describe_wait(struct finding *f, const struct thread *t); /* "waits for …" */

#pragma GCC visibility pop

#endif
