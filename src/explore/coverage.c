/* The growth curve is kept as samples whose distance grows with the number of executions (3%), so a
 * thousand of them reach as far as any exploration and its beginning is kept in detail. */
#include "explore/coverage.h"

#include "base/ensure.h"

struct coverage_watch *coverage_new(struct engine *e)
{
    struct coverage_watch *w = arena_alloc(e->arena, sizeof *w);
    uint64_t bytes = engine_memory(e) / 4;
    if (!w || signature_init(&w->signature, e) || keyset_init(&w->states, e->arena, bytes) ||
        keyset_init(&w->traces, e->arena, bytes))
        return NULL;
    return w;
}

void coverage_begin(struct coverage_watch *w)
{
    signature_begin(&w->signature);
}

void coverage_observe(struct coverage_watch *w, const struct event *ev)
{
    signature_observe(&w->signature, ev);
    if (event_class(ev->kind) != CLASS_LOCAL || ev->kind == EV_CHOOSE)
        keyset_add(&w->states, signature_now(&w->signature));
}

static void sample(struct coverage *c, uint64_t executions, uint32_t bound)
{
    ensure(c->count <= COVERAGE_SAMPLES);
    struct coverage_sample now = {executions, c->states, c->traces, bound};
    c->of_bound[bound < BOUND_STATS ? bound : BOUND_STATS - 1] = now;
    if (executions < c->next || c->count == COVERAGE_SAMPLES)
        return;
    c->samples[c->count++] = now;
    c->next = executions + 1 + executions / 32;
}

void coverage_end(struct coverage_watch *w, struct shared *s, enum outcome o)
{
    struct coverage *c = &s->coverage;
    uint32_t bound = s->bounds.bound;
    if (o == OUTCOME_COMPLETE || o == OUTCOME_BOUND)
        keyset_add(&w->traces, signature_now(&w->signature));
    c->states = w->states.count;
    c->traces = w->traces.count;
    if (keyset_full(&w->states) || keyset_full(&w->traces))
        limit_reached(&s->limits, LIMIT_COVERAGE, w->states.limit * 2 * sizeof(uint64_t) >> 10);
    sample(c, s->executions + s->blocked, bound);
    if (s->bounds.active)
        s->bounds.states[bound < BOUND_STATS ? bound : BOUND_STATS - 1] = c->states;
}
