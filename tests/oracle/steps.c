/* steps.c — from instruction to instruction: what is silent, calls and returns, the end of threads.
 */
#include "state.h"

#include <string.h>

const struct instruction *current(const struct program *p, const struct state *s, int t)
{
    return &p->code[s->thread[t].pc];
}

void state_start(const struct program *p, struct state *s)
{
    memset(s, 0, sizeof *s);
    s->exiting = NOBODY;
    for (int t = 0; t < THREADS; t++) {
        for (int r = 0; r < REGISTERS; r++)
            s->thread[t].reg[r] = UNSET;
        s->thread[t].queued = NOBODY;
    }
    for (int i = 0; i < OBJECTS; i++) {
        s->mutex[i].owner = s->rwlock[i].writer = s->spinlock[i] = NOBODY;
        s->sem[i] = p->object[SEM][i] > 0 ? p->object[SEM][i] : 0;
    }
    for (int i = 0; i < 2; i++) {
        s->rsem[i] = p->object[RSEM][i];
        s->binary[i] = p->object[BINARY][i];
    }
    s->monitor.owner = NOBODY;
    s->thread[0].status = RUNNING;
    s->thread[0].pc = p->body[0].first;
    run_silent(p, s, 0);
}

static int skip_block(const struct program *p, int pc)
{
    for (int depth = 0;; pc++) {
        int op = p->code[pc].op;
        if (op == OP_IF_EQ || op == OP_IF_NE)
            depth++;
        else if (op == OP_END_IF && --depth == 0)
            return pc;
    }
}

static void call(struct thread *own, const struct program *p, int body)
{
    own->back[own->calls++] = own->pc;
    own->pc = p->body[body].first;
}

/* A function returns: into pthread_once, behind pthread_cleanup_pop, or to the end of its thread.
 */
static bool give_back(const struct program *p, struct thread *own)
{
    own->pc = own->back[--own->calls];
    own->back[own->calls] = 0;
    if (own->pc >= EXITING)
        return true;
    if (p->code[own->pc].op == OP_ONCE) {
        own->phase = RETURNED;
        return false;
    }
    own->pc++;
    return true;
}

/* The next function that a thread has to call before it ends, or before the process does; -1: none.
 */
static int next_handler(const struct program *p, struct state *s, struct thread *own)
{
    if (own->pc == EXITING)
        return s->handlers ? s->handler[--s->handlers] : -1;
    if (own->handlers) {
        int body = own->handler[--own->handlers];
        own->handler[own->handlers] = 0;
        return body;
    }
    for (int k = 0; k < KEYS; k++)
        if (own->key[k] && p->object[KEY][k] >= 0) {
            own->key[k] = 0;
            return KEY_BODY + k;
        }
    return -1;
}

static void finish(struct thread *own, int64_t result)
{
    own->result = result;
    own->calls = 0;
    memset(own->back, 0, sizeof own->back);
    own->pc = FINISHING;
    own->cancel_off = 1;
    own->pending = own->cancel_async = 0;
}

/* One instruction that nobody else notices; false: somebody might. */
static bool silent(const struct program *p, struct state *s, int t)
{
    struct thread *own = &s->thread[t];
    const struct instruction *i = current(p, s, t);
    switch (i->op) {
    case OP_IF_EQ:
    case OP_IF_NE:
        if ((own->reg[i->w] == i->v) != (i->op == OP_IF_EQ))
            own->pc = skip_block(p, own->pc);
        break;
    case OP_END_IF:
    case OP_YIELD:
    case OP_SYMMETRIC:
        break;
    case OP_SLEEP:
        if (may_be_cancelled(p, t))
            return false;
        break;
    case OP_SET:
        own->reg[i->d] = i->v;
        break;
    case OP_SET_KEY:
        own->key[i->a] = i->v;
        break;
    case OP_GET_KEY:
        if (i->d >= 0)
            own->reg[i->d] = own->key[i->a];
        break;
    case OP_ATEXIT:
        s->handler[s->handlers++] = i->v;
        break;
    case OP_PUSH:
        own->handler[own->handlers++] = i->v;
        break;
    case OP_POP:
        own->handlers--;
        if (i->v) {
            call(own, p, own->handler[own->handlers]);
            own->handler[own->handlers] = 0;
            return true;
        }
        own->handler[own->handlers] = 0;
        break;
    case OP_END:
        if (own->calls)
            return give_back(p, own);
        if (t == 0 && (p->flags & FLAG_KILL))
            return false;
        finish(own, i->v);
        return true;
    case OP_THREAD_EXIT:
        finish(own, i->v);
        return true;
    default:
        return false;
    }
    own->pc++;
    return true;
}

void run_silent(const struct program *p, struct state *s, int t)
{
    struct thread *own = &s->thread[t];
    while (own->status == RUNNING && !s->ended) {
        if (own->pc >= EXITING) {
            int body = next_handler(p, s, own);
            if (body >= 0)
                call(own, p, body);
            else if (own->pc == EXITING)
                s->ended = 1;
            else
                return;
        } else if (!silent(p, s, t)) {
            return;
        }
    }
}

