/* Symbolic inputs inside the tested program. Values that depend on inputs have shadows (rewrite/hooks.h):
 *
 *   values.c   what an operation makes of shadows     memory.c   shadows of bytes in memory
 *   decide.c   branches on them, and which of these    input.c    inputs: names, values, ranges
 *              could go the other way                  outside.c  arguments, files, environment
 *   tests.c    --save-tests                            table.c    addresses: bounds, tables
 *   queries.c  --save-queries                          suit.c     inputs that an engine asks for
 *   text.c     inputs as text                         settled.c  what is concrete by now
 *   carry.c    conditions for another worker
 *
 * A branch on a shadow is a step of its thread like raddle_choose(): the engine sees a choice of two
 * values, of which the program takes the one that the inputs of this execution lead to. At the end of an
 * execution the solver is asked which new branches could go the other way (STEP_OPEN in their step); when
 * an engine wants one to, the inputs are changed accordingly. If it wants that in the middle of an
 * execution, the same steps are executed again with other inputs.
 *
 * The state lies in the arena shared with the host: it survives the worker and, with --isolate=fork, the
 * child. It is there only if the program was built with --symbolic and its inputs are not given. */
#ifndef RT_SYM_H
#define RT_SYM_H

#include "rt/core/rt.h"
#include "solve/solver.h"

#pragma GCC visibility push(hidden)

#define SYM_INPUTS 1024
#define SYM_CONDITIONS (1u << 20)
#define SYM_NO_STEP UINT32_MAX
#define SYM_TESTS (1u << 18)

struct sym_input {
    uint16_t thread;
    uint8_t is_signed, is_text, is_bytes;
    uint32_t index; /* among the thread's inputs */
    uint32_t first, size; /* its bytes: no more than low and high need */
    uint8_t type_size;
    uint64_t used; /* the execution that used it last */
    uint64_t low, high;
    uint32_t expression, not_below, not_above; /* over its bytes; that it is in its range */
    uint32_t result, width; /* … as wide as the program wants it; 0: not known yet */
    char name[48];
};

struct sym_condition {
    uint32_t expression; /* holds */
    uint32_t step;       /* of the branch; SYM_NO_STEP: it is none */
    uint64_t pc;
    uint16_t thread;
    bool taken;          /* the side of the branch */
    bool bit;            /* of a value that was made concrete */
};

struct sym {
    bool given; /* the inputs are: nothing is explored, but checks see what depends on them */
    struct solver solver;
    uint8_t bytes[EXPR_INPUTS]; /* the inputs of this execution */
    uint8_t trial[EXPR_INPUTS];
    struct sym_input inputs[SYM_INPUTS];
    uint32_t input_count, byte_count;
    uint64_t execution;
    struct sym_condition *path;
    uint32_t *held; /* expressions of the path, for the solver */
    uint32_t path_count;
    uint32_t given_up; /* of a sample: 1 + the condition behind which an assumption failed first; 0: none */
    uint32_t before_threads; /* conditions that were noted before there was a second thread */
    uint32_t *own;           /* conditions of a thread's past, for the solver */
    /* Samples are drawn between the executions of a search (auto): the inputs and the path of the one while
     * the other goes on. */
    struct sym_aside {
        uint8_t *bytes;
        struct sym_condition *path;
        uint32_t *held, path_count;
    } aside;
    bool sampling;
    struct rng rng; /* for samples */
    uint32_t fresh;  /* first step of this execution that was not in its prefix */
    uint64_t *tests; /* paths that were saved: hashes, open addressing */
    uint32_t test_count;
    bool repair;     /* the execution ended because the engine wants `wanted` to hold instead */
    uint32_t wanted;
    uint32_t repaired; /* step for which the inputs were changed last */
    uint64_t repairs;
    uint32_t told;     /* findings that have got their inputs */
};

extern struct sym *sym; /* NULL: nothing is symbolic */

static inline bool sym_explores(void)
{
    return sym && !sym->given;
}

