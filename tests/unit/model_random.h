/* Random systems of communicating state machines, as model text: a few processes with one or two
 * ports each, guards and assignments on small variables, sends with data, receives with and without
 * a value to match, internal loops, mixed states; optionally an assertion and an invariant. */
#ifndef MODEL_RANDOM_H
#define MODEL_RANDOM_H

#include "base/rng.h"
#include "base/sbuf.h"

struct random_shape {
    int procs, states, trans, properties;
};

static inline void random_action(struct rng *r, struct sbuf *b, int self, int procs)
{
    int kind = (int)rng_below(r, 20);
    if (kind < 9) {
        int to = (int)rng_below(r, (uint32_t)(procs - 1));
        to += to >= self;
        sbuf_printf(b, "send %s to P%d.%s",
                    rng_below(r, 2)   ? "a"
                    : rng_below(r, 2) ? "b(x)"
                                      : "b(1)",
                    to, rng_below(r, 3) ? "box" : "aux");
    } else if (kind < 18) {
        static const char *const what[] = {"a", "b(x)", "b(_)", "b(=1)", "a", "b(x)"};
        sbuf_printf(b, "recv %s from %s", what[rng_below(r, 6)], rng_below(r, 3) ? "box" : "aux");
    }
}

static inline void random_body(struct rng *r, struct sbuf *b, int properties)
{
    int k = (int)rng_below(r, 6);
    if (properties && rng_below(r, 9) == 0)
        sbuf_puts(b, " { assert x != 2; }");
    else if (k == 0)
        sbuf_puts(b, " { x = (x + 1) % 3; }");
    else if (k == 1)
        sbuf_puts(b, " { if x == 0 { x = 2; } else { x = 0; } }");
}

static inline void random_transition(struct rng *r, struct sbuf *b, int self, int state,
                                     const struct random_shape *sh)
{
    sbuf_puts(b, "        ");
    if (rng_below(r, 4) == 0)
        sbuf_printf(b, "when x %s %u ", rng_below(r, 2) ? "==" : "!=", rng_below(r, 3));
    size_t before = b->len;
    random_action(r, b, self, sh->procs);
    int receives = b->len > before && b->s[before] == 'r';
    int sends = b->len > before && b->s[before] == 's';
    random_body(r, b, sh->properties);
    /* mostly forward, so that most systems are bounded; now and then a loop */
    int back = rng_below(r, receives ? 4 : 12) == 0 && !sends;
    int to = back ? (int)rng_below(r, (uint32_t)sh->states) : state + 1 + (int)rng_below(r, 2);
    if (to >= sh->states)
        to = sh->states - 1;
    sbuf_printf(b, " -> s%d;\n", to == state && sends ? sh->states - 1 : to);
}

static inline void random_model(uint64_t seed, int properties, struct sbuf *b)
{
    struct rng r;
    rng_seed(&r, seed);
    struct random_shape sh = {2 + (int)rng_below(&r, 3), 3 + (int)rng_below(&r, 3), 0, properties};
    b->len = 0;
    sbuf_puts(b, "message a, b(v: 0..2);\n");
    for (int p = 0; p < sh.procs; p++) {
        sbuf_printf(b,
                    "process P%d {\n    port box: a, b;\n    port aux: a, b;\n"
                    "    var x: 0..2 = %u;\n",
                    p, rng_below(&r, 3));
        for (int s = 0; s < sh.states; s++) {
            int last = s == sh.states - 1;
            sbuf_printf(b, "    %sstate s%d {\n", last || rng_below(&r, 6) == 0 ? "final " : "", s);
            int n = last ? (int)(rng_below(&r, 5) == 0) : 1 + (int)rng_below(&r, 3);
            for (int t = 0; t < n; t++)
                random_transition(&r, b, p, s, &sh);
            sbuf_puts(b, "    }\n");
        }
        sbuf_puts(b, "}\n");
    }
    if (properties)
        sbuf_printf(b, "invariant !(P0@s%u && P1@s%u) %s;\n", rng_below(&r, (uint32_t)sh.states),
                    rng_below(&r, (uint32_t)sh.states), rng_below(&r, 2) ? "|| P1.x != 1" : "");
}

#endif
