/* The memory that host and worker share: one sparse memfd, in the worker (and its forked children)
 * at the fixed address SHARED_BASE, which its pointers mean; the host may hold several and maps them
 * anywhere (host/region.h). The host writes `config` before it starts a worker and
 * `stop` while it runs; the worker writes everything else. Behind the struct lies the arena of the
 * trace and the engine, so a worker that dies leaves the search and the schedule it died on intact.
 *
 * The worker finds the descriptor in the environment variable RADDLE_WORKER. */
#ifndef TRACE_SHARED_H
#define TRACE_SHARED_H

#include "base/arena.h"
#include "trace/fact.h"
#include "trace/limit.h"
#include "trace/addresses.h"
#include "trace/trace.h"
#include "trace/tset.h"
#include "trace/work.h"

#include <stdatomic.h>

#define SHARED_ENV "RADDLE_WORKER"
#define WORKER_FDS 200 /* descriptors of ours in the worker are at least this */
#define SHARED_MAGIC 0x31656c6464617231ull
#define SHARED_VERSION 7u

enum finding_kind {
#define FINDING(kind, name, words) FINDING_##kind,
#include "trace/finding.def"
#undef FINDING
    FINDING_KINDS
};

enum races_mode { RACES_REPORT, RACES_STOP, RACES_OFF };
enum volatile_mode { VOLATILE_PLAIN, VOLATILE_ATOMIC };
enum exit_mode { EXIT_DRAIN, EXIT_KILL };
enum granularity { GRANULARITY_SYNC, GRANULARITY_ACCESS };
/* What makes states the same: of memory who wrote it, or its value; also where threads stand and what they
 * have of their own; the same compared in full. */
enum match_mode { MATCH_BY_WRITER, MATCH_BY_VALUE, MATCH_STATES, MATCH_EXACT };
enum isolate_mode { ISOLATE_NONE, ISOLATE_FORK };

/* What makes two findings the same one: kind and place, of a race in either order. */
struct finding_id {
    uint32_t kind;
    uint64_t pc, pc2;
};

static inline bool finding_same(struct finding_id a, struct finding_id b)
{
    return a.kind == b.kind && ((a.pc == b.pc && a.pc2 == b.pc2) ||
                                (a.kind == FINDING_RACE && a.pc == b.pc2 && a.pc2 == b.pc));
}
#define SHARED_INPUTS 8192

/* What to explore and how; the same for every worker of a run. */
struct run_config {
    char engine[32];
    uint64_t seed;
    uint64_t max_executions; /* 0 = no limit */
    uint64_t memory;         /* bytes an engine may keep */
    uint64_t max_heap;       /* bytes one execution of the program may allocate */
    uint64_t quarantine;     /* bytes that a thread frees before memory is used again */
    uint64_t inputs_seed;    /* seeds rand(), getrandom(), … of the program */
    uint32_t max_steps;      /* visible operations in one execution */
    uint32_t max_threads;
    uint32_t depth;     /* dfs: decisions beyond it are not branched; 0 = no limit */
    int32_t bound;      /* -1 = none */
    uint32_t pct_depth; /* pct: bug depth d */
    uint8_t sleep;      /* dpor: sleep sets */
    uint8_t symmetry;   /* threads that are alike: one order of their first operations */
    uint8_t races;      /* enum races_mode */
    uint8_t exit;       /* enum exit_mode */
    uint8_t volatiles;  /* enum volatile_mode */
    uint8_t isolate;    /* enum isolate_mode */
    uint8_t keep_going; /* go on after the first bug */
    uint8_t record;     /* write the story of the execution to record_fd (replay) */
    uint8_t reuse;      /* malloc may give back the block of the same size that its thread freed last */
    uint8_t spurious;   /* a condition wait may wake up without a signal, once per thread */
    uint16_t gdb;       /* under a debugger: so many threads are to be shown to it; 0 = is not */
    uint8_t cache;       /* icb, idb: do not search on from a state that was searched already */
    uint8_t coverage;    /* count distinct states and traces */
    uint8_t places;      /* note the places that are reached, and pairs that are interleaved */
    uint8_t granularity; /* enum granularity */
    uint8_t match;       /* stateful: enum match_mode */
    uint8_t graph;       /* the graph of states is wanted */
    uint8_t nondet;      /* explore the values of __VERIFIER_nondet_*: from nondet_low to _high */
    int32_t nondet_low, nondet_high;
    int32_t status;      /* the exit status the program is to end with; -1 = any */
    uint8_t show_output; /* let the program's stdout and stderr through */
    int32_t record_fd;
    int32_t team_fd;     /* an eventfd to wake the host with; -1 = none */
    int32_t budget_fd;   /* an eventfd: executions left for all workers; -1 = no limit */
    int32_t traces_fd;   /* --all-traces: canonical lines go here; -1 = nowhere */
    uint8_t describe;    /* … or what the engine says of the execution (trace/spool.h) */
    int32_t spill_fd;    /* a file for what an engine cannot keep in `memory`; -1 = none */
    uint32_t jobs;       /* workers that share the search */
    uint8_t farm;        /* … with others elsewhere: work comes from the host, one worker or more */
    uint32_t until_step; /* 0 = at the finding */
    struct finding_id target; /* shrink, replay: the finding that is meant; kind FINDING_KINDS: none */
    uint32_t target_steps;    /* shrink: length of its schedule, */
    uint32_t tries;           /* and how many others to try */
    uint32_t hang_ms;    /* no step for so long: the program hangs in its own code */
    /* Inputs from outside (rt/sym/outside.c), as given on the command line; "" or 0: none. */
    char sym_args[32], sym_file[256], sym_env[256];
    uint32_t sym_stdin;
    uint8_t check;               /* trace/kept.def: 1 = overflow */
    uint32_t concretise;         /* values that one made concrete is tried with */
    char save_tests[512];        /* folder for the inputs of each path; empty: none */
    char save_queries[512];      /* file for the questions to the solver; empty: none */
    char inputs[SHARED_INPUTS];  /* values of inputs (rt/sym/input.c); empty: they are explored */
    char property[1024]; /* --property, separated by ";" … */
    char compiled[4096]; /* … and as trace/property.h reads them */
    uint8_t engine_options[256]; /* further options of engines, "name=value\0…" */
};

