/* steps_thread.c — making threads and waiting for their end. */
#include "state.h"

#include <errno.h>
#include <string.h>

static void create(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *made = &next.thread[i->a];
    if (made->status != ABSENT) {
        step_undefined(m, m->from, t);
        return;
    }
    made->status = RUNNING;
    made->pc = m->program->body[i->a].first;
    memcpy(made->knows, next.thread[t].knows, THREADS);
    run_silent(m->program, &next, i->a);
    step_done(m, &next, t, 0);
}

static void join(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *other = &next.thread[i->a];
    if (other->detached || other->status == GONE || other->status == ABSENT) {
        step_undefined(m, m->from, t);
    } else if (other->status == ENDED) {
        int64_t result = other->result;
        for (int k = 0; k < THREADS; k++)
            if (other->knows[k] > next.thread[t].knows[k])
                next.thread[t].knows[k] = other->knows[k];
        other->status = GONE;
        other->result = 0;
        step_done(m, &next, t, result);
    } else if (i->op == OP_TRYJOIN) {
        step_done(m, &next, t, -EBUSY);
    } else if (i->op == OP_TIMEDJOIN) {
        step_done(m, &next, t, -ETIMEDOUT);
    }
}

static void detach(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *other = &next.thread[i->a];
    if (other->detached || other->status == GONE || other->status == ABSENT) {
        step_undefined(m, m->from, t);
        return;
    }
    other->detached = 1;
    if (other->status == ENDED)
        other->status = GONE;
    step_done(m, &next, t, 0);
}

bool moves_thread(struct moves *m, int t, const struct instruction *i)
{
    switch (i->op) {
    case OP_CREATE:
        create(m, t, i);
        return true;
    case OP_JOIN:
    case OP_TRYJOIN:
    case OP_TIMEDJOIN:
        join(m, t, i);
        return true;
    case OP_DETACH:
        detach(m, t, i);
        return true;
    default:
        return false;
    }
}
