#include "explore/estimate.h"

int estimate_init(struct estimate *s, struct engine *e)
{
    s->finished = arena_alloc(e->arena, e->trace->step_room * sizeof *s->finished);
    return s->finished ? 0 : -1;
}

/* Newton's iteration: the runtime has no libm. */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 40 && x > 0; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

void estimate_now(struct estimate *s, const struct engine *e,
                  uint32_t (*waiting)(const struct engine *e, uint32_t step),
                  struct engine_estimate *out)
{
    double fraction = 0, share = 1, fade;
    for (uint32_t i = s->base; i < e->trace->step_count; i++) {
        double n = (double)s->finished[i] + waiting(e, i) + 1;
        fraction += share * s->finished[i] / n;
        share /= n;
    }
    fraction += share; /* the execution just finished */
    double total = (double)(s->executions + 1) / fraction;
    s->totals++;
    fade = s->totals < 32 ? 1.0 / s->totals : 1.0 / 32;
    double off = total - s->mean;
    s->mean += fade * off;
    s->variance = (1 - fade) * (s->variance + fade * off * off);
    *out = (struct engine_estimate){
        .total = total, .spread = root(s->variance), .fraction = fraction < 1 ? fraction : 1};
}