void cancel_act(const struct program *p, struct state *s, int t)
{
    struct thread *own = &s->thread[t];
    for (int c = 0; c < own->calls; c++)
        if (own->back[c] < EXITING && p->code[own->back[c]].op == OP_ONCE)
            s->once[p->code[own->back[c]].a] = 0; /* as if it had never been called */
    own->phase = 0;
    own->kept = 0;
    finish(own, -1);
    run_silent(p, s, t);
}

void complete(const struct program *p, struct state *s, int t, int64_t result)
{
    struct thread *own = &s->thread[t];
    const struct instruction *i = current(p, s, t);
    if (i->d >= 0)
        own->reg[i->d] = result;
    own->phase = 0;
    own->kept = 0;
    own->pc++;
    run_silent(p, s, t);
}

void step_done(struct moves *m, struct state *next, int t, int64_t result)
{
    complete(m->program, next, t, result);
    m->found(m->who, next, t);
}

void step_within(struct moves *m, struct state *next, int t, int phase)
{
    next->thread[t].phase = phase;
    m->found(m->who, next, t);
}

void step_undefined(struct moves *m, const struct state *s, int t)
{
    struct state next = *s;
    next.undefined = 1;
    m->found(m->who, &next, t);
}

/* The thread ends: its robust mutexes pass on, one after the other (the order is free), then
 * whoever joins it can. */
static void end_thread(struct moves *m, int t)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    bool held = false;
    for (int i = 0; i < OBJECTS && (!held || m->free); i++)
        if (mutex_orphaned(m->program, &next, i, t)) {
            held = true;
            m->found(m->who, &next, t);
            next = *m->from;
        }
    if (held)
        return;
    own->status = own->detached ? GONE : ENDED;
    own->pc = 0;
    own->phase = 0;
    if (m->program->flags & FLAG_LAST) {
        next.ended = 1;
        for (int other = 0; other < THREADS; other++)
            if (next.thread[other].status == RUNNING)
                next.ended = 0;
        m->found(m->who, &next, t);
        return;
    }
    if (t == 0)
        next.ended = 1;
    for (int other = 1; t == 0 && !(m->program->flags & FLAG_KILL) && other < THREADS; other++)
        if (next.thread[other].status == RUNNING || next.thread[other].status == ENDED)
            next.undefined = 1; /* main reads what they observed: it must join them */
    m->found(m->who, &next, t);
}

static void perform(struct moves *m, int t, const struct instruction *i)
{
    if (!moves_memory(m, t, i) && !moves_mutex(m, t, i) && !moves_rwlock(m, t, i) &&
        !moves_wait(m, t, i) && !moves_sync(m, t, i) && !moves_system(m, t, i) &&
        !moves_cancel(m, t, i) && !moves_thread(m, t, i))
        step_undefined(m, m->from, t);
}

static void count_move(void *who, const struct state *next, int thread)
{
    (void)next;
    (void)thread;
    ++*(int *)who;
}

/* A thread that may be cancelled and comes to a wait that cannot go on begins to wait in a step of
 * its own: a request that comes then may still find the event first. It may also be that it was
 * called, and what it wants came only after the request. */
static void perform_cancellable(struct moves *m, int t, const struct instruction *i)
{
    const struct thread *own = &m->from->thread[t];
    int moves = 0;
    struct moves counted = *m;
    counted.found = count_move;
    counted.who = &moves;
    perform(&counted, t, i);
    bool queues = i->op == OP_COND_WAIT || i->op == OP_COND_TIMED;
    if (own->phase == 0 && (moves == 0 || (m->free && !queues))) {
        struct state next = *m->from;
        step_within(m, &next, t, 1);
    }
    if (moves)
        perform(m, t, i);
}

/* Deferred: at a cancellation point it is called with a pending request the thread acts; in one
 * that it waits in, it acts or the event comes first. Asynchronous: at any time, so elsewhere it
 * may do more before. */
static bool cancel_moves(struct moves *m, int t, const struct instruction *i)
{
    const struct thread *own = &m->from->thread[t];
    if (!own->pending || own->cancel_off || (!own->cancel_async && !cancel_point(i->op)))
        return false;
    if (i->op == OP_COND_WAIT || i->op == OP_COND_TIMED) {
        if (own->phase == 1) {
            cond_cancelled(m, t, i);
            return false;
        }
    }
    struct state next = *m->from;
    cancel_act(m->program, &next, t);
    m->found(m->who, &next, t);
    return cancel_point(i->op) && own->phase == 0;
}

void thread_moves(struct moves *m, int t)
{
    const struct thread *own = &m->from->thread[t];
    if (own->status != RUNNING)
        return;
    if (own->pc == FINISHING) {
        end_thread(m, t);
        return;
    }
    const struct instruction *i = current(m->program, m->from, t);
    if (cancel_moves(m, t, i))
        return;
    bool safe =
        (i->op >= OP_LOAD && i->op <= OP_POLL) || (i->op >= OP_CANCEL && i->op <= OP_TEST_CANCEL);
    if (own->cancel_async && !safe) { /* what may not be cancelled asynchronously */
        step_undefined(m, m->from, t);
        return;
    }
    if (cancel_point(i->op) && may_be_cancelled(m->program, t))
        perform_cancellable(m, t, i);
    else
        perform(m, t, i);
}
