/* The engine interface: everything an exploration strategy sees and decides. Engines live inside the
 * worker, never call the runtime, and allocate only from the arena they are given (it survives the
 * worker, so a replacement can go on where one died; do not store function pointers or pointers
 * outside the arena in it).
 *
 * One execution:  begin → (choose | branch | observe)* → end.
 * At a decision every live thread stands before its next visible operation; choose picks the one
 * that performs it. branch picks a value for raddle_choose(), for which waiter a signal wakes, ….
 * Within the first trace->prefix steps neither is called; observe is called for every event whose
 * index is ≥ trace->known (LOCAL ones included, plain story events excluded). */
#ifndef EXPLORE_ENGINE_H
#define EXPLORE_ENGINE_H

#include "base/arena.h"
#include "base/rng.h"
#include "object/object.h"
#include "trace/shared.h"
#include "trace/tset.h"

struct decision {
    const struct tset *enabled; /* threads that can perform their next operation now; not empty */
    const struct event *next;   /* [thread]: pending operation of every live thread */
    const struct tset *live;    /* threads that exist and have not ended */
    int last;                   /* thread of the previous step, -1 at the start */
    int threads;                /* ids in use are 0 … threads-1 */
};

/* Can the running thread go on, and has it not given way? Then a switch to another one is a
 * preemption (PLDI 2007, section 2). A thread that waits for a signal or a timeout has given way. */
static inline bool decision_holds(const struct decision *d)
{
    return d->last >= 0 && tset_has(d->enabled, d->last) &&
           !(d->next[d->last].flags & EVENT_YIELDED) && !operation_is(d->next[d->last].kind, OP_GIVES_WAY);
}

/* Of the enabled threads that are not asleep one to go on with: the running one, else the first, but if
 * the running one gives way the next one after it, itself last. ENGINE_ABANDON: all are asleep. */
int decision_free(const struct decision *d, const struct tset *asleep);
/* The same with the last in place of the first, and the one before it in place of the next. */
int decision_free_last(const struct decision *d, const struct tset *asleep);
/* One who is awake and about to look at what it may be waiting for; -1: nobody. */
int decision_look(const struct decision *d, const struct tset *asleep);

enum outcome {
    OUTCOME_COMPLETE, /* ran to its end (also: deadlock, a bug that ends the program) */
    OUTCOME_ABANDONED, /* the engine gave it up as redundant (choose returned ENGINE_ABANDON) */
    OUTCOME_WAITING,  /* a thread waits in a loop though it could go on: another execution covers it */
    OUTCOME_ASSUME,   /* raddle_assume() failed: not a behaviour to count */
    OUTCOME_BOUND,    /* cut by --max-steps or another limit */
    OUTCOME_DIVERGED, /* the program did not follow the prefix; the engine's bookkeeping is void */
};

/* ENGINE_ROUND, of choose(): the last engine.round steps can be repeated for ever, as those before them
 * show. */
enum { ENGINE_ABANDON = -1, ENGINE_ROUND = -2, ENGINE_AGAIN = 2 };
/* Of a branch with STEP_SYMBOLIC: the thread stays there to the end, the others go on. */
enum { ENGINE_STAY = -3 };

struct work; /* trace/work.h */

/* The expression (solve/expr.h), one bit, is to have this value. */
struct wish {
    uint32_t condition;
    bool side;
};

/* What a thread has of its own. count 0: it is not known. */
struct captured {
    uint64_t hash[2], *words; /* [count] */
    uint32_t count;
};

struct foreign {
    uint64_t at, size;
};

