/* Ports under control. Messages lie in a pool that is emptied at every execution; how many a port has and
 * which is its state (object/port.c). A receive (a
 * selective wait with one alternative) can take any message that the order of its port lets arrive
 * first; which one is a choice of the engine, so the order in which independent senders sent does not
 * matter. The values of the choice are ordered by alternative, sender and number of the message, the
 * last one stands for else or the timeout: with messages under way for an unknown time, nothing may
 * have arrived yet (on a causal port something that happened before has). */
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "sync/controlled.h"

#define MESSAGES 65536u
#define PAYLOAD (64u << 20)

struct message {
    struct vclock clock; /* of the sender when it sent */
    uint64_t time;
    uint32_t event; /* index in the trace of the send */
    uint32_t next;  /* in its port, + 1 */
    uint16_t sender;
    bool synchronous;
    uint32_t data; /* offset in the payload */
};

struct port_wait {
    struct raddle_alternative *alternatives;
    int count;
    bool may_else;
};

struct port_candidate {
    uint32_t message; /* + 1 */
    int alternative;
};

static struct message *pool;
static char *payload;
static uint32_t pool_used, payload_used, used_in;
#define CANDIDATES 1024
static struct port_candidate candidates[CANDIDATES];
static uint32_t sends[CANDIDATES];

static struct sync *port_of(const raddle_port *p)
{
    return sync_get((uintptr_t)p, SYNC_PORT);
}

static struct message *message_at(uint32_t number)
{
    return &pool[number - 1];
}

static uint32_t new_message(size_t size)
{
    if (!pool) {
        pool = rt_map(NULL, MESSAGES * sizeof *pool, "messages");
        payload = rt_map(NULL, PAYLOAD, "messages");
    }
    if (used_in != rt.generation) {
        used_in = rt.generation;
        pool_used = payload_used = 0;
    }
    if (pool_used == MESSAGES || size > PAYLOAD - payload_used) {
        finding_limit(LIMIT_MESSAGES, MESSAGES);
        sched_end_execution(OUTCOME_BOUND);
    }
    struct message *m = &pool[pool_used++];
    m->data = payload_used;
    m->next = 0;
    payload_used += (uint32_t)((size + 15) & ~(size_t)15);
    return pool_used;
}

static void append_message(struct sync *s, uint32_t number)
{
    if (s->tail)
        message_at(s->tail)->next = number;
    else
        s->head = number;
    s->tail = number;
}

static void remove_message(struct sync *s, uint32_t number)
{
    uint32_t before = 0, *link = &s->head;
    while (*link != number) {
        before = *link;
        link = &message_at(before)->next;
    }
    *link = message_at(number)->next;
    if (s->tail == number)
        s->tail = before;
}

static uint32_t send(raddle_port *p, const void *data, bool synchronous, uint64_t pc)
{
    access_range((uintptr_t)data, p->size, false, pc);
    if (p->capacity)
        places_take(p, pc);
    struct sync *s = port_of(p);
    struct event *op = sched_op(EV_PORT_SEND, s->address, rt.shared->ports_together, pc);
    op->other = p->order;
    op->value = synchronous;
    sched_visit_blocking(s);
    uint32_t number = new_message(p->size);
    struct message *m = message_at(number);
    vclock_copy(&m->clock, &rt.self->clock);
    rt.self->clock.c[rt.current]++;
    m->time = rt.self->time;
    m->sender = (uint16_t)rt.current;
    m->synchronous = synchronous;
    rt_copy(payload + m->data, data, p->size);
    append_message(s, number);
    op->index = rt.self->events;
    object_perform(&s->now, op);
    sched_log(op);
    m->event = rt.trace->event_count - 1;
    if (s->owner >= 0)
        sync_recheck(s->owner);
    return number;
}

RT_EXPORT void raddle_port_init(raddle_port *p, size_t size, enum raddle_order order,
                                unsigned capacity)
{
    *p = (raddle_port){.size = size, .order = order, .capacity = capacity};
    if (!rt.active)
        return;
    sync_fresh((uintptr_t)p, SYNC_PORT);
    places_begin(p);
}

