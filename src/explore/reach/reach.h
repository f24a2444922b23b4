/* The state of the reachability testing engine, shared by its files. */
#ifndef EXPLORE_REACH_H
#define EXPLORE_REACH_H

#include "explore/engine.h"
#include "explore/reach/reach_record.h"
#include "explore/reach/reach_table.h"

/* A SYN-sequence whose variants are not all explored yet. */
struct reach_frame {
    struct reach_seq q;
    struct reach_table table;
    size_t below; /* where the frame before it starts on the stack */
};

struct reach_call_left {
    uint32_t run, index, kind;
    bool open;
};

struct reach {
    struct reach_record record;
    struct rng rng;
    struct reach_reductions less;
    uint16_t class_of[EVENT_MAX_THREADS];

    /* The variant under way, and what is left of it behind the plan. */
    struct reach_plan plan;
    uint32_t at;                        /* operations of the plan that were performed */
    const struct reach_plan_op *current; /* the one being performed, NULL behind the plan */
    struct reach_call_left left_call[EVENT_MAX_THREADS];
    uint32_t left_receive[EVENT_MAX_THREADS]; /* run in which it holds */
    uint32_t *left_object;                    /* the same, [object] */
    uint32_t unmatched;                       /* of both together */
    bool unmatched_reads;                     /* there are calls of reads among left_call */
    struct reach_plan_op branch;              /* the choice made within the current operation */
    bool branched;
    struct {
        uint32_t condition, site;
        bool bit;
    } on; /* … if it is a branch on an input; condition 0: it is none */
    struct reach_branch_left {
        uint32_t run, index;
    } left_branch[EVENT_MAX_THREADS]; /* a branch on an input that it is not to make */
    bool inputs; /* there are branches on inputs */
    bool nothing; /* no variant of the part given to this worker exists: an execution ends at once */
    /* For reach_inputs.c, [record.room]: branches as wishes, of which operations, and which are fulfilled. */
    struct wish *wishes;
    uint32_t *wished;
    uint8_t *holds;
    bool hard;   /* a row of a race table could not be arranged: reads have to be ordered after all */
    bool lost;   /* the program did not follow the plan */
    bool mistaken; /* a compare-exchange was not what the plan foresaw */
    bool closed; /* the plan wants an operation of a thread that waits by itself (spins, polls) and has
                    nothing to go on for yet, or to which a lock is not open: the variant does not exist */
    bool learnt;   /* that threads only go round, since there was something pending */
    bool outdated; /* the plan wants one that was performed before that was known */

    /* Pending work: frames, one upon the other. */
    char *stack;
    size_t used, size;
    size_t top; /* where the top frame starts */
    uint32_t frames;

    struct reach_history *history; /* the earlier algorithm (reach_history.c), NULL = not */
    struct reach_reduced *reduced; /* up to an equivalence (reach_reduced.c), NULL = not */
    uint32_t begun;   /* how often the search began anew */
    uint64_t partial; /* executions ended because only old events were left to be matched */
};

/* Recorder and stack of pending work; -1 if the arena is too small. */
int reach_setup(struct engine *e, struct reach *st);
/* The execution has ended: its variants become pending work. */
void reach_collect(struct engine *e);
/* Makes the next pending variant the plan; false if there is none. */
bool reach_next_variant(struct engine *e);

/* Memory above the stack; NULL (and record.full) if there is none. */
void *reach_push(struct reach *st, size_t n);
/* The arrays of a frame's table that hold only while a variant is derived. */
bool reach_push_scratch(struct reach *st, struct reach_frame *f);
/* What was pushed since st->used was `mark` is the top frame now. */
void reach_push_frame(struct reach *st, struct reach_frame *f, size_t mark);

/* reach_choices.c: as in struct engine_class; and st->branch becomes an operation. */
int reach_branch(struct engine *e, const struct event *op, int n);
struct reach_op *reach_note_branch(struct reach *st);

/* reach_inputs.c: of a sequence with its race sets, the sides of branches on inputs that do not exist are
 * taken out of these; and inputs for the variant of the row, whose branches that do not go with the rest are
 * given up, or false: it does not exist. */
void reach_open_sides(struct engine *e, struct reach_seq *q);
bool reach_suits(struct engine *e, struct reach_frame *f);

/* reach_share.c: as in struct engine_class. */
int reach_adopt(struct engine *e, struct work *in);
int reach_checkpoint(struct engine *e, struct work *out);
int reach_give(struct engine *e, enum engine_give why, struct work *out);

/* --set history=on: the same two steps of the earlier algorithm. */
int reach_history_setup(struct engine *e, struct reach *st);
void reach_history_collect(struct reach *st, struct reach_seq *q);
bool reach_history_next(struct reach *st);
void reach_history_forget(struct reach *st); /* all sequences */

/* --reduce: the same. */
int reach_reduced_setup(struct engine *e, struct reach *st);
void reach_reduced_parts(struct reach *st, struct reach_seq *q); /* before its timestamps */
void reach_reduced_collect(struct reach *st, struct reach_seq *q);
bool reach_reduced_next(struct reach *st);
void reach_reduced_forget(struct reach *st); /* all it has seen */

/* The recorded execution on the stack, without timestamps; false: no room. */
bool reach_push_sequence(struct reach *st, struct reach_seq *q);

/* As in struct engine_class. */
size_t reach_describe(struct engine *e, int cut, const char **bytes);

/* Value of an engine option (--set name=value), NULL if it is not set. */
const char *reach_option(const struct engine *e, const char *name);

#endif
