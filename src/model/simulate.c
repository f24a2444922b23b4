#include "model/simulate.h"

#include "base/rng.h"
#include "model/chart.h"
#include "model/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Shows the choices and reads a number; -1: no more input, or "q". */
static int ask(const struct sys *s, const struct gstate *g, const step_list *l)
{
    struct sbuf b = {0};
    show_state(s, g, "  ", &b);
    for (size_t i = 0; i < l->count; i++) {
        sbuf_printf(&b, "%3zu  ", i + 1);
        show_step(s, g, l->items[i], &b);
        sbuf_putc(&b, '\n');
    }
    printf("%s", sbuf_str(&b));
    sbuf_free(&b);
    char line[64];
    for (;;) {
        printf("step 1-%zu, q to end: ", l->count);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin) || line[0] == 'q')
            return -1;
        char *end;
        long n = strtol(line, &end, 10);
        if (end != line && n >= 1 && (size_t)n <= l->count)
            return (int)n - 1;
    }
}

static const char *ending(const struct sys *s, const struct gstate *g, struct run *r,
                          const step_list *l)
{
    if (r->fault.kind)
        return NULL;
    if (l->count)
        return "stopped";
    return step_is_final(s, g) ? "final state: every process has ended and all ports are empty"
                               : "deadlock: nobody can move, and this is not a final state";
}

static void print_run(const struct sys *s, const step_list *steps, const char *end,
                      const struct fault *fault)
{
    struct chart c;
    struct sbuf b = {0};
    chart_build(&c, s, steps);
    chart_text(&c, 0, &b);
    sbuf_putc(&b, '\n');
    show_state(s, &c.end, "  ", &b);
    if (end)
        sbuf_printf(&b, "%s\n", end);
    else
        show_fault(s, fault, &b);
    puts(sbuf_str(&b));
    sbuf_free(&b);
    chart_free(&c);
}

int simulate(const struct sys *s, long long seed, long long steps, int guided)
{
    struct run r = {.s = s};
    struct gstate g;
    struct rng rng;
    step_list taken = {0}, enabled = {0};
    if (seed < 0)
        seed = (long long)time(NULL) % 1000000;
    rng_seed(&rng, (uint64_t)seed);
    g.len = sys_initial(s, g.b);
    for (long long n = 0;; n++) {
        enabled.count = 0;
        step_all(&r, &g, &enabled);
        if (!enabled.count || n == steps || r.fault.kind)
            break;
        int k = guided ? ask(s, &g, &enabled) : (int)rng_below(&rng, (uint32_t)enabled.count);
        if (k < 0)
            break;
        struct gstate before = g;
        vec_push(&taken, enabled.items[k]);
        step_exec(&r, &g, enabled.items[k]);
        if (r.fault.kind) {
            g = before;
            break;
        }
    }
    const char *end = ending(s, &g, &r, &enabled);
    struct fault fault = r.fault;
    print_run(s, &taken, end, &fault);
    if (!guided)
        printf("seed %lld\n", seed);
    int bad = fault.kind || (!enabled.count && !step_is_final(s, &g));
    vec_free(&taken);
    vec_free(&enabled);
    return bad ? EXIT_BUG : EXIT_SAFE;
}
