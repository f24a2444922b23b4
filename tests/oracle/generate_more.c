/* generate_more.c — <raddle/sync.h>, descriptors, queues, futexes, cancellation, the end of the
 * process. */
#include <errno.h>

#include "generate.h"

void choose_more_objects(struct maker *g)
{
    for (int i = 0; i < 2; i++) {
        if (has(g, F_keys))
            g->p->object[KEY][i] = 1;
        if (has(g, F_port))
            g->p->object[PORT][i] =
                has(g, F_causal) && chance(g, 80)
                    ? 1
                    : (chance(g, 40) ? 2 : 0) + 4 * (has(g, F_portcall) && chance(g, 40));
        if (has(g, F_rsem)) {
            g->p->object[RSEM][i] = pick(g, 2);
            g->p->object[BINARY][i] = pick(g, 2);
        }
        if (has(g, F_queue))
            g->p->object[QUEUE][i] = 1 + pick(g, 2);
        if (has(g, F_pipe))
            g->p->object[PIPE][i] = chance(g, 40);
        if (has(g, F_event))
            g->p->object[EVENT][i] = pick(g, 4);
        g->receiver[i] = pick(g, g->threads + 1);
    }
    if (has(g, F_monitor))
        g->p->object[MONITOR][0] = pick(g, 2);
}

static void make_port(struct maker *g)
{
    int port = pick(g, 2);
    struct instruction send = {OP_SEND, -1, port, 0, 1 + pick(g, 3), 0, 0};
    if (has(g, F_portcall) && chance(g, 30))
        send.op = OP_CALL;
    bool mine = g->receiver[port] == g->body;
    if (!mine || chance(g, 15)) {
        if (!(mine && (send.op == OP_CALL || g->p->object[PORT][port] >> 2)))
            put(g, send);
        return;
    }
    struct instruction receive = {OP_RECEIVE, -1, port, 0, 0, 0, 0};
    if (has(g, F_select) && chance(g, 70)) {
        receive.op = OP_SELECT;
        receive.a = (g->receiver[0] == g->body) | (g->receiver[1] == g->body) << 1;
        receive.w = pick(g, 3);
    }
    int reg = put_result(g, receive);
    send.op = OP_SEND;
    promise(g, send);
    maybe_if(g, reg, receive.op == OP_SELECT ? -1 : send.v);
}

/* Always from enter to leave. */
static void make_monitor(struct maker *g)
{
    int condition = pick(g, 2);
    if (g->inside)
        return;
    g->inside = true;
    put(g, (struct instruction){OP_ENTER, -1, 0, 0, 0, 0, 0});
    if (chance(g, 45)) {
        if (chance(g, 40)) {
            int reg =
                put_result(g, (struct instruction){OP_LOAD, -1, g->place[0], g->bits, 0, 0, 0});
            if (reg >= 0)
                put(g, (struct instruction){OP_IF_EQ, -1, 0, 0, 0, reg, 0});
            put(g, (struct instruction){OP_MONITOR_WAIT, -1, condition, 0, 0, 0, 0});
            if (reg >= 0)
                put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
        } else {
            put(g, (struct instruction){OP_MONITOR_WAIT, -1, condition, 0, 0, 0, 0});
        }
    } else {
        make_some(g, pick(g, 2));
        if (chance(g, 30))
            put_result(g, (struct instruction){OP_MONITOR_EMPTY, -1, condition, 0, 0, 0, 0});
        bool all = chance(g, 30) && g->p->object[MONITOR][0] == 0;
        put(g, (struct instruction){all ? OP_MONITOR_BROADCAST : OP_MONITOR_SIGNAL, -1, condition,
                                    0, 0, 0, 0});
    }
    make_some(g, pick(g, 2));
    put(g, (struct instruction){OP_LEAVE, -1, 0, 0, 0, 0, 0});
    g->inside = false;
}

static void make_rsem(struct maker *g)
{
    static const enum op ops[] = {OP_RSEM_WAIT,   OP_RSEM_TRY,    OP_RSEM_POST,
                                  OP_BINARY_WAIT, OP_BINARY_POST, OP_RLOCK_TAKE};
    struct instruction i = {ops[pick(g, 6)], -1, pick(g, 2), 0, 0, 0, 0};
    int bit = 20 + i.a;
    if (i.op == OP_RLOCK_TAKE) {
        if (g->held >> bit & 1)
            return;
        put(g, i);
        g->held |= 1u << bit;
        make_some(g, pick(g, 2));
        g->held &= ~(1u << bit);
        put(g, (struct instruction){OP_RLOCK_RELEASE, -1, i.a, 0, 0, 0, 0});
    } else if (i.op == OP_RSEM_TRY) {
        maybe_if(g, put_result(g, i), 1);
    } else {
        put(g, i);
        if (i.op != OP_RSEM_POST)
            promise(g, (struct instruction){i.op == OP_RSEM_WAIT     ? OP_RSEM_POST
                                            : i.op == OP_BINARY_WAIT ? OP_BINARY_POST
                                                                     : OP_BINARY_WAIT,
                                            -1, i.a, 0, 0, 0, 0});
    }
}

