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

/* n alternatives have `size` together and each is `ratio` times the one before: the next ones? */
static double to_come(double size, uint32_t n, uint32_t waiting, double ratio)
{
    double behind = 0, ahead = 0, one = 1;
    if (n + waiting > 1000)
        return size / n * waiting;
    for (uint32_t i = 0; i < n; i++, one *= ratio)
        behind += one;
    for (uint32_t i = 0; i < waiting; i++, one *= ratio)
        ahead += one;
    return size * ahead / behind;
}

void estimate_now(struct estimate *s, const struct engine *e,
                  uint32_t (*waiting)(const struct engine *e, uint32_t step),
                  struct engine_estimate *out)
{
    bool weak = false;
    double ratio = s->before > s->later ? (1 + s->later / s->before) / 2 : 1;
    double total = 1, done = (double)s->executions + 1;
    for (uint32_t i = e->trace->step_count; i-- > s->base;) {
        double before = (double)(s->steps[i].begun - s->steps[i].entered);
        uint32_t more = waiting(e, i);
        total += before + to_come(before + total, s->finished[i] + 1u, more, ratio);
        if (more || s->finished[i])
            weak = !s->finished[i];
    }
    total = total > done ? total : done;
    double fraction = done / total;
    double spread = spread_of(s, total);
    *out = (struct engine_estimate){
        .total = total, .spread = weak && spread < total ? total : spread, .fraction = fraction};
}