struct engine {
    const struct run_config *config; /* trace/shared.h */
    struct trace *trace;
    struct arena *arena;
    void *state; /* the strategy's own, in the arena */
    struct state_graph *graph; /* where an engine that compares states says what it has found; may be NULL */
    struct bound_stats *bounds; /* where an engine with bounds tells how far it is */
    /* In a branch of what has OP_SELECTS: index in the trace of the send that each value stands for,
     * UINT32_MAX for else or timeout. */
    const uint32_t *candidates;
    int usual; /* in a branch with STEP_SYMBOLIC: the side that the inputs at hand lead to; otherwise 0 */
    /* … what it is about: the expression that is 1 on side 1; is it a bit of a value that is made concrete;
     * is it made within the operation that was chosen, before that is performed? */
    struct {
        uint32_t condition;
        bool bit, within;
    } symbolic;
    /* Set by the strategy before begin(): the execution is a sample, whose inputs are drawn by the runtime
     * too. Symbolic branches go the usual way. */
    int draws;
    struct lessons *lessons; /* survive a search that is begun anew; may be NULL */
    struct grove *grove; /* explore/share/grove.h: wakeup trees shared with other workers; NULL: none */
    struct exchange *box; /* on a farm, with a copy of the grove: where changes are told (share/tell.h) */
    int member;          /* which of them this one is */
    uint64_t first;      /* on a farm, sampling: the number of its first execution */
    uint32_t begun; /* how often the search was begun anew, because of new racy accesses */
    /* Set by the strategy: rounds of loops that change nothing are not to be performed (rt/core/await.h). */
    int awaits;
    /* … but of looks that need not have come earlier than another (rt/core/await.c) none is left out: that
     * depends on what was looked at before, which the strategy does not see as part of the last look. */
    int only_rounds;
    /* … nor such as take a mutex and give it back (rt/core/await_lock.h). */
    int lock_rounds;
    /* … and such as change something and put it back are not (rt/core/await_undo.h). */
    int undoes;
    /* Set by the strategy: it knows that arrivals at a barrier may commute (MEET; rt/posix/barrier.c), and so
     * may those who take a place in a port that is never full (sync/places.c). */
    int meets;
    /* Set by the strategy: executions that differ only in which of several threads that are alike is which
     * count as one (rt/core/orbit.h). */
    bool orbits;
    /* Set by the runtime: does a load that reads the value in this state (event.other) only go round? */
    int (*fails)(uint64_t state, uint64_t value);
    /* Set by the runtime, may be NULL: what memory of the program holds. A plain write has been
     * performed, and its value is known, when its thread comes to its next operation. */
    uint64_t (*peek)(uint64_t address, size_t size);
    /* Set by the strategy in init(): it compares states of threads (rt/core/capture.h). Then the runtime
     * says, before a decision, what each thread that stands before an operation has of its own, and whose
     * stack or thread-local block an address lies in (-1: nobody's). Parts of these that others use too,
     * in order of addresses, the strategy finds out; they are shared memory then. */
    int captures;
    int cuts; /* set by the strategy: executions that it gives up have shown what they were run for */
    uint32_t round; /* for ENGINE_ROUND */
    const struct captured *captured; /* [thread] */
    int (*owner_of)(uint64_t address);
    const struct foreign *foreign; /* [foreign_count] */
    uint32_t foreign_count;
    /* Set by the runtime, may be NULL: called now and then by a strategy that works long between two
     * executions. 0: it is to stop; then end() says that there is another execution. */
    int (*go_on)(void);
    /* Likewise: memory of the arena that was not touched yet and soon will be, all of it. */
    void (*will_use)(void *from, size_t size);
    /* Set by the runtime, unless 0, for end() after OUTCOME_ABANDONED: the thread picked at step retry - 1,
     * the last one, only went round a loop. It cannot go on there; the same again, with another one. */
    uint32_t retry;
    /* Set by the runtime: an assumption has failed, and the strategy has no use for the rest (needs_ends). */
    bool only_looks;
    struct tset gave_up; /* set by the runtime: threads whose assumption has failed in this execution */
    /* Set by the runtime, of this execution: 1 + the thread that ends the process, as soon as nobody
     * can go on; main has returned, which ends it then unless somebody waits for a lock; nobody could
     * go on (a deadlock). */
    int exits;
    bool returned, stuck;
    /* Set by the runtime, for engines that have engine_class.suits: inputs for the next execution. The
     * first `must` wishes have to be fulfilled, or false is returned; then each of the others that goes
     * with those before it: holds[i]. And: are the values of what the condition is a bit of too many? */
    bool (*suit)(const struct wish *wishes, uint32_t count, uint32_t must, uint8_t *holds);
    bool (*made_concrete)(uint32_t condition);
    /* … and for a part of the search that goes to another worker: the conditions, and the inputs at hand.
     * -1: what was read is not well-formed, or there is no room for it. */
    void (*put_conditions)(struct work *w, const uint32_t *conditions, uint32_t count);
    int (*get_conditions)(struct work *w, uint32_t *conditions, uint32_t count);
    /* Set by the runtime: the value of a variable of a property when main begins; may be NULL. */
    uint64_t (*initial)(uint64_t address, uint32_t size);
    /* Set by the runtime: 1 when an execution was cut because a thread gave way too often, which a strategy
     * takes back when another search begins; may be NULL. And by the strategy: such executions do not
     * matter now, what a finished search stands for has others. */
    uint32_t *impatient;
    int aside;
    uint32_t *repeats;      /* set by the strategy: it may have explored something twice; may be NULL */
    struct limits *limits;  /* trace/limit.h: where it says that one was reached; may be NULL */
    const char *incomplete; /* set by the strategy: why else the search will not be complete; NULL */
    const char *note;       /* set by the strategy: what the user should know; told once */
    /* For use in end(): the threads that had not ended, without the one that ended the execution, and what
     * each of them was about to do (kind NONE: it was parked in a join or at a barrier). */
    const struct event *next;
    const struct tset *live;
};

