/* Deterministic testing with a sequence of the user's (000_*.txt, sections I and X). The sequence is
 * followed line by line; since lines that are independent may come in any order that extends the
 * partial order, following them in the given order decides feasibility. */
#include "trace/sequence.h"

#include "base/ensure.h"
#include "explore/engine.h"

#include <stdlib.h>
#include <string.h>

static uint32_t wanted_count(const struct engine *e)
{
    const char *o = (const char *)e->config->engine_options;
    return strncmp(o, "count=", 6) ? 0 : (uint32_t)strtoul(o + 6, NULL, 10);
}

static int sequence_init(struct engine *e)
{
    struct sequence *s = e->state = arena_alloc(e->arena, sizeof *s);
    if (!s)
        return -1;
    s->count = wanted_count(e);
    s->want = arena_alloc(e->arena, (s->count + 1) * sizeof *s->want);
    s->sent = arena_alloc(e->arena, e->trace->event_room * sizeof *s->sent);
    if (!s->want || !s->sent)
        return -1;
    memcpy(s->want, e->trace->events, s->count * sizeof *s->want);
    for (uint32_t i = 0; i < s->count; i++)
        s->sends |= operation_sends(s->want[i].kind);
    return 0;
}

static void sequence_begin(struct engine *e)
{
    struct sequence *s = e->state;
    memset(s->thread, 0, sizeof s->thread);
    s->thread[0].path = SEQUENCE_MAIN;
}

static void created(struct sequence *s, const struct event *ev)
{
    struct sequence_thread *creator = &s->thread[ev->thread], *t = &s->thread[ev->object];
    t->creator = ev->thread;
    t->nth = ++creator->children;
    t->path = sequence_path(creator->path, t->nth);
}

static bool is_of(const struct sequence *s, const struct event *want, uint32_t thread)
{
    return s->thread[thread].path == want->pc;
}

/* The thread that is wanted, -1 if it has not been created. */
static int thread_of(const struct sequence *s, const struct event *want, int threads)
{
    for (int t = 0; t < threads; t++)
        if (is_of(s, want, (uint32_t)t))
            return t;
    return -1;
}

static void give_up(struct sequence *s, const struct decision *d)
{
    s->infeasible = true;
    TSET_FOR(t, d->live) {
        ensure(s->possible_count < SEQUENCE_POSSIBLE);
        s->enabled[s->possible_count] = tset_has(d->enabled, t);
        s->possible[s->possible_count++] = d->next[t];
    }
}

/* Can what the thread stands before turn out to be what is wanted? */
static bool fits(const struct event *next, const struct event *want)
{
    if (operation_is(next->kind, OP_SELECTS))
        return operation_is(want->kind, OP_ONE_SOURCE | OP_NOTHING);
    if (next->kind == EV_CAS &&
        (want->kind == EV_RMW || want->kind == EV_CAS_FAIL || want->kind == EV_LOAD))
        return next->object == want->object;
    return next->kind == want->kind && next->object == want->object;
}

static int unlisted_send(const struct sequence *s, const struct decision *d)
{
    if (!s->sends)
        TSET_FOR(t, d->enabled)
            if (operation_sends(d->next[t].kind))
                return t;
    return -1;
}

static int sequence_choose(struct engine *e, const struct decision *d)
{
    struct sequence *s = e->state;
    int send = unlisted_send(s, d);
    if (send >= 0)
        return send;
    if (s->infeasible)
        return ENGINE_ABANDON;
    if (s->at == s->count)
        return tset_first(d->enabled);
    const struct event *want = &s->want[s->at];
    int t = thread_of(s, want, d->threads);
    if (t >= 0 && tset_has(d->enabled, t) && fits(&d->next[t], want))
        return t;
    give_up(s, d);
    return ENGINE_ABANDON;
}

static bool is_message(const struct sequence *s, uint32_t event, const struct event *want)
{
    for (uint32_t i = 0; i < s->sent_count; i++) {
        const struct sequence_send *m = &s->sent[i];
        if (m->event == event)
            return operation_is(want->kind, OP_ONE_SOURCE) && s->thread[m->thread].path == want->value &&
                   m->number == want->other && m->port == want->object;
    }
    return false;
}

static int sequence_branch(struct engine *e, const struct event *op, int n)
{
    struct sequence *s = e->state;
    const struct event *want = s->at < s->count ? &s->want[s->at] : NULL;
    if (!want)
        return 0;
    if (operation_is(op->kind, OP_SELECTS)) {
        for (int i = 0; i < n; i++)
            if (e->candidates[i] == UINT32_MAX ? operation_is(want->kind, OP_NOTHING)
                                               : is_message(s, e->candidates[i], want))
                return i;
        return 0; /* observe will see that it is another one */
    }
    if (want->kind == EV_CHOOSE && is_of(s, want, op->thread) && want->value < (uint64_t)n) {
        s->at++;
        return (int)want->value;
    }
    /* A choice within an operation comes after it in the sequence. */
    if (s->at + 1 < s->count && want[1].kind == EV_CHOOSE && is_of(s, &want[1], op->thread) &&
        want[1].value < (uint64_t)n)
        return (int)want[1].value;
    return 0;
}

static void note_send(struct sequence *s, const struct event *ev, uint32_t event)
{
    uint32_t number = 1;
    for (uint32_t i = 0; i < s->sent_count; i++)
        number += s->sent[i].thread == ev->thread && s->sent[i].port == ev->object;
    s->sent[s->sent_count++] = (struct sequence_send){event, number, ev->thread, ev->object};
}

static bool as_wanted(const struct sequence *s, const struct event *ev, const struct event *want)
{
    if (ev->kind != want->kind || !is_of(s, want, ev->thread))
        return false;
    if (operation_is(ev->kind, OP_ONE_SOURCE))
        return is_message(s, ev->match - 1, want);
    return operation_is(ev->kind, OP_NOTHING) || ev->object == want->object;
}

static void sequence_observe(struct engine *e, const struct event *ev)
{
    struct sequence *s = e->state;
    if (ev->kind == EV_CREATE)
        created(s, ev);
    if (operation_sends(ev->kind))
        note_send(s, ev, e->trace->event_count - 1);
    if (event_class(ev->kind) == CLASS_LOCAL || s->at == s->count || s->infeasible ||
        (operation_sends(ev->kind) && !s->sends))
        return;
    if (!as_wanted(s, ev, &s->want[s->at])) {
        s->infeasible = true;
        s->possible[0] = *ev;
        s->enabled[0] = true;
        s->possible_count = 1;
        return;
    }
    s->at++;
    if (s->at < s->count && s->want[s->at].kind == EV_CHOOSE &&
        is_of(s, &s->want[s->at], ev->thread) && operation_is(ev->kind, OP_WAKES_ONE))
        s->at++; /* was taken within it */
}

static void sequence_ended(struct engine *e, const struct decision *d)
{
    struct sequence *s = e->state;
    if (s->at < s->count && !s->infeasible)
        give_up(s, d);
}

static int sequence_end(struct engine *e, enum outcome o)
{
    return 0;
}

const struct engine_class engine_sequence = {
    .guarantee = "one synchronization sequence",
    .follows = 1,
    .needs_ends = 1,
    .init = sequence_init,
    .begin = sequence_begin,
    .choose = sequence_choose,
    .branch = sequence_branch,
    .observe = sequence_observe,
    .ended = sequence_ended,
    .end = sequence_end,
};
