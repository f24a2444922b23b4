/* What the tests of reachability testing with random programs share: the generator, brute force, and one
 * execution of a program of reach_sim.h by the reach engine. */
#ifndef TESTS_REACH_RANDOM_H
#define TESTS_REACH_RANDOM_H

#include "reach_sim.h"

#include "explore/reach/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <cmocka.h>

extern const struct engine_class engine_reach;

/* A set of numbers that are never 0. */
struct set {
    uint64_t *slot;
    size_t room, count;
};

static bool set_add(struct set *s, uint64_t x)
{
    if (s->count * 2 >= s->room) {
        struct set bigger = {calloc(s->room ? s->room * 2 : 1024, 8), s->room ? s->room * 2 : 1024, 0};
        for (size_t i = 0; i < s->room; i++)
            if (s->slot[i])
                set_add(&bigger, s->slot[i]);
        free(s->slot);
        *s = bigger;
    }
    size_t i = x % s->room;
    for (; s->slot[i]; i = (i + 1) % s->room)
        if (s->slot[i] == x)
            return false;
    s->slot[i] = x;
    s->count++;
    return true;
}

static inline bool set_has(const struct set *s, uint64_t x)
{
    for (size_t i = s->room ? x % s->room : 0; s->room && s->slot[i]; i = (i + 1) % s->room)
        if (s->slot[i] == x)
            return true;
    return false;
}

/* Brute force ---------------------------------------------------------------------------------- */

struct brute {
    struct set seen, complete;
    size_t limit;
};

/* The next script of branch values; false after the last. */
static bool next_script(struct sim *s, const struct sim *taken)
{
    for (int i = taken->branches; i-- > 0;)
        if (s->script[i] + 1 < taken->values[i]) {
            s->script[i]++;
            memset(&s->script[i + 1], 0, sizeof(int) * (size_t)(SIM_BRANCHES - i - 1));
            return true;
        }
    return false;
}

static void explore(struct brute *b, const struct sim *s);

/* Thread t's step (t < 0: the start) with all values of its branches. */
static inline void explore_step(struct brute *b, const struct sim *s, const struct sim_program *p, int t)
{
    struct sim from = *s, next;
    memset(from.script, 0, sizeof from.script);
    do {
        next = from;
        next.branches = 0;
        if (t < 0)
            sim_start(&next, p);
        else
            sim_step(&next, t);
        explore(b, &next);
    } while (next_script(&from, &next));
}

static void explore(struct brute *b, const struct sim *s)
{
    if (b->seen.count > b->limit || !set_add(&b->seen, sim_fingerprint(s) | 1))
        return;
    bool stuck = true;
    for (int t = 0; t < s->p->threads; t++)
        if (sim_enabled(s, t)) {
            stuck = false;
            explore_step(b, s, s->p, t);
        }
    if (stuck)
        set_add(&b->complete, sim_fingerprint(s) | 1);
}

/* The engine ----------------------------------------------------------------------------------- */

struct bench {
    struct engine e;
    struct run_config config;
    struct trace trace;
    struct arena arena;
};