/* In round i of a loop between two executions that ends by itself but may take long: the host hears that
 * the worker is alive. */
static inline void engine_works(const struct engine *e, uint32_t i)
{
    if (i % 256 == 255 && e->go_on)
        (void)e->go_on();
}

/* How much of the search is behind us; see engine_class.estimate. */
struct engine_estimate {
    double total;    /* estimated number of executions of the whole search; 0 = unknown */
    double spread;   /* standard error of it */
    double fraction; /* of the search done, 0…1 */
};

struct portion_view;

/* After an execution what the engine does not want to keep; the same when nothing is left; part of what
 * is, because others have nothing to do. */
enum engine_give { GIVE_AFTER, GIVE_LAST, GIVE_PART };

struct engine_class {
    const char *guarantee; /* what a finished search has explored, for the verdict; and how often each: */
    enum engine_times { TIMES_UNSAID, TIMES_ONCE, TIMES_AT_LEAST_ONCE } times;
    int never_gives_up; /* executions given up as redundant mean that something was repeated (except with
                           atomic sections, where more sleeps than could be known) */
    const char *bound_unit; /* what config.bound counts, in singular; NULL: it has no meaning */
    int endless;           /* never finishes by itself (random, pct, pos) */
    /* Its i-th execution depends on the seed and i alone (in programs that wait in loops also on what is
     * known of these): with -j N each worker runs every N-th. */
    int strides;
    int states;            /* a finished search has seen every global state, or asked for those it has not */
    int inputs;            /* knows symbolic branches, whose other side may not exist */
    int suits;             /* … and asks for inputs (engine.suit) before it wants a side */
    int plain; /* reverses no single events, which cannot be done inside of atomic sections (svcomp.c) … */
    int sections; /* … or takes a section of accesses to memory as one event (object/section.h) */
    int every_access; /* all that threads share must be visible: with --granularity access only */
    int follows;           /* works on a given schedule: the scheduling points stay as they are */
    const char *settings; /* names it knows in engine_options (--set), separated by spaces; NULL: none */
    /* Looks for races in what was executed: when an assumption fails, the thread stays behind and the
     * others go on to their end, so that no operation of theirs is overlooked. */
    int needs_ends;
    int (*init)(struct engine *e); /* 0, or -1 if the arena is too small */
    void (*begin)(struct engine *e);
    int (*choose)(struct engine *e, const struct decision *d); /* thread or ENGINE_ABANDON */
    /* The last step of the prefix cannot be taken: another thread for it, or ENGINE_ABANDON. NULL: that
     * cannot happen. */
    int (*refused)(struct engine *e, const struct decision *d);
    int (*branch)(struct engine *e, const struct event *op, int n); /* 0 … n-1, ENGINE_ABANDON */
    /* The side of a symbolic branch that was asked for last is not possible: `usual` is taken. NULL: the
     * execution is abandoned then. */
    void (*misled)(struct engine *e, int usual);
    void (*observe)(struct engine *e, const struct event *ev);      /* may be NULL */
    /* The execution is over: the threads that still stand before an operation are d->live, and nobody
     * is asked to go on. Called in the process that ran it; may be NULL. */
    void (*ended)(struct engine *e, const struct decision *d);
    /* 1: there is another execution, 0: finished, ENGINE_AGAIN: the search begins anew, what was
     * executed so far does not count. */
    int (*end)(struct engine *e, enum outcome o);
    /* New lessons: the part of the search under way begins anew: 0; or -1. NULL: all of it does. */
    int (*anew)(struct engine *e);
    /* Before end(): the execution in the engine's own form (trace/spool.h); its bytes are valid until
     * the next call. cut: a thread ended it (a failed assertion, exit) while others could have gone on, so
     * its last operation must come last. May be NULL. */
    size_t (*describe)(struct engine *e, int cut, const char **bytes);
    void (*estimate)(const struct engine *e, struct engine_estimate *out); /* may be NULL */
    /* Sharing the work (-j N, a farm), all between two executions; see trace/work.h for what is written and
     * read. First where it is: a checkpoint, 1, or 0, no room; and going on from one or with what others
     * gave away, 0 or -1. */
    int (*save)(struct engine *e, struct work *out);
    int (*adopt)(struct engine *e, struct work *in);
    /* If what is left to do is independent of what others do (farm/pool.h): a GIFT, 1; or 0, nothing. */
    int (*give)(struct engine *e, enum engine_give why, struct work *out);
    /* Otherwise, with the states that all share in e->grove (explore/share/portion.h). Neither: the engine
     * runs in one worker only. */
    struct portion_view (*portion)(struct engine *e);
};

