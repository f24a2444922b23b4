/* Final states, of executions of the simulator, as docs/state-matching.md says what a state is: what every
 * thread that has not ended has done and seen, the state of every synchronization object, and of every
 * variable who wrote it last and from which local state, or its value. A variable is what is accessed as a
 * whole; a word of memory of which overlapping parts are accessed is one. Written from that and not from the
 * engine. */
#ifndef FINAL_STATES_H
#define FINAL_STATES_H

#include "local_states.h"

enum { FINAL_WORDS = SIM_MEMORY / 8 + 2, FINAL_OBJECTS = 8 };

/* Which accesses there are. */
struct final_words {
    uint8_t size[8 * FINAL_WORDS]; /* of what is accessed at a byte */
    bool whole[FINAL_WORDS];       /* accessed in parts that overlap */
};

/* What is known along one execution. */
struct final_run {
    const struct final_words *words;
    bool values;
    uint64_t thread[SIM_THREADS];
    uint64_t place[8 * FINAL_WORDS]; /* of the variable that begins at a byte */
};

static void final_note_access(struct final_words *w, uint64_t at, unsigned size)
{
    uint64_t word = at / 8;
    for (uint64_t b = 8 * word; b < 8 * word + 8; b++)
        if (w->size[b] && b < at + size && at < b + w->size[b] && (b != at || w->size[b] != size))
            w->whole[word] = true;
    w->size[at] = (uint8_t)size;
}

static bool final_is_memory(const struct event *ev)
{
    return ev->size && ev->object < 8 * FINAL_WORDS;
}

/* All accesses of the program, as far as they are performed. */
static bool final_find_words(const struct sim_program *p, long limit, struct final_words *out)
{
    static struct sim_worker w;
    int more = 1;
    memset(out, 0, sizeof *out);
    sim_worker_open(&w, p, "dfs", 1);
    w.collect = 0;
    for (long n = 0; more && n < limit; n++) {
        more = sim_worker_once(&w);
        for (uint32_t i = 0; i < w.trace.event_count; i++)
            if (final_is_memory(&w.trace.events[i]))
                final_note_access(out, w.trace.events[i].object, w.trace.events[i].size);
    }
    sim_worker_close(&w);
    return !more;
}

static uint64_t final_access(struct final_run *r, const struct event *ev)
{
    bool whole = r->words->whole[ev->object / 8];
    uint64_t *place = &r->place[whole ? ev->object & ~7ull : ev->object], was = *place;
    enum event_class class = event_class(ev->kind);
    bool all = !whole || ev->size == 8;
    if (class != CLASS_READ)
        *place = r->values && all ? mix(ev->value, 99)
                                  : mix(r->thread[ev->thread], all && class == CLASS_WRITE ? 0 : was);
    return class == CLASS_WRITE ? 0 : was;
}

static void final_event(struct final_run *r, const struct event *events, const struct event *ev)
{
    uint64_t *own = &r->thread[ev->thread], got = learnt(events, ev);
    if (ev->kind == EV_CREATE)
        r->thread[ev->object] = mix(*own, ev->object + 1);
    if (ev->kind == EV_START)
        return;
    if (final_is_memory(ev))
        got = final_access(r, ev);
    *own = mix(mix(mix(*own, ev->kind), ev->object), got);
}

/* Of an execution that has come to its end. */
static struct sim_trace_id final_state(const struct sim_worker *w, const struct final_words *words,
                                       bool values)
{
    static struct final_run r;
    const struct sim_state *s = &w->now;
    uint64_t h = 5;
    memset(&r, 0, sizeof r);
    r.words = words;
    r.values = values;
    for (uint32_t i = 0; i < w->trace.event_count; i++)
        final_event(&r, w->trace.events, &w->trace.events[i]);
    for (int t = 0; t < s->threads; t++)
        h = mix(h, sim_live(s, t) ? mix(mix(r.thread[t], s->t[t].phase), s->t[t].signalled) : 1);
    for (int b = 0; b < 8 * FINAL_WORDS; b++)
        h = mix(h, r.place[b]);
    for (int o = 0; o < FINAL_OBJECTS; o++)
        h = mix(h, (uint64_t)(uint16_t)s->count[o] << 16 | (uint16_t)s->owner[o]);
    return (struct sim_trace_id){h, 3};
}

/* How many there are, by who wrote variables and by their values. False: there are too many executions. */
static bool final_states(const struct sim_program *p, long limit, long count[2])
{
    static struct sim_worker w;
    static struct final_words words;
    struct sim_set all[2] = {{0}};
    int more = 1;
    if (!final_find_words(p, limit, &words))
        return false;
    sim_worker_open(&w, p, "dfs", 1);
    w.collect = 0;
    for (long n = 0; more && n < limit; n++) {
        more = sim_worker_once(&w);
        for (int values = 0; values < 2 && tset_empty(&w.enabled); values++)
            sim_set_add(&all[values], final_state(&w, &words, values));
    }
    sim_worker_close(&w);
    for (int values = 0; values < 2; values++) {
        count[values] = (long)all[values].used;
        sim_set_free(&all[values]);
    }
    return !more;
}

#endif