void sym_begin_engine(void);      /* before the engine: makes room in the arena */
void sym_begin(void);             /* before an execution */
void sym_reset(void);             /* memory is put back */
bool sym_repair(void);            /* after one: is it to be executed again with other inputs? */
void sym_end(void);               /* which branches could go the other way? */
void sym_branches_init(void);
void sym_save_test(void);         /* --save-tests */
void sym_save_queries(void);      /* --save-queries: from now on */
void sym_tell_inputs(void);       /* after one: findings of this execution get the simplest inputs */

/* For engines that have engine_class.suits: see struct engine. */
bool sym_suit(const struct wish *wishes, uint32_t count, uint32_t must, uint8_t *holds);
bool sym_made_concrete(uint32_t condition);
void sym_put_conditions(struct work *w, const uint32_t *conditions, uint32_t count);
int sym_get_conditions(struct work *w, uint32_t *conditions, uint32_t count);
/* Can the expression hold together with those that hold? Then bytes become such inputs. */
enum answer sym_ask(const uint32_t *held, uint32_t count, uint32_t expression, uint8_t *bytes);
/* Condition i of the path is a bit of a value: has that more than --concretise? Then this is told. */
bool sym_too_many_values(uint32_t i);
uint32_t sym_ranges(uint32_t *to); /* that all inputs are in their ranges: how many */

/* A branch on the expression (one bit) goes this way. */
void sym_decide(uint32_t expression, bool taken, uint64_t pc);
void sym_hold(uint32_t expression, uint64_t pc); /* holds, and is not to be had otherwise */
void sym_given_up(void); /* this thread's assumption has failed */
void sym_no_room(void);

/* A compare-exchange: the shadow of what it expects, taken at its beginning; then, before it is performed,
 * the branch whether it succeeds. True if that depends on inputs: then it is an update whichever way it
 * goes, for what sleeps must not depend on the inputs at hand. */
uint32_t sym_take_expected(void);
bool sym_before_exchange(uintptr_t at, uint32_t size, uint32_t shadow, uint64_t expected, uint64_t pc);

/* values.c */
uint32_t sym_shadow(uint32_t expression); /* 0 if it is a constant */
uint32_t sym_operand(uint32_t shadow, uint64_t value, unsigned width);

/* settled.c */
/* The value is used where expressions cannot follow. */
void sym_concretise(uint32_t expression, uint64_t value, uint64_t pc);
bool sym_settled(uint32_t expression); /* this thread has made it concrete, or what it is computed from */
bool sym_always(uint32_t expression);  /* it holds for all inputs that go with this thread's past */
void sym_settled_init(void);
void sym_settled_reset(void);

/* memory.c */
void sym_memory_init(void);
void sym_memory_reset(void);
void sym_set_bytes(uintptr_t at, uint32_t size, uint32_t expression);

/* input.c */
void sym_inputs_reset(void);
uint64_t sym_input_value(const struct sym_input *in, const uint8_t *bytes);
uint32_t sym_input_expression(const struct sym_input *in);
const struct sym_input *sym_input_known(const struct sym_input *wanted); /* NULL: no room */

/* text.c: the inputs that this execution used, with these values; and shared.inputs_now */
void sym_format_inputs(const uint8_t *bytes, char *out, size_t room);
void sym_text_reset(void);
void sym_text_add(const struct sym_input *in);

void sym_input_bytes(void *to, size_t size, const char *name, bool text, uint64_t pc); /* raddle_input() */
/* A number of things that is an input: every value is tried. */
uint64_t sym_number_of(const char *name, uint64_t low, uint64_t high);

/* For __VERIFIER_nondet_*: an input that can be any value of a type. */
uint64_t sym_any_value(const char *name, unsigned size, bool is_signed, bool boolean, uint64_t pc);

/* The argument of a thread: when pthread_create is called, when the thread is there, and at its start. Its
 * result: when its function has returned or it calls pthread_exit, and when it is joined and the result is
 * in memory. */
uint32_t sym_take_thread_value(void);
void sym_thread_created(int thread, uint32_t argument);
void sym_thread_begins(int thread, void *(*start)(void *));
void sym_thread_returned(void *(*start)(void *));
void sym_thread_exits(void);
void sym_thread_joined(int thread, void *result, uint32_t size);

void sym_main_returned(int status, uint64_t pc); /* it is what the process ends with */

#pragma GCC visibility pop

#endif