RT_EXPORT void raddle_port_send(raddle_port *p, const void *message)
{
    if (!rt.active)
        native_port_send(p, message);
    else
        send(p, message, false, RT_PC());
}

RT_EXPORT void raddle_port_call(raddle_port *p, const void *message)
{
    if (!rt.active) {
        native_port_call(p, message);
        return;
    }
    send(p, message, true, RT_PC());
    sched_wait_parked(port_of(p), RT_PC());
    sched_log_followed(EV_PORT_TAKEN, (uint64_t)rt.self->woken_by, 0, 0, RT_PC());
}

RT_EXPORT void raddle_port_uniform(raddle_port *p)
{
    p->uniform = 1;
    if (rt.active)
        sched_log_local(EV_PORT_UNIFORM, (uintptr_t)p, 0, 0, RT_PC());
}

/* Receiving ------------------------------------------------------------------------------------ */

static bool happened_before(const struct message *a, const struct message *b)
{
    return a->clock.c[a->sender] <= (a->sender < b->clock.n ? b->clock.c[a->sender] : 0) && a != b;
}

static bool overtakes(const struct message *late, const struct message *early,
                      enum raddle_order order)
{
    if (order == RADDLE_ASYNC)
        return false;
    if (late->sender == early->sender)
        return early->event < late->event;
    return order == RADDLE_CAUSAL && happened_before(early, late);
}

static bool can_arrive(const struct sync *s, uint32_t number, enum raddle_order order)
{
    for (uint32_t m = s->head; m; m = message_at(m)->next)
        if (m != number && overtakes(message_at(number), message_at(m), order))
            return false;
    return true;
}

static bool comes_before(uint32_t a, uint32_t b)
{
    const struct message *x = message_at(a), *y = message_at(b);
    return x->sender != y->sender ? x->sender < y->sender : x->event < y->event;
}

static int add_candidate(int n, int from, uint32_t number, int alternative)
{
    int i = n;
    if (n == CANDIDATES - 1) {
        finding_limit(LIMIT_CANDIDATES, CANDIDATES - 1);
        return n;
    }
    for (; i > from && comes_before(number, candidates[i - 1].message); i--)
        candidates[i] = candidates[i - 1];
    candidates[i] = (struct port_candidate){number, alternative};
    return n + 1;
}

static int find_candidates(const struct port_wait *w)
{
    int n = 0;
    for (int i = 0; i < w->count; i++) {
        const struct raddle_alternative *a = &w->alternatives[i];
        if (!a->guard)
            continue;
        const struct sync *s = port_of(a->port);
        int from = n;
        for (uint32_t m = s->head; m; m = message_at(m)->next)
            if (can_arrive(s, m, a->port->order))
                n = add_candidate(n, from, m, i);
    }
    return n;
}

static bool something_arrived(const struct port_wait *w)
{
    const struct vclock *now = &rt.self->clock;
    for (int i = 0; i < w->count; i++) {
        const struct raddle_alternative *a = &w->alternatives[i];
        if (!a->guard || a->port->order != RADDLE_CAUSAL)
            continue;
        for (uint32_t m = port_of(a->port)->head; m; m = message_at(m)->next) {
            const struct message *x = message_at(m);
            if (x->sender < now->n && x->clock.c[x->sender] <= now->c[x->sender])
                return true;
        }
    }
    return false;
}

static bool select_ready(int thread)
{
    const struct port_wait *w = rt.all[thread].select;
    if (w->may_else)
        return true;
    for (int i = 0; i < w->count; i++)
        if (w->alternatives[i].guard &&
            object_possible(&port_of(w->alternatives[i].port)->now, &rt.next[thread]))
            return true;
    return false;
}

/* Names the open alternatives; returns the port to wait on. Until one thread looks at several ports at
 * once what happens at one port does not matter to another. */