void make_sync(struct maker *g)
{
    int which = pick(g, 3);
    if (g->body >= THREADS)
        return;
    if (which == 0 && has(g, F_port))
        make_port(g);
    else if (which == 1 && has(g, F_monitor))
        make_monitor(g);
    else if (which == 2 && has(g, F_rsem))
        make_rsem(g);
}

static void make_queue(struct maker *g)
{
    static const enum op ops[] = {OP_MQ_SEND,        OP_MQ_SEND,          OP_MQ_TRY_SEND,
                                  OP_MQ_TIMED_SEND,  OP_MQ_RECEIVE,       OP_MQ_RECEIVE,
                                  OP_MQ_TRY_RECEIVE, OP_MQ_TIMED_RECEIVE, OP_MQ_COUNT};
    struct instruction i = {ops[pick(g, 9)], -1, pick(g, g->others), 0, 1 + pick(g, 2),
                            pick(g, 2),      0};
    int reg = put_result(g, i);
    if (i.op == OP_MQ_RECEIVE)
        promise(g, (struct instruction){OP_MQ_SEND, -1, i.a, 0, 1 + pick(g, 2), pick(g, 2), 0});
    if (i.op == OP_MQ_TRY_RECEIVE || i.op == OP_MQ_TRY_SEND)
        maybe_if(g, reg, -EAGAIN);
}

static void make_pipe(struct maker *g)
{
    static const enum op ops[] = {OP_PIPE_WRITE, OP_PIPE_WRITE, OP_PIPE_READ, OP_PIPE_READ,
                                  OP_PIPE_POLL};
    struct instruction i = {ops[pick(g, 5)], -1, pick(g, g->others), 0, 1 + pick(g, 3),
                            pick(g, 3),      0};
    if (has(g, F_eof) && chance(g, 25))
        i.op = OP_PIPE_CLOSE;
    int reg = put_result(g, i);
    if (i.op == OP_PIPE_READ || (i.op == OP_PIPE_POLL && i.w == 0))
        promise(g, (struct instruction){OP_PIPE_WRITE, -1, i.a, 0, 1 + pick(g, 3), 0, 0});
    if (i.op != OP_PIPE_WRITE)
        maybe_if(g, reg, has(g, F_eof) ? -1 : 1);
}

static void make_event(struct maker *g)
{
    struct instruction i = {chance(g, 50) ? OP_EVENT_READ : OP_EVENT_WRITE,
                            -1,
                            pick(g, g->others),
                            0,
                            1 + pick(g, 2),
                            0,
                            0};
    int reg = put_result(g, i);
    if (i.op == OP_EVENT_READ) {
        promise(g, (struct instruction){OP_EVENT_WRITE, -1, i.a, 0, 1 + pick(g, 2), 0, 0});
        maybe_if(g, reg, 1);
    }
}

static void make_futex(struct maker *g)
{
    int at = g->bits == 32 ? g->place[pick(g, 2)] : 8;
    struct instruction wait = {
        chance(g, 30) ? OP_FUTEX_TIMED : OP_FUTEX_WAIT, -1, at, 32, pick(g, 2), 0, 0};
    struct instruction wake = {OP_FUTEX_WAKE, -1, at, 32, 1 + pick(g, 2), 0, 0};
    if (chance(g, 40)) {
        put(g, (struct instruction){OP_STORE, -1, at, 32, pick(g, 2), 0, 0});
        put_result(g, wake);
        return;
    }
    maybe_if(g, put_result(g, wait), -EAGAIN);
    promise(g, wake);
}

void make_system(struct maker *g)
{
    if (g->body >= THREADS)
        return;
    switch (pick(g, 6)) {
    case 0:
        if (has(g, F_queue))
            make_queue(g);
        break;
    case 1:
        if (has(g, F_pipe))
            make_pipe(g);
        break;
    case 2:
        if (has(g, F_event))
            make_event(g);
        break;
    case 3:
        if (has(g, F_futex))
            make_futex(g);
        break;
    case 4:
        if (has(g, F_heap)) {
            enum op op = chance(g, 50) ? OP_CELL_PUT : OP_CELL_TAKE;
            maybe_if(
                g, put_result(g, (struct instruction){op, -1, pick(g, 2), 0, 1 + pick(g, 3), 0, 0}),
                -1);
        }
        break;
    case 5:
        if (has(g, F_choose))
            maybe_if(g, put_result(g, (struct instruction){OP_CHOOSE, -1, 0, 0, 2, 0, 0}), 0);
        break;
    }
}

