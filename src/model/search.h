/* Builds a reachability graph and keeps what was found on the way. */
#ifndef MODEL_SEARCH_H
#define MODEL_SEARCH_H

#include "model/expand.h"
#include "model/store.h"

#include <signal.h>

enum model_finding_kind {
    FOUND_DEADLOCK,
    FOUND_UNSPECIFIED,
    FOUND_INVARIANT,
    FOUND_FAULT,
    FOUND_OVERFLOW
};

struct model_finding {
    enum model_finding_kind kind;
    store_id state;     /* where, or from where the steps lead there */
    struct model_step *steps; /* FAULT, OVERFLOW: owned */
    size_t nsteps;
    struct fault fault;
    int proc, port, invariant;
};

struct search_options {
    enum reduce reduce;
    int depth_first;
    int jobs;          /* threads, breadth-first only */
    size_t memory;     /* bytes for states */
    double seconds;    /* 0: no limit */
    int compact;       /* hash compaction */
    int stop_at_first; /* finding */
    int quiet;
    int interpret, compile; /* force the one or the other; else by size */
    const volatile sig_atomic_t *interrupted; /* set by a signal: stop; may be NULL */
    uint64_t keep;          /* findings kept per kind (0: 64); all are counted */
};

struct sleep_set {
    store_id id;
    uint8_t *entries;
    size_t count;
};

struct model_search {
    const struct sys *s;
    struct search_options o;
    struct store store;
    store_id initial;
    uint64_t states, edges, deadlocks, counts[5];
    int levels;
    VEC(struct model_finding) findings;
    uint8_t *executed;      /* per transition */
    const char *incomplete; /* NULL: the graph is complete */
    atomic_int stop;        /* nothing more is to be explored */
    double seconds, cpu;    /* cpu: of this process, without the compiler */
    int compiled;           /* the compiled model was used */
    struct compiled *code;
    VEC(struct sleep_set) sleeps; /* bsra+sleep; see search_sleep.c */
};

void search_run(struct model_search *se, const struct sys *s, const struct search_options *o);
void search_free(struct model_search *se);

/* The steps from the initial state to a finding, in order; the caller frees them. */
void search_trace(struct model_search *se, const struct model_finding *f, step_list *into);

/* The sleep set a state was last expanded with (NULL: none). */
const struct sleep_set *search_sleep_of(const struct model_search *se, store_id id);

#endif
