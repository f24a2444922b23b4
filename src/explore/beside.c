#include "explore/beside.h"

#include "base/ensure.h"

#include <string.h>

int beside_make_trace(struct trace *t, const struct engine *e)
{
    const struct trace *like = e->trace;
    *t = (struct trace){.steps = arena_alloc(e->arena, like->step_room * sizeof *t->steps),
                        .events = arena_alloc(e->arena, like->event_room * sizeof *t->events),
                        .step_room = like->step_room,
                        .event_room = like->event_room};
    return t->steps && t->events ? 0 : -1;
}

void beside_put(struct trace *to, const struct trace *from)
{
    ensure(from->prefix <= from->step_room);
    to->prefix = from->prefix;
    to->known = from->known;
    memcpy(to->steps, from->steps, from->prefix * sizeof *to->steps);
    memcpy(to->events, from->events, from->known * sizeof *to->events);
}

void beside_start(struct beside *b, const struct engine *e)
{
    ensure(!b->runs);
    b->on = !b->over;
    if (b->made)
        return;
    b->config = *e->config;
    b->config.memory = engine_memory(e) / 2;
    b->config.jobs = 1;
    b->engine = engine_inside(e, &b->config);
    b->engine.limits = &b->limits;
    b->engine.bounds = &b->bounds;
    b->made = true;
    b->over = beside_make_trace(&b->aside, e) || engine_icb.init(&b->engine);
    b->on = !b->over;
}

void beside_enter(struct beside *b, struct engine *e, struct trace *first)
{
    ensure(b->on && !b->runs);
    beside_put(first, e->trace);
    beside_put(e->trace, &b->aside);
    b->runs = true;
}

void beside_leave(struct beside *b, struct engine *e, const struct trace *first, enum outcome o)
{
    ensure(b->runs);
    int more = engine_icb.end(&b->engine, o);
    beside_put(&b->aside, e->trace);
    beside_put(e->trace, first);
    b->runs = false;
    b->done++;
    b->over = !more || b->engine.incomplete || b->limits.reached;
    b->on = b->on && !b->over;
    if (!b->over && e->bounds && b->bounds.bound > e->bounds->bound + !!e->bounds->finished)
        *e->bounds = b->bounds;
}