#define FINDING_FACTS 16
struct finding {
    uint32_t kind;
    uint16_t thread;
    uint32_t at_step;  /* number of steps taken when it was seen */
    uint32_t at_event;
    uint64_t pc, pc2;  /* where; pc2: the other access of a race, the free of a use-after-free */
    uint64_t object;
    uint64_t execution; /* number of the execution that first showed it, from 1 */
    uint64_t seen;      /* executions that showed it */
    uint32_t racy_count; /* entries of shared.racy that were scheduling points in that execution */
    uint64_t *racy; /* … or of this list, in shared memory; NULL: none */
    char message[200];  /* "assertion failed: x == 2"; "{}" stands for the name of object */
    uint32_t preemptions; /* of the schedule; counted by the shrink engine */
    uint32_t fact_count;
    struct fact facts[FINDING_FACTS];
    uint32_t step_count;
    struct step *steps; /* the schedule, in shared memory */
};

static inline struct finding_id finding_id(const struct finding *f)
{
    return (struct finding_id){f->kind, f->pc, f->pc2};
}

#define EXIT_RUNTIME_FAILED 117 /* the worker's exit status when the runtime gave up */

#define SHARED_FINDINGS 64
#define SHARED_LOST 1024
#define SHARED_RACY 4096
#define SHARED_RACY_NAMES (128 << 10)
#define SHARED_WARNINGS 32
#define SHARED_MODULES 48

/* Where the worker stands; for the host's supervision. */
enum worker_phase {
    PHASE_STARTING, /* not yet at main */
    PHASE_RUNNING,  /* inside an execution */
    PHASE_BETWEEN,  /* between two executions */
    PHASE_WAITING,  /* for the host */
    PHASE_DONE,     /* the search is over; `complete` tells whether it is complete */
};

/* What an engine that searches in the order of a bound (preemptions, delays) has done so far. */
#define BOUND_STATS 64
struct bound_stats {
    uint32_t active;    /* the engine has bounds; the rest has a meaning */
    uint32_t bound;     /* being explored now; everything below it is done */
    uint32_t finished;  /* `bound` is done too, and the search with it */
    uint32_t left_over; /* something lies beyond the last bound that was explored */
    uint64_t executions[BOUND_STATS]; /* with exactly so many preemptions; the last: or more */
    uint64_t states[BOUND_STATS];     /* --cache, --coverage: distinct ones seen up to that bound */
    uint64_t waiting;   /* work items for the next bound */
    uint64_t spilled;   /* bytes of work items written to the file */
    uint32_t blocking;  /* most operations of one execution that can make a thread wait (B of PLDI 2007) */
};

/* What is counted of the executions; goes back to a checkpoint when work is redone. */
#define COUNTERS                                                                                   \
    uint64_t executions, blocked, assumed, bounded, events, steps_total;                           \
    uint64_t traces_bytes; /* written to traces_fd */