/* Only threads made before are cancelled, and main joins the others first (it joins from the last
 * to the first then). In asynchronous mode nothing but atomics is allowed. */
void make_cancel(struct maker *g)
{
    if (!has(g, F_cancel) || g->body >= THREADS)
        return;
    int victim = g->body == 0  ? 1 + pick(g, g->threads)
                 : g->body > 1 ? 1 + pick(g, g->body - 1)
                               : 0;
    int what = pick(g, 6);
    if (what < 3 && victim) {
        put(g, (struct instruction){OP_CANCEL, -1, victim, 0, 0, 0, 0});
        if (has(g, F_async) && chance(g, 50)) /* which one that does not act at once may see */
            put(g, (struct instruction){OP_STORE, -1, g->place[0], g->bits, 3, 0, 0});
    } else if (g->body == 0) {
        return;
    } else if (what == 3) {
        put(g, (struct instruction){chance(g, 60) ? OP_TEST_CANCEL : OP_SLEEP, -1, 0, 0, 0, 0, 0});
    } else if (what == 4) {
        put(g, (struct instruction){OP_CANCEL_STATE, -1, 0, 0, 1, 0, 0});
        make_some(g, 1);
        put(g, (struct instruction){OP_CANCEL_STATE, -1, 0, 0, 0, 0, 0});
    } else if (has(g, F_async)) {
        put(g, (struct instruction){OP_CANCEL_TYPE, -1, 0, 0, 1, 0, 0});
        for (int n = 1 + pick(g, 2); n > 0; n--) {
            static const enum op ops[] = {OP_LOAD, OP_STORE, OP_ADD};
            struct instruction i = {ops[pick(g, 3)], -1, g->place[pick(g, 2)], g->bits,
                                    1 + pick(g, 2),  0,  0};
            if (i.op == OP_LOAD) /* nobody notices it if the thread ends before it has the value */
                put_result(g, i);
            else
                put(g, i);
        }
        put(g, (struct instruction){OP_CANCEL_TYPE, -1, 0, 0, 0, 0, 0});
    }
}

void make_first(struct maker *g)
{
    g->pushed = has(g, F_cancel) && chance(g, 50);
    if (g->pushed)
        put(g, (struct instruction){OP_PUSH, -1, 0, 0, CLEANUP_BODY, 0, 0});
    if (has(g, F_keys) && chance(g, 70))
        put(g, (struct instruction){OP_SET_KEY, -1, pick(g, 2), 0, 1 + pick(g, 3), 0, 0});
    if (has(g, F_symmetric))
        put(g, (struct instruction){OP_SYMMETRIC, -1, 0, 0, 1, 0, 0});
}

static void make_quick_exit(struct maker *g)
{
    bool guarded = g->registers[g->body] && chance(g, 60);
    if (guarded)
        put(g, (struct instruction){OP_IF_NE, -1, 0, 0, pick(g, 2), pick(g, g->registers[g->body]), 0});
    put(g, (struct instruction){chance(g, 50) ? OP_QUICK_EXIT : OP_EXIT_NOW, -1, 0, 0, 3, 0, 0});
    if (guarded)
        put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
}

void make_last(struct maker *g)
{
    if (has(g, F_exit) && g->body == g->threads && chance(g, 60)) {
        bool guarded = g->registers[g->body] && chance(g, 50);
        if (guarded)
            put(g, (struct instruction){OP_IF_NE, -1, 0, 0, pick(g, 2),
                                        pick(g, g->registers[g->body]), 0});
        put(g, (struct instruction){OP_EXIT, -1, 0, 0, 3, 0, 0});
        if (guarded)
            put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
    }
    if (has(g, F_quickexit) && chance(g, 50))
        make_quick_exit(g);
    if (has(g, F_keys) && (g->p->seed % 5 == 4) && chance(g, 60)) /* both have a value at the end */
        for (int key = 0; key < 2; key++)
            put(g, (struct instruction){OP_SET_KEY, -1, key, 0, 1 + pick(g, 3), 0, 0});
    if (has(g, F_keys) && chance(g, 30))
        put_result(g, (struct instruction){OP_GET_KEY, -1, pick(g, 2), 0, 0, 0, 0});
    if (g->pushed)
        put(g, (struct instruction){OP_POP, -1, 0, 0, pick(g, 2), 0, 0});
}