/* By name, NULL if there is none; and its name. The table is explore/engines.def. */
const struct engine_class *engine_find(const char *name);

/* An engine that works inside of e, on the same executions: what it has of the runtime is e's. */
static inline struct engine engine_inside(const struct engine *e, const struct run_config *config)
{
    return (struct engine){.config = config, .trace = e->trace, .arena = e->arena, .fails = e->fails,
                           .go_on = e->go_on, .peek = e->peek, .lessons = e->lessons, .next = e->next,
                           .live = e->live};
}
const char *engine_name(const struct engine_class *class);

/* For end(), if e->retry: the last step was none. True: the strategy had chosen it, and will be asked again
 * there. False: it was the last of the prefix, so what was to be tried is not there; the trace has the step
 * still. */
bool engine_takes_back(struct engine *e);

/* Settings that every engine has: those of the search as a whole. fail_at=N: after N executions the
 * worker finds an invariant violated (for tests of what then happens). scramble=1: what is
 * found to be dead on a waiting thread's stack is overwritten (to show that it is). beginning=N: what main
 * does before its first thread is long if it takes N microseconds (rt/core/halfway.h). save=0: no
 * checkpoints, which depend on the time that passes (for those who count instructions). */
#define ENGINE_COMMON_SETTINGS "split_after fail_at scramble beginning save"

/* Engines with strides: the seed of this worker's n-th execution (from 0), and how many of the `limit`
 * executions of all are its own. */
static inline uint64_t engine_seed(const struct engine *e, uint64_t n)
{
    uint64_t jobs = e->config->jobs > 1 ? e->config->jobs : 1;
    uint64_t i = e->config->farm ? e->first + n : n * jobs + (uint64_t)e->member;
    return e->config->seed ^ i * 0x9e3779b97f4a7c15u;
}

/* For the end() of an engine with strides: if a thread only went round a loop, the same execution again,
 * in which it waits. */
static inline void engine_ends_sample(struct engine *e, uint64_t *executions)
{
    *executions -= e->retry != 0;
    e->retry = 0;
    e->trace->prefix = e->trace->known = 0;
}

static inline uint64_t engine_quota(uint64_t limit, uint32_t jobs, uint32_t member)
{
    return jobs > 1 ? (limit + jobs - 1 - member) / jobs : limit;
}

static inline void engine_repeats(struct engine *e)
{
    if (e->repeats)
        *e->repeats = 1;
}

/* Bytes it may keep. */
static inline uint64_t engine_memory(const struct engine *e)
{
    return e->config->memory ? e->config->memory : 1ull << 30;
}

/* The verdict cannot be "safe", because the strategy does not know this operation; `why` is its own. */
enum { ENGINE_WHY = 96 };
void engine_not_known(struct engine *e, char *why, const struct event *op);

/* The number given for `name` in config.engine_options. */
uint64_t engine_option(const struct engine *e, const char *name, uint64_t otherwise);

#endif
