/* Between search.c, bfs.c and search_sleep.c: one thread's part of a search. */
#ifndef MODEL_SEARCH_IMPL_H
#define MODEL_SEARCH_IMPL_H

#include "base/progress.h"
#include "model/search.h"

struct range { /* states to expand: a part of the store, or (compact) a block of copies */
    store_id from, to;
    uint8_t *copies;
    size_t bytes;
};

typedef VEC(struct range) range_list;

struct worker {
    struct model_search *se;
    struct expander x;
    struct store_writer w;
    uint64_t edges;
    void (*enqueue)(struct worker *w, store_id id, const uint8_t *state, int len);
    void (*breathe)(struct worker *w); /* lets the table grow, when that is possible */
    void *queue;                       /* what enqueue and breathe need */
    range_list next;                   /* bfs.c: what it found for the next level */
    struct range building;             /* the last of them */
};

void search_worker_open(struct worker *w, struct model_search *se);
void search_worker_close(struct worker *w);

void search_start(struct model_search *se, struct worker *w);
void search_visit(struct worker *w, store_id id, const uint8_t *state, int len);
void search_stop(struct model_search *se, const char *why);
/* Memory, time and the progress line. */
void search_limits(struct model_search *se, struct progress *p, int depth);
void search_maybe_compile(struct model_search *se);

void search_note(struct model_search *se, struct model_finding f);
/* Deadlock, unspecified reception, faults: after the expansion of g. */
void search_check_state(struct model_search *se, struct expander *x, const struct gstate *g, store_id id);
/* Invariants, for a state just found. */
void search_check_new(struct model_search *se, struct expander *x, const uint8_t *state, store_id id);

void search_bfs(struct model_search *se);
void search_sleep(struct model_search *se);

#endif
