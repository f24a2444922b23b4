/* The places of a bounded port: an object beside it (object/port.c).
 *
 * Who took which place is part of a behaviour only if somebody may have had to wait for one. As long as in
 * no order of what was executed more messages can be under way than there are places, the program does what
 * it would with an unbounded port, and the orders of taking places need not be explored: of all that happens
 * before the (n+1)-th place is given back, or beside it, the senders are at most n more than the places. That
 * depends on no order, so a search in which it was never otherwise has lost nothing; when it is the search
 * begins again, with the places of this port as steps that matter (LESSON_FULL). */
#include "rt/check/finding.h"
#include "rt/core/await.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "sync/controlled.h"

#define GIVEN 65536u

/* A place that was given back, in the order of the receiver; the first of a port stands for its beginning. */
struct given {
    struct vclock clock; /* of the receiver */
    uint64_t time;
    uint32_t next; /* of its port, + 1 */
    uint32_t later; /* places taken by who knew of this one, and of none behind it */
    uint16_t receiver;
};

static struct given *given;
static uint32_t given_used, used_in;

static struct given *given_at(uint32_t number)
{
    return &given[number - 1];
}

static void add_given(struct sync *s)
{
    if (!given)
        given = rt_map(NULL, GIVEN * sizeof *given, "places");
    if (used_in != rt.generation) {
        used_in = rt.generation;
        given_used = 0;
    }
    if (given_used == GIVEN) {
        finding_limit(LIMIT_MESSAGES, GIVEN);
        sched_end_execution(OUTCOME_BOUND);
    }
    struct given *g = &given[given_used++];
    vclock_copy(&g->clock, &rt.self->clock);
    g->time = rt.self->time;
    g->next = g->later = 0;
    g->receiver = (uint16_t)rt.current;
    if (s->tail)
        given_at(s->tail)->next = given_used;
    else
        s->head = given_used;
    s->tail = given_used;
}

static struct sync *places_of(const raddle_port *p)
{
    struct sync *s = sync_find((uintptr_t)p + 1);
    if (!s || s->type != SYNC_SEM) {
        s = sync_fresh((uintptr_t)p + 1, SYNC_SEM);
        s->count = (int32_t)p->capacity;
        add_given(s);
    }
    return s;
}

void places_begin(const raddle_port *p)
{
    struct sync *s = sync_find((uintptr_t)p + 1);
    if (!s || s->type != SYNC_SEM)
        return;
    s = sync_fresh((uintptr_t)p + 1, SYNC_SEM);
    s->count = (int32_t)p->capacity;
    add_given(s);
}

static bool matter(const struct sync *s)
{
    return !rt.engine.meets || await_knows(s->address, LESSON_FULL);
}

static void learn_full(const struct sync *s)
{
    await_learn(s->address, LESSON_FULL);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

static bool knows_of(const struct vclock *now, const struct given *g)
{
    return g->receiver < now->n && now->c[g->receiver] >= g->clock.c[g->receiver];
}

/* The running thread has taken a place: can there be an order in which it, or another one, had to wait? */
static bool may_be_full(const struct sync *s, uint32_t places)
{
    struct given *last = given_at(s->head);
    for (uint32_t g = last->next; g && knows_of(&rt.self->clock, given_at(g)); g = last->next)
        last = given_at(g);
    last->later++;
    uint32_t taken = 0, back = 0;
    for (uint32_t g = s->head; g; g = given_at(g)->next, back++) {
        taken += given_at(g)->later;
        if (taken > places + back)
            return true;
    }
    TSET_FOR(t, &s->waiters)
        if (!object_possible(&s->now, &rt.next[t]))
            return true;
    return false;
}

/* What the thread learns of the receiver by having got the place that it gave back as the n-th. */
static void learn_of_receiver(const struct sync *s, uint64_t n)
{
    uint32_t g = s->head;
    while (n--)
        g = given_at(g)->next;
    vclock_join(&rt.self->clock, &given_at(g)->clock);
    if (given_at(g)->time > rt.self->time)
        rt.self->time = given_at(g)->time;
}

void places_take(const raddle_port *p, uint64_t pc)
{
    struct sync *s = places_of(p);
    if (rt.cancels) { /* how a wait for a place is ended is known of semaphores */
        sync_sem_take(s, EV_SEM_WAIT, pc);
        return;
    }
    bool matters = matter(s);
    struct event *op = sched_op(EV_PORT_PLACE, s->address, p->capacity, pc);
    op->other = matters;
    if (!matters && !object_possible(&s->now, op))
        learn_full(s);
    sched_visit_blocking(s);
    object_perform(&s->now, op);
    if (!matters && may_be_full(s, p->capacity))
        learn_full(s);
    if (matters && op->value > p->capacity)
        learn_of_receiver(s, op->value - p->capacity);
    sync_changed(s);
    sched_log(op);
}

void places_give(const raddle_port *p, uint64_t pc)
{
    struct sync *s = places_of(p);
    if (rt.cancels) {
        sync_sem_give(s, EV_SEM_POST, pc);
        return;
    }
    struct event *op = sched_op(EV_PORT_FREE, s->address, p->capacity, pc);
    op->other = matter(s);
    sched_visit_blocking(s);
    object_perform(&s->now, op);
    add_given(s);
    rt.self->clock.c[rt.current]++;
    sync_changed(s);
    sched_log(op);
}