struct counters {
    COUNTERS
};

/* Sharing a search: between two executions a worker may post something to the host, and waits for the
 * reply. Its checkpoint changes in the same instant as the post becomes visible, so a worker that
 * dies has told what its checkpoint says, no more and no less: `ticket` is 2 * (index of the valid
 * checkpoint) + (1 if something is posted). */
enum post_kind {
    POST_WORK,   /* a SPLIT or REPORT; the reply is an ANSWER */
    POST_DRY,    /* `mail`, if any, is the last report of a portion; the reply is the next one */
    POST_AGAIN,  /* new scheduling points: all must begin again */
    POST_PAUSED, /* as was wanted */
};
enum reply_kind {
    REPLY_ANSWER,
    REPLY_ITEM,   /* it is the checkpoint now */
    REPLY_AGAIN,  /* what was done so far is void */
    REPLY_FINISH, /* the search is complete */
};
enum { WANT_SPLIT = 1, WANT_SAVE = 2, WANT_PAUSE = 4 };

struct checkpoint {
    struct counters counters;
    struct bound_stats bounds; /* if the engine has bounds */
    struct work item; /* length 0: nothing to do */
    uint32_t leaf;    /* of the grove, where `item` lies; 0 = none, or not known yet (TOLD, a split) */
    uint32_t next;    /* in exchange.queue, what comes after it */
};

/* On a farm: what a worker tells without waiting, and the leaves that were given to it. */
enum { OUTBOX_LEAVES = 16384, OUTBOX_ROOM = 1 << 20, OUTBOX_RECENT = 4096, OUTBOX_FRESH = 1024 };
enum { OUTBOX_AIMS = 64 };
/* An act that is not in the grove's table and was written into a record: the how-manieth it is there. */
struct outbox_fresh {
    struct act act;
    uint32_t number; /* from 1 */
    uint64_t record; /* which record it is in */
};
struct outbox_passed {
    uint32_t first, count;
    uint64_t runs; /* executions in all of them */
};
struct outbox {
    _Atomic uint32_t full; /* the host has it to take: its number, from 1; 0: it has not */
    uint32_t number, taken; /* of the last; of the last that the host took */
    uint32_t telling;       /* its number, while it goes from exchange.mail to `told` */
    uint32_t boundary;     /* it ends where a leaf was done: `counters` are those of that moment */
    struct counters counters;
    uint32_t passed, done; /* of what is in exchange.mail the same; the leaf that was done last, */
    struct counters at_boundary; /* and the counters then */
    struct outbox_passed passing[2]; /* of the leaves in `queue` those that were done and are not in
                                      * exchange.mail yet, one after the other; */
    uint32_t passing_now;            /* which of the two is valid */
    uint64_t passing_at; /* `whole` when the record about them is there; 0: it is not being written */
    uint64_t closing; /* `whole` when the record that says so is there; 0: it is not being written */
    struct counters at_closing;
    struct work told;
    uint64_t batch; /* how often leaves were given to it, or its own changed */
    uint64_t recent_batch, recent[OUTBOX_RECENT]; /* hashes of what was told since */
    uint16_t *place; /* [step]: for whoever writes a sequence; */
    uint16_t rows[EVENT_MAX_THREADS][EVENT_MAX_THREADS]; /* of each thread's last item: what was told of it */
    uint64_t record; /* the how-manieth is being written, */
    uint32_t fresh_count;
    struct outbox_fresh fresh[OUTBOX_FRESH]; /* and, by their hashes, acts that are in it */
    uint64_t pause; /* host → worker: ns between messages, at least */
    _Atomic uint32_t known; /* host → worker: of its messages the last that all know */
    bool should_hear;       /* the worker should wait for that to be the last it told, but not for long */
    struct outbox_aim {
        uint64_t aim; /* what a sequence that was told would append, and where (explore/share/tell.c), … */
        uint32_t number; /* … in this message */
    } aims[OUTBOX_AIMS];
    uint64_t whole; /* of exchange.mail, as it is being written: the bytes up to the last complete record */
    uint32_t queue[OUTBOX_LEAVES], count;
};

struct exchange {
    _Atomic uint32_t ticket;
    _Atomic uint32_t wants;
    uint32_t post, reply; /* enum post_kind, reply_kind */
    struct work mail, answer;
    struct checkpoint checkpoints[2];
    uint32_t saved;   /* the checkpoint is valid */
    uint32_t redo;    /* host → worker: begin from the checkpoint */
    uint32_t member;  /* which worker this is */
    int32_t grove_fd; /* memory that all of them share (explore/share/grove.h); -1 = none */
    uint64_t dry;     /* how often it ran dry, */
    uint64_t idle_ns; /* and how long it waited */
    struct outbox outbox;
    uint64_t range_first, range_left; /* sampling on a farm: its executions; those still to be run */
};

