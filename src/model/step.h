/* Global transitions (section 2.3.2): what a process can do in a global state, and doing it. */
#ifndef MODEL_STEP_H
#define MODEL_STEP_H

#include "model/eval.h"

struct gstate {
    int len;
    uint8_t b[SYS_STATE_MAX + 16]; /* read a little beyond the end when hashed or copied */
};

/* An instance of a local transition in a state: for a receive, which message. Under instant
 * communication a send and the receive that takes it are one step. */
struct model_step {
    int16_t trans;
    int16_t other; /* instant: the receiver's transition; else -1 */
    int16_t queue; /* of the message received, or -1 */
    int16_t pos;   /* in the queue */
};

typedef VEC(struct model_step) step_list;

/* Appends the enabled steps of a process (receives once per distinct message of the frontier);
 * *open becomes the number of open receive transitions. */
void step_enabled(struct run *r, const struct gstate *g, int proc, step_list *into, int *open);

/* The same for all processes. */
void step_all(struct run *r, const struct gstate *g, step_list *into);

/* Performs a step in place. r->fault tells of a fault; then the state is not to be used. */
void step_exec(struct run *r, struct gstate *g, struct model_step st);

/* Does an open receive transition of the process have a message still to come from another process
 * that would be new in its frontier? (definition 9 and lemma 2.4.2: a potential HET) */
int step_potential_het(struct run *r, const struct gstate *g, int proc);

int step_is_final(const struct sys *s, const struct gstate *g);

/* An unspecified reception: the process waits at a port where messages wait that it cannot take,
 * and none can come that it could. Returns the port or -1. To be asked only if no step of the
 * process is enabled. */
int step_unspecified(struct run *r, const struct gstate *g, int proc);

static inline int step_is_recv(const struct sys *s, struct model_step st)
{
    return s->trans[st.trans].action == ACT_RECV;
}

#endif
