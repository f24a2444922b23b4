/* How events map to the general execution model (000_*.txt, section III):
 *
 *   sem_wait/post, locks, rwlocks, binary semaphores    calls to and completions on the object
 *   condition variables    belong to their mutex: waiting, signalling and waking are completions on it;
 *                          mutexes that one condition is waited on with are one object
 *   cancellation           a request, what it can interrupt and the ends of threads are one object
 *   waiting loops          all that a loop looks at is one object; a round that changes nothing is not
 *                          performed (rt/core/await.h), so that a read may wait for its version
 *   monitor entry and re-entry   calls to and entries of the monitor; leaving, waiting and signalling
 *                          happen inside and are edges only
 *   message queues         calls to and completions on the queue, which is open for sending while it has
 *                          room and for receiving while it has a message
 *   ports                  send and receive events of the threads
 *   shared memory          a write is a completion on its 4-byte word and makes a version of it, a
 *                          read receives one; words that are ever accessed together are one object; a
 *                          compare-exchange can be either (reach_exchange.c)
 *   barriers               arrivals are completions; opening it is an edge to everybody waiting; where
 *                          nobody looks who was last (MEET) they are messages that nobody receives, and
 *                          going on is an edge from all of them
 *   creating, joining      edges */
#include "explore/reach/reach_names.h"
#include "explore/reach/reach_state.h"

#include "base/ensure.h"
#include "object/object.h"


int reach_record_init(struct reach_record *r, struct arena *a, uint32_t room)
{
    r->room = room;
    r->ops = arena_alloc(a, (uint64_t)room * sizeof *r->ops);
    r->edges = arena_alloc(a, (uint64_t)room * sizeof *r->edges);
    r->ports = arena_alloc(a, (uint64_t)room * sizeof *r->ports);
    r->names = arena_alloc(a, REACH_NAMES * sizeof *r->names);
    r->state = arena_alloc(a, REACH_NAMES * sizeof *r->state);
    r->last = arena_alloc(a, REACH_NAMES * sizeof *r->last);
    r->uniform = arena_alloc(a, REACH_NAMES);
    r->threads = 1;
    if (!r->ops || !r->edges || !r->ports || !r->names || !r->state || !r->last || !r->uniform)
        return -1;
    return htable_init(&r->name_of, a, 2 * REACH_NAMES);
}

void reach_record_begin(struct reach_record *r)
{
    r->run++;
    r->count = r->edge_count = r->port_count = 0;
    r->rebound = false;
    for (uint32_t t = 0; t < r->threads; t++)
        r->thread[t] = (struct reach_thread){.last_send = REACH_NONE};
    r->number[0] = 0;
}

static uint32_t *last_on(struct reach_record *r, uint32_t object)
{
    struct reach_object_last *l = &r->last[object];
    if (l->run != r->run)
        *l = (struct reach_object_last){r->run, REACH_NONE};
    return &l->last;
}

static void edge(struct reach_record *r, uint16_t thread, uint32_t other, enum reach_edge_kind kind)
{
    ensure(thread < EVENT_MAX_THREADS);
    if (r->edge_count == r->room) {
        r->full = true;
        return;
    }
    r->edges[r->edge_count++] = (struct reach_edge){r->count, thread, kind, other};
}

static struct reach_op *new_op(struct reach_record *r, uint16_t thread, enum reach_class class)
{
    ensure(thread < EVENT_MAX_THREADS);
    if (r->count + 1 >= r->room) {
        r->full = true;
        r->count--;
    }
    if (__builtin_expect(r->thread[thread].count >= VTIME_MAX, 0))
        limit_reached(r->limits, LIMIT_CLOCK, VTIME_MAX);
    struct reach_op *op = &r->ops[r->count++];
    *op = (struct reach_op){.thread = thread,
                            .class = (uint16_t)class,
                            .index = r->thread[thread].count,
                            .partner = REACH_NONE,
                            .prev = REACH_NONE};
    return op;
}

static uint16_t child(struct reach_record *r, uint16_t parent)
{
    ensure(parent < EVENT_MAX_THREADS);
    uint16_t nth = r->thread[parent].children++;
    for (uint32_t i = 1; i < r->threads; i++)
        if (r->children[i].parent == parent && r->children[i].nth == nth)
            return r->children[i].number;
    if (r->threads == EVENT_MAX_THREADS) {
        limit_reached(r->limits, LIMIT_THREADS, EVENT_MAX_THREADS - 1);
        return EVENT_MAX_THREADS - 1;
    }
    uint16_t number = (uint16_t)r->threads++;
    reach_name_child(r, parent, nth, number);
    r->thread[number] = (struct reach_thread){.last_send = REACH_NONE};
    return number;
}