/* --coverage: distinct states and traces against executions (explore/coverage.h). */
#define COVERAGE_SAMPLES 1024
struct coverage_sample {
    uint64_t executions, states, traces;
    uint32_t bound;
};
struct coverage {
    uint64_t states, traces;
    uint64_t next; /* executions at which the next sample is taken */
    uint32_t count;
    struct coverage_sample samples[COVERAGE_SAMPLES];
    struct coverage_sample of_bound[BOUND_STATS]; /* the last one of each bound */
};

/* --coverage, --lcov: places of the program (return addresses) that executions reached, and pairs of them
 * that were interleaved (explore/places.h). */
#define PLACES_MAX 16384
#define PLACE_PAIRS_MAX 8192
#define PLACE_BRANCHES_MAX 4096
struct place_count {
    uint64_t pc, count;
};
struct place_pair {
    uint64_t first, second, count;
};
struct place_branch { /* on an input */
    uint64_t pc, count[2]; /* how often each side was taken */
};
struct places {
    uint64_t lost; /* for which there was no room */
    struct place_branch branches[PLACE_BRANCHES_MAX];
    struct place_count places[PLACES_MAX];
    struct place_pair pairs[PLACE_PAIRS_MAX];
};

/* What was asked of the solver, and which of its layers (solve/solver.h) answered; nanoseconds of CPU
 * in the executions that were timed, of all that these took. */
struct solver_work {
    uint64_t asked, constant, bytes, tried, cached, sat, impossible, unknown, repairs;
    uint64_t ns, all_ns;
};

/* What an engine found out about the program that its search depends on: `key` belongs together with
 * `with`. It begins anew with that knowledge, and so do all that share the search. LESSON_PLACE: `key` is a
 * place in a loop (rt/core/await.h); LESSON_BARRIER: a barrier where the order of arrivals counts;
 * LESSON_APART (key 0): threads that are alike are told apart (rt/core/orbit.h); LESSON_LOCK: a place where
 * a loop takes a mutex, LESSON_SEEN: a mutex that others notice to be taken (rt/core/await_lock.h);
 * LESSON_TRY: a place where a loop tries a lock, LESSON_FAILS: a state there to which failing leads back,
 * LESSON_CAME (key 0): threads are interrupted (rt/core/await_try.h); LESSON_UNDO: a place where a loop
 * changes something and puts it back, LESSON_WEAK (key 0): there are operations that need not happen after
 * what they depend on (rt/core/await_undo.h); LESSON_READ: a place where rounds of a loop read what
 * somebody writes unordered, LESSON_OWN, LESSON_WROTE: where on its own stack a round uses what others write,
 * or writes what others use unordered, LESSON_MINE, with a size: what rounds use of it
 * (rt/core/await_reads.h); LESSON_FULL: a bounded port that may be full (sync/places.c). */
/* The modules with code: what they are and where they lie (rt/core/layout.c). */
struct module_layout {
    uint32_t count;
    uint64_t rest; /* of those that do not fit: a hash of both */
    struct module_mark {
        char name[40]; /* of its file; empty: the program itself */
        uint64_t content, address;
    } modules[SHARED_MODULES];
};

#define SHARED_LESSONS 1024
#define LESSON_PLACE 0x6c6f6f70u   /* "loop" */
#define LESSON_APART 0x61706172u   /* "apar" */
#define LESSON_BARRIER 0x6d656574u /* "meet" */
#define LESSON_LOCK 0x6c6f636bu    /* "lock" */
#define LESSON_SEEN 0x7365656eu    /* "seen" */
#define LESSON_TRY 0x74727931u     /* "try1" */
#define LESSON_FAILS 0x6661696cu   /* "fail" */
#define LESSON_CAME 0x63616d65u    /* "came" */
#define LESSON_UNDO 0x756e646fu    /* "undo" */
#define LESSON_WEAK 0x7765616bu    /* "weak" */
#define LESSON_READ 0x72656164u    /* "read" */
#define LESSON_OWN 0x6f776e31u     /* "own1" */
#define LESSON_FULL 0x66756c6cu    /* "full" */
#define LESSON_WROTE 0x77726f74u   /* "wrot" */
#define LESSON_MINE 0x6d696e65u    /* "mine" */
#define MINE_SIZE 32
struct lesson {
    uint64_t key, with;
};
struct lessons {
    uint32_t count;
    struct lesson items[SHARED_LESSONS];
};

