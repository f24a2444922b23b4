#include "explore/estimate.h"

int estimate_init(struct estimate *s, struct engine *e)
{
    s->finished = arena_alloc(e->arena, e->trace->step_room * sizeof *s->finished);
    s->steps = arena_alloc(e->arena, e->trace->step_room * sizeof *s->steps);
    return s->finished && s->steps ? 0 : -1;
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
    bool weak = false;
    double total = 1, done = (double)s->executions + 1;
    for (uint32_t i = e->trace->step_count; i-- > s->base;) {
        double before = (double)(s->steps[i].begun - s->steps[i].entered);
        double each = (before + total) / (s->finished[i] + 1);
        uint32_t more = waiting(e, i);
        total += before + more * each;
        if (more || s->finished[i])
            weak = !s->finished[i];
    }
    total = total > done ? total : done;
    double fraction = done / total;
    double spread = spread_of(s, total);
    *out = (struct engine_estimate){
        .total = total, .spread = weak && spread < total ? total : spread, .fraction = fraction};
}