static struct sync *open_alternatives(const struct port_wait *w, uint64_t pc)
{
    struct sync *first = NULL;
    if (w->count > 1 && !rt.shared->ports_together)
        rt.shared->ports_together = rt.restart = 1;
    for (int i = 0; i < w->count; i++) {
        if (!w->alternatives[i].guard)
            continue;
        struct sync *s = port_of(w->alternatives[i].port);
        if (s->owner >= 0 && s->owner != rt.current)
            sync_misuse(s, pc, "a second thread receives from port {}");
        s->owner = rt.current;
        s->lock_pc = pc;
        sched_log_local(EV_PORT_OPEN, s->address, 0, 0, pc);
        first = first ? first : s;
    }
    return first;
}

static int pick_candidate(const struct port_wait *w, struct event *op)
{
    int n = find_candidates(w);
    for (int i = 0; i < n; i++)
        sends[i] = message_at(candidates[i].message)->event;
    if (w->may_else && something_arrived(w))
        op->flags &= (uint8_t)~EVENT_TIMED; /* for whoever asks later what else could have happened */
    else if (w->may_else) {
        candidates[n] = (struct port_candidate){0, -1};
        sends[n++] = UINT32_MAX;
    }
    rt.engine.candidates = sends;
    op->other = (uint64_t)n;
    return sched_branch(op, n);
}

static void receive(struct raddle_alternative *a, uint32_t number, struct event *op)
{
    struct sync *s = port_of(a->port);
    const struct message *m = message_at(number);
    remove_message(s, number);
    vclock_join(&rt.self->clock, &m->clock);
    if (m->time > rt.self->time)
        rt.self->time = m->time;
    rt_copy(a->message, payload + m->data, a->port->size);
    op->kind = EV_PORT_RECEIVE;
    op->object = s->address;
    op->match = m->event + 1;
    op->value = m->sender;
    object_perform_from(&s->now, op, &rt.trace->events[m->event]);
    sched_log(op);
    if (m->synchronous) {
        vclock_join(&rt.all[m->sender].clock, &rt.self->clock);
        rt.self->clock.c[rt.current]++;
        rt.all[m->sender].woken_by = rt.current;
        sched_run_local(m->sender);
    }
}

static int do_select(struct raddle_alternative *a, int n, long timeout, uint64_t pc)
{
    struct port_wait w = {a, n, timeout >= 0};
    rt.select_ready = select_ready;
    struct sync *s = open_alternatives(&w, pc);
    if (!s && timeout < 0) {
        finding_commit(finding_new(FINDING_LOCK, pc, 0,
                                   "a selective wait has no open alternative: it waits forever"));
        sched_end_execution(OUTCOME_COMPLETE);
    }
    if (!s)
        return -1;
    struct event *op = sched_op(EV_PORT_SELECT, s->address, rt.shared->ports_together, pc);
    op->flags = w.may_else ? EVENT_TIMED : 0;
    rt.self->select = &w;
    sched_visit_blocking(s);
    struct port_candidate c = candidates[pick_candidate(&w, op)];
    if (c.alternative < 0) {
        op->kind = EV_PORT_ELSE;
        op->other = timeout > 0;
        sched_log(op);
        return -1;
    }
    receive(&a[c.alternative], c.message, op);
    access_range((uintptr_t)a[c.alternative].message, a[c.alternative].port->size, true, pc);
    if (a[c.alternative].port->capacity)
        places_give(a[c.alternative].port, pc);
    return c.alternative;
}

RT_EXPORT int raddle_select(struct raddle_alternative *a, int n, long timeout)
{
    return rt.active ? do_select(a, n, timeout, RT_PC()) : native_select(a, n, timeout);
}

RT_EXPORT void raddle_port_receive(raddle_port *p, void *message)
{
    struct raddle_alternative a = {1, p, message};
    if (rt.active)
        do_select(&a, 1, RADDLE_WAIT, RT_PC());
    else
        native_select(&a, 1, RADDLE_WAIT);
}
