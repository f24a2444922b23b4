#include "explore/estimate.h"

int estimate_init(struct estimate *s, struct engine *e)
{
    s->finished = arena_alloc(e->arena, e->trace->step_room * sizeof *s->finished);
    return s->finished ? 0 : -1;
}

static double spread_of(struct estimate *s, double total)
{
    double spread = 0;
    for (uint32_t i = 0; i < ESTIMATE_SAMPLES && i < s->samples; i++) {
        double off = s->earlier[i] > total ? s->earlier[i] - total : total - s->earlier[i];
        spread = off > spread ? off : spread;
    }
    if (s->executions >= s->next_sample) {
        s->earlier[s->samples++ % ESTIMATE_SAMPLES] = total;
        s->next_sample = s->executions + s->executions / 5 + 1;
    }
    return spread;
}

void estimate_now(struct estimate *s, const struct engine *e,
                  uint32_t (*waiting)(const struct engine *e, uint32_t step),
                  struct engine_estimate *out)
{
    double fraction = 0, share = 1;
    for (uint32_t i = s->base; i < e->trace->step_count; i++) {
        double n = (double)s->finished[i] + waiting(e, i) + 1;
        fraction += share * s->finished[i] / n;
        share /= n;
    }
    fraction += share; /* the execution just finished */
    double total = (double)(s->executions + 1) / fraction;
    *out = (struct engine_estimate){
        .total = total, .spread = spread_of(s, total), .fraction = fraction < 1 ? fraction : 1};
}