/* Of an engine that compares states: the graph it has found so far, and the size of the Petri net that it has
 * learnt. The pointers are the worker's, to what explore/match/states.h says. */
struct state_graph {
    uint64_t states, transitions;
    uint64_t finals;        /* states from which nothing leads on */
    uint64_t places, moves; /* of the net: its places and transitions */
    uint64_t events, cut;   /* of its unfolding: events, those that nothing follows; 0: it was not made */
    const struct match_found *found; /* [states] */
    const struct match_edge *edges;  /* [transitions] */
};

struct shared {
    uint64_t magic;
    uint32_t version;
    struct run_config config;
    uint32_t names; /* host → worker: nobody else on this machine has this number now */

    _Atomic uint32_t stop;  /* host → worker: end after this execution */
    _Atomic uint32_t phase; /* enum worker_phase */
    _Atomic uint64_t pulse; /* grows while the worker makes progress */

    /* Counters. */
    union {
        struct counters counters;
        struct {
            COUNTERS
        };
    };
    uint64_t restarts;           /* searches begun again because new racy accesses were found */
    uint64_t discarded;          /* executions of those searches */
    uint64_t max_step_count, max_event_count, max_thread_count;
    double estimate_total, estimate_spread, fraction;
    struct bound_stats bounds;
    struct state_graph graph;
    struct coverage coverage;
    void *coverage_watch;
    struct solver_work solver;
    struct places places;
    uint32_t complete;        /* the engine finished its search */
    uint32_t patience;        /* how often in a row a thread may give way for nothing; 0 = not set yet */
    uint32_t impatient;       /* one did more often */
    bool alike;               /* there are threads of which only one order was explored */
    uint32_t isolated;        /* went over to a process per execution after a divergence */
    char instead[32];         /* the engine to use instead of config.engine; empty = none */
    uint32_t initialized;     /* the engine's state in the arena is valid */
    char incomplete[800];     /* why the search is not complete; empty if it is */
    struct limits limits;     /* that were reached */
    uint32_t repeats;         /* the engine may have explored something more than once */
    char internal[300];       /* what raddle itself did wrong; empty: nothing */
    char divergence[400];     /* the first differing step */
    uint32_t warning_count;
    struct {
        uint64_t pc;
        char text[200];
    } warnings[SHARED_WARNINGS]; /* unsupported calls, leaks, …: each once */

    struct module_layout layout; /* in a farm only */
    uint32_t weak_orders; /* the program uses C11 orders weaker than seq_cst */
    uint64_t weak_pc;

    /* Accesses (return addresses) seen in a data race: scheduling points from then on. */
    uint32_t racy_count;
    uint64_t racy[SHARED_RACY];
    /* host → worker: further racy accesses of a schedule file, as lines "module+0xoffset\n" (base
     * name of the module's file); the worker adds their addresses to `racy` before main. */
    char racy_names[SHARED_RACY_NAMES];

    struct lessons lessons;
    uint32_t ports_together; /* a selective wait has looked at more than one port */

    struct {
        uint32_t count;
        uint64_t keys[SHARED_LOST];
    } lost; /* findings for which there was no room: different ones, up to SHARED_LOST */
    uint32_t finding_count;
    struct finding findings[SHARED_FINDINGS];
    char finding_inputs[SHARED_FINDINGS][SHARED_INPUTS]; /* of each, as in struct run_config */

    struct exchange exchange;

    /* A second search may share the region (-j, shrinking): everything an engine owns is here. */
    struct trace trace;
    struct arena finding_arena; /* schedules of findings */
    struct arena arena;
    uint64_t engine_mark; /* the arena's fill before the engine allocated anything */
    void *engine_state;
    void *symbolic; /* rt/sym: NULL if nothing is symbolic */
    char inputs_now[SHARED_INPUTS]; /* of the execution under way */

    /* Threads that had not ended when the last execution did, and what each was about to do (kind
     * NONE: it waited for a join or at a barrier). */
    struct tset unfinished;
    struct event pending[EVENT_MAX_THREADS];
};

const char *finding_name(enum finding_kind k);  /* "deadlock" */
const char *finding_words(enum finding_kind k);
enum finding_kind finding_find(const char *name); /* FINDING_KINDS: there is none */

/* There is no room for a finding: it is counted, if it is another one, and the limit is reached. */
void shared_lose(struct shared *s, struct finding_id id);

/* Lays out a fresh region: trace arrays and arena behind the struct. */
void shared_init(struct shared *s, uint32_t max_steps);

#endif