static inline void bench_open(struct bench *b, uint64_t seed, const char *options)
{
    memset(b, 0, sizeof *b);
    b->arena.size = 1ul << 30;
    b->arena.base = mmap(NULL, b->arena.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    b->trace.step_room = 1000;
    b->config.seed = seed;
    b->config.memory = 1 << 26;
    snprintf((char *)b->config.engine_options, 200, "%s", options);
    b->e = (struct engine){.config = &b->config, .trace = &b->trace, .arena = &b->arena};
    assert_int_equal(engine_reach.init(&b->e), 0);
}

static void bench_close(struct bench *b)
{
    munmap(b->arena.base, b->arena.size);
}

static struct decision decide(const struct sim *s, struct event *next, struct tset *enabled,
                              struct tset *standing)
{
    *enabled = *standing = (struct tset){{0}};
    for (int t = 0; t < s->p->threads; t++) {
        next[t] = s->t[t].next;
        if (s->t[t].state == S_PENDING)
            tset_add(standing, t);
        if (sim_enabled(s, t))
            tset_add(enabled, t);
    }
    return (struct decision){enabled, next, standing, -1, s->p->threads};
}

/* One execution; whether it was complete. */
static bool run(struct bench *b, struct sim *s, const struct sim_program *p)
{
    struct event next[SIM_THREADS];
    struct tset enabled, standing;
    *s = (struct sim){.engine = &b->e, .class = &engine_reach};
    b->trace.event_count = 0;
    engine_reach.begin(&b->e);
    sim_start(s, p);
    for (;;) {
        struct decision d = decide(s, next, &enabled, &standing);
        int t = tset_empty(&enabled) ? -2 : engine_reach.choose(&b->e, &d);
        if (t < 0) {
            engine_reach.ended(&b->e, &d);
            return t == -2;
        }
        sim_step(s, t);
    }
}

/* As if every condition had been waited on once: from then on it belongs to its mutex. */
static inline void bind_conditions(struct reach_record *r)
{
    for (int o = 0; o < SIM_OBJECTS; o++)
        reach_object_of(r, &(struct event){.kind = EV_COND_WAIT,
                                           .object = sim_address(5, o),
                                           .other = sim_address(4, o)});
    r->rebound = false;
}

/* Random programs ------------------------------------------------------------------------------ */

static struct instr random_instr(struct rng *r, unsigned kinds)
{
    struct instr in = {.object = (uint8_t)rng_below(r, 2),
                       .guard = (uint8_t)(rng_below(r, 3) == 0 ? rng_below(r, 4) : 0),
                       .signal = (uint8_t)rng_below(r, 3),
                       .mode = (uint8_t)rng_below(r, 2)};
    do
        in.kind = (uint8_t)rng_below(r, I_KINDS);
    while (!(kinds >> in.kind & 1));
    if (in.kind == I_SEND)
        in.mode = rng_below(r, 4) == 0; /* synchronous */
    if (in.kind == I_RECEIVE)
        in.mode = (uint8_t)rng_below(r, 4) & (rng_below(r, 3) ? 1 : 3);
    return in;
}

/* A port is received from by one thread only: ports 0 and 1 by the first that does, 2 and 3 by the
 * second. */
static void assign_ports(struct sim_program *p)
{
    int first = -1, second = -1;
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++) {
            struct instr *in = &p->code[t][i];
            if (in->kind != I_RECEIVE)
                continue;
            first = first < 0 ? t : first;
            second = second < 0 && t != first ? t : second;
            if (t == first)
                in->mode = in->object ? in->mode & 2 : in->mode;
            else if (t == second)
                in->mode &= 2, in->object = (uint8_t)(2 + in->object);
            else
                in->kind = I_V;
        }
    for (int t = 0; t < p->threads; t++)
        for (int i = 0; i < p->length[t]; i++)
            if (p->code[t][i].kind == I_SEND && second >= 0)
                p->code[t][i].object = (uint8_t)(p->code[t][i].object * 2 + (t + i) % 2);
}

static inline struct sim_program random_program(struct rng *r, unsigned kinds)
{
    struct sim_program p = {.threads = 2 + (int)rng_below(r, 3),
                            .urgent = (int)rng_below(r, 2),
                            .timed = (int)rng_below(r, 3) == 0};
    for (int o = 0; o < SIM_OBJECTS; o++) {
        p.initial[o] = (int)rng_below(r, 3);
        p.order[o] = rng_below(r, 3) == 0 ? REACH_ANY : REACH_FIFO;
    }
    bool receiver = kinds >> I_RECEIVE & 1 && rng_below(r, 2);
    for (int t = 0; t < p.threads; t++) {
        bool receives = receiver && t == 0; /* otherwise little is received */
        p.length[t] = 1 + (int)rng_below(r, p.threads > 3 && !receives ? 3 : 5);
        for (int i = 0; i < p.length[t]; i++)
            p.code[t][i] = random_instr(r, receives ? 1u << I_RECEIVE : kinds);
    }
    assign_ports(&p);
    return p;
}

#endif