static void created(struct reach_record *r, uint16_t parent, const struct event *ev)
{
    ensure(parent < EVENT_MAX_THREADS);
    uint16_t c = child(r, parent);
    r->number[ev->object] = c;
    r->thread[c].runtime = (uint16_t)ev->object;
    r->thread[c].born = r->thread[parent].count;
    edge(r, c, parent, REACH_FROM_THREAD);
}

/* A signalled thread learns what happened on the object; its call to time out, if any, is over. */
static void wake(struct reach_record *r, uint16_t thread, const struct reach_object *o, uint32_t signal)
{
    ensure(thread < EVENT_MAX_THREADS);
    struct reach_thread *t = &r->thread[thread];
    if (t->timed) {
        struct reach_op *op = new_op(r, thread, REACH_OBJECT);
        op->kind = EV_COND_TIMEOUT;
        op->object = o->number;
        op->component = o->own;
        op->partner = signal;
    }
    t->waits_on = 0;
    t->timed = false;
    edge(r, thread, o->number, REACH_FROM_OBJECT);
}

static void wake_waiters(struct reach_record *r, const struct event *ev,
                         const struct reach_object *o, uint32_t signal)
{
    for (uint32_t t = 0; t < r->threads; t++)
        if (r->thread[t].waits_on == ev->object &&
            object_wakes(ev, r->thread[t].runtime))
            wake(r, (uint16_t)t, o, signal);
}

static void open_barrier(struct reach_record *r, const struct reach_object *o)
{
    for (uint32_t t = 0; t < r->threads; t++)
        if (r->thread[t].barrier == o->own + 1) {
            r->thread[t].barrier = 0;
            edge(r, (uint16_t)t, o->number, REACH_FROM_OBJECT);
        }
}

/* What plain writes change is not recorded. */
static void note_contents(struct reach_op *op, const struct event *ev)
{
    enum event_class c = event_class(ev->kind);
    if ((c != CLASS_WRITE && c != CLASS_RMW && ev->kind != EV_CAS_FAIL) ||
        operation_of(ev->kind)->object != OBJECT_MEMORY)
        return;
    op->address = ev->object;
    op->size = ev->size;
    op->known = ev->size <= 8 && !operation_is(ev->kind, OP_PLAIN);
    op->was = ev->other;
    op->is = ev->value;
}

/* The operation that gave back the place which a later taker got, + 1; 0: there is none. */
static uint32_t maker_of(const struct reach_record *r, const struct reach_op *op, const struct event *ev)
{
    for (uint32_t k = 0; k < r->count && object_role(ev) == ROLE_PLACE_LATER; k++)
        if (operation_of(r->ops[k].kind)->role[0] == ROLE_PLACE_FREE && r->ops[k].object == op->object &&
            r->ops[k].choices + ev->size == ev->value)
            return k + 1;
    return 0;
}

static struct reach_op *record_object(struct reach_record *r, uint16_t thread,
                                      const struct event *ev)
{
    struct reach_object o = reach_object_of(r, ev);
    struct reach_object_state *s = reach_state_of(r, o.own);
    struct reach_op *op = new_op(r, thread, REACH_OBJECT);
    uint32_t *last = last_on(r, o.number);
    op->object = o.number;
    op->component = o.own;
    op->cancellable = reach_can_be_cancelled(r, ev);
    op->open = reach_open_list(s, ev);
    op->holder = s->held ? s->holder : 0;
    op->choices = reach_count_tokens(s, ev);
    note_contents(op, ev);
    op->maker = maker_of(r, op, ev);
    op->prev = *last;
    *last = (uint32_t)(op - r->ops);
    reach_follow(r, s, ev, &r->thread[thread]);
    int role = object_role(ev);
    if (role == ROLE_SIGNAL)
        wake_waiters(r, ev, &o, (uint32_t)(op - r->ops));
    if (role == ROLE_OPEN)
        open_barrier(r, &o);
    return op;
}

uint32_t reach_version_now(struct reach_record *r, uint32_t object)
{
    uint32_t last = *last_on(r, object);
    return last == REACH_NONE ? REACH_INITIAL : last;
}

static struct reach_op *record_read(struct reach_record *r, uint16_t thread,
                                    const struct event *ev)
{
    struct reach_object o = reach_object_of(r, ev);
    struct reach_op *op = new_op(r, thread, REACH_READ);
    op->object = o.number;
    op->component = o.own;
    op->partner = reach_version_now(r, o.number);
    return op;
}

