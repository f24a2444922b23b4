#include "explore/engine.h"

#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

#define ENGINE(symbol, name, use) extern const struct engine_class engine_##symbol;
#include "explore/engines.def"
#undef ENGINE

static const struct {
    const char *name;
    const struct engine_class *class;
} engines[] = {
#define ENGINE(symbol, name, use) {name, &engine_##symbol},
#include "explore/engines.def"
#undef ENGINE
};

int decision_free(const struct decision *d, const struct tset *asleep)
{
    struct tset awake = *d->enabled;
    bool runs = d->last >= 0 && tset_has(d->enabled, d->last);
    for (int i = 0; i < TSET_WORDS; i++)
        awake.w[i] &= ~asleep->w[i];
    if (runs && !(d->next[d->last].flags & EVENT_YIELDED))
        return tset_has(&awake, d->last) ? d->last : tset_empty(&awake) ? ENGINE_ABANDON : tset_first(&awake);
    int next = runs && d->last + 1 < EVENT_MAX_THREADS ? tset_next(&awake, d->last + 1) : -1;
    return next >= 0 ? next : tset_empty(&awake) ? ENGINE_ABANDON : tset_first(&awake);
}

int decision_free_last(const struct decision *d, const struct tset *asleep)
{
    struct tset awake = *d->enabled;
    bool runs = d->last >= 0 && tset_has(d->enabled, d->last);
    for (int i = 0; i < TSET_WORDS; i++)
        awake.w[i] &= ~asleep->w[i];
    bool yields = runs && d->next[d->last].flags & EVENT_YIELDED;
    if (runs && !yields && tset_has(&awake, d->last))
        return d->last;
    int next = yields ? tset_before(&awake, d->last) : -1;
    next = next >= 0 ? next : tset_before(&awake, EVENT_MAX_THREADS);
    return next >= 0 ? next : ENGINE_ABANDON;
}

/* Engines let it come first: what it sees, and that it then only goes round, is known from then on, before
 * any race with that look is reversed. */
int decision_look(const struct decision *d, const struct tset *asleep)
{
    TSET_FOR(t, d->enabled)
        if ((d->next[t].flags & (EVENT_SPUN | EVENT_YIELDED)) == EVENT_SPUN && t != d->last &&
            !tset_has(asleep, t))
            return t;
    return -1;
}

bool engine_takes_back(struct engine *e)
{
    struct trace *t = e->trace;
    uint32_t step = e->retry - 1;
    ensure(e->retry && e->retry == t->step_count);
    e->retry = 0;
    if (step < t->prefix)
        return false;
    t->prefix = step;
    t->known = t->steps[step].event;
    return true;
}

const struct engine_class *engine_find(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (!strcmp(engines[i].name, name))
            return engines[i].class;
    return NULL;
}

const char *engine_name(const struct engine_class *class)
{
    size_t i = 0;
    while (engines[i].class != class)
        ensure(++i < sizeof engines / sizeof engines[0]);
    return engines[i].name;
}

uint64_t engine_option(const struct engine *e, const char *name, uint64_t otherwise)
{
    const char *o = (const char *)e->config->engine_options;
    size_t n = strlen(name);
    for (; *o; o += strlen(o) + 1)
        if (!strncmp(o, name, n) && o[n] == '=')
            return strtoull(o + n + 1, NULL, 0);
    return otherwise;
}

void engine_not_known(struct engine *e, char *why, const struct event *op)
{
    static const char rest[] = " like this is not known to the engine (--engine optimal)";
    const char *name = event_name(op->kind);
    size_t length = strnlen(name, ENGINE_WHY - sizeof rest);
    if (e->incomplete)
        return;
    memcpy(why, name, length);
    memcpy(why + length, rest, sizeof rest);
    e->incomplete = why;
}