/* The half of a compare-exchange that is not done. */
static void record_half(struct reach_record *r, uint16_t thread, const struct event *ev,
                        enum reach_class class)
{
    struct reach_object o = reach_object_of(r, ev);
    struct reach_op *op = new_op(r, thread, class);
    op->kind = EV_CAS;
    op->object = o.number;
    op->component = o.own;
    op->twin = REACH_TWIN_NEXT;
    op->open = UINT8_MAX;
    op->site = (uint32_t)ev->pc;
    if (class == REACH_READ)
        op->partner = reach_version_now(r, o.number);
    else
        note_contents(op, ev);
}

static struct reach_op *record_exchange(struct reach_record *r, uint16_t thread, const struct event *ev)
{
    bool fails = ev->kind == EV_CAS_FAIL;
    record_half(r, thread, ev, fails ? REACH_OBJECT : REACH_READ);
    struct reach_op *op = fails ? record_read(r, thread, ev) : record_object(r, thread, ev);
    op->twin = REACH_TWIN_BEFORE;
    return op;
}

static struct reach_op *record_send(struct reach_record *r, uint16_t thread,
                                    const struct event *ev)
{
    struct reach_op *op = new_op(r, thread, REACH_SEND);
    struct reach_thread *t = &r->thread[thread];
    op->object = reach_name(r, ev->object);
    op->order = (uint8_t)ev->other;
    op->flags = ev->value ? REACH_SYNCHRONOUS : 0;
    if (ev->value && r->uniform[op->object] == REACH_DECLARED) {
        r->uniform[op->object] |= REACH_NOT_ALIKE;
        r->rebound = true;
    }
    op->race = t->last_send; /* until the race sets are computed: the thread's send before it */
    uint32_t k = t->last_send;
    while (k != REACH_NONE && r->ops[k].object != op->object)
        k = r->ops[k].race;
    op->prev = k;
    t->last_send = (uint32_t)(op - r->ops);
    return op;
}

static struct reach_op *record_meeting(struct reach_record *r, uint16_t thread, const struct event *ev)
{
    struct reach_op *op = new_op(r, thread, REACH_SEND);
    op->object = reach_name(r, ev->object);
    op->order = REACH_ANY;
    edge(r, thread, op->object, REACH_TO_OBJECT);
    return op;
}

/* A place of a port that is given back is a message to whoever has to wait for it (maker_of); one that is
 * never waited for is nobody's. */
static struct reach_op *record_place(struct reach_record *r, uint16_t thread, const struct event *ev)
{
    struct reach_op *op = new_op(r, thread, REACH_SEND);
    op->object = reach_object_of(r, ev).number;
    op->order = REACH_ANY;
    op->choices = (uint32_t)ev->value;
    return op;
}

static bool is_message_to_nobody(const struct event *ev)
{
    int wanted = operation_of(ev->kind)->role[0];
    return wanted == ROLE_PLACE_FREE || (wanted == ROLE_PLACE && object_role(ev) == ROLE_NONE);
}

static bool meets(const struct event *ev)
{
    return operation_of(ev->kind)->role[0] == ROLE_MEET;
}

static uint32_t op_of_event(const struct reach_record *r, uint32_t event)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (r->ops[mid].event < event)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct reach_op *record_receive(struct reach_record *r, uint16_t thread,
                                       const struct event *ev)
{
    struct reach_thread *t = &r->thread[thread];
    uint32_t send = operation_is(ev->kind, OP_NOTHING) ? REACH_ELSE : op_of_event(r, ev->match - 1);
    struct reach_op *op = new_op(r, thread, REACH_RECEIVE);
    op->flags = ev->flags & EVENT_TIMED ? REACH_MAY_ELSE : 0;
    op->partner = send;
    op->ports = t->ports;
    op->choices = t->port_count;
    t->port_count = 0;
    if (send != REACH_ELSE) {
        op->object = r->ops[send].object;
        r->ops[send].partner = (uint32_t)(op - r->ops);
    }
    return op;
}

static void record_open(struct reach_record *r, uint16_t thread, uint64_t port)
{
    struct reach_thread *t = &r->thread[thread];
    if (r->port_count == r->room) {
        r->full = true;
        return;
    }
    if (!t->port_count)
        t->ports = r->port_count;
    r->ports[r->port_count++] = reach_name(r, port);
    t->port_count++;
}

static void record_local(struct reach_record *r, uint16_t thread, const struct event *ev)
{
    switch (ev->kind) {
    case EV_CREATE:
        created(r, thread, ev);
        break;
    case EV_JOIN:
        edge(r, thread, r->number[ev->object], REACH_FROM_THREAD);
        break;
    case EV_PORT_OPEN:
        record_open(r, thread, ev->object);
        break;
    case EV_PORT_UNIFORM:
        r->uniform[reach_name(r, ev->object)] |= REACH_DECLARED;
        break;
    case EV_MONITOR_WAIT:
        edge(r, thread, reach_name(r, ev->object), REACH_TO_OBJECT);
        break;
    case EV_MONITOR_RESUME:
    case EV_MET:
        edge(r, thread, reach_name(r, ev->object), REACH_FROM_OBJECT);
        break;
    case EV_MONITOR_EXIT:
        edge(r, thread, reach_name(r, ev->object), REACH_TO_OBJECT);
        edge(r, thread, reach_name(r, ev->object), REACH_FROM_OBJECT);
        break;
    case EV_MONITOR_SIGNAL:
        edge(r, thread, reach_name(r, ev->object), REACH_TO_OBJECT);
        if (ev->value)
            edge(r, r->number[ev->value - 1], reach_name(r, ev->object), REACH_FROM_OBJECT);
        break;
    case EV_START:
        r->thread[thread].symmetry = reach_class_of_function(r->symmetric, ev->pc);
        r->thread[thread].function = ev->pc;
        break;
    case EV_SYMMETRIC:
        r->thread[thread].symmetry = (uint16_t)ev->value;
        break;
    default:
        break;
    }
}

struct reach_op *reach_record_event(struct reach_record *r, const struct event *ev,
                                    uint32_t trace_index)
{
    uint16_t thread = r->number[ev->thread];
    struct reach_op *op;
    if (event_class(ev->kind) == CLASS_LOCAL) {
        record_local(r, thread, ev);
        return NULL;
    }
    uint32_t at = r->count;
    if (operation_sends(ev->kind))
        op = record_send(r, thread, ev);
    else if (meets(ev))
        op = record_meeting(r, thread, ev);
    else if (is_message_to_nobody(ev))
        op = record_place(r, thread, ev);
    else if (operation_is(ev->kind, OP_ONE_SOURCE | OP_NOTHING))
        op = record_receive(r, thread, ev);
    else if (reach_is_exchange(r, ev))
        op = record_exchange(r, thread, ev);
    else if (reach_is_read(r, ev->kind))
        op = record_read(r, thread, ev);
    else
        op = record_object(r, thread, ev);
    r->thread[thread].count++;
    op->kind = ev->kind;
    op->flags |= REACH_DONE;
    op->site = (uint32_t)ev->pc;
    for (; at < r->count; at++)
        r->ops[at].event = trace_index;
    return op;
}

struct reach_op *reach_record_branch(struct reach_record *r, int thread, uint32_t value,
                                     uint32_t choices)
{
    struct reach_op *op = new_op(r, (uint16_t)thread, REACH_BRANCH);
    op->flags = REACH_DONE;
    op->partner = value;
    op->choices = choices;
    op->event = r->count > 1 ? op[-1].event : 0;
    r->thread[thread].count++;
    return op;
}

void reach_record_chosen(struct reach_record *r, struct reach_op *branch, const struct event *ev)
{
    branch->kind = ev->kind;
    branch->object = reach_object_of(r, ev).number;
    if (object_role(ev) == ROLE_SIGNAL)
        edge(r, r->number[ev->value - 1], branch->thread, REACH_FROM_THREAD);
}

struct reach_op *reach_record_pending(struct reach_record *r, const struct event *next)
{
    uint16_t thread = r->number[next->thread];
    if (operation_is(next->kind, OP_WOKEN) && r->thread[thread].waits_on)
        return NULL; /* not signalled: it has not called yet */
    if (operation_sends(next->kind) || meets(next) || is_message_to_nobody(next) ||
        operation_is(next->kind, OP_SELECTS))
        return NULL; /* not sent; a receive is not a sending event */
    struct reach_object o = reach_object_of(r, next);
    bool exchange = reach_is_exchange(r, next);
    if (exchange)
        record_half(r, thread, next, REACH_OBJECT);
    struct reach_op *op = new_op(r, thread, reach_is_read(r, next->kind) ? REACH_READ : REACH_OBJECT);
    op->twin = exchange ? REACH_TWIN_BEFORE : REACH_SINGLE;
    op->kind = next->kind;
    op->object = o.number;
    op->component = o.own;
    op->site = (uint32_t)next->pc;
    if (op->class == REACH_READ) {
        op->partner = reach_version_now(r, o.number);
        return op;
    }
    const struct reach_object_state *s = reach_state_of(r, o.own);
    bool lock = operation_is(next->kind, OP_LOCKS);
    op->choices = s->tokens;
    op->cancellable = reach_can_be_cancelled(r, next);
    op->open = lock ? reach_open_list(s, next) : UINT8_MAX;
    op->holder = s->held ? s->holder : 0;
    return op;
}
