/* Sums of what the workers' engines take for the whole search; the fraction of a shared search is what the
 * team knows of it. */
#include "host/outlook.h"

#include "explore/estimate.h"

#include <stdio.h>

static void sum_estimates(struct search *s)
{
    double spread = 0;
    const struct shared *first = s->slots[0].region.shared;
    s->dry = 0;
    for (int i = 0; i < s->slot_count; i++) {
        const struct shared *shared = s->slots[i].region.shared;
        double own = shared->estimate_total > 0 ? shared->estimate_spread / shared->estimate_total : 0;
        spread = own > spread ? own : spread;
        s->dry += shared->exchange.dry;
    }
    if (s->farm) {
        s->fraction = farmhand_fraction(s->farm);
        s->estimate = s->fraction > 0 ? (double)supervise_executions(s) / s->fraction : 0;
        return;
    }
    if (s->slot_count == 1) {
        s->fraction = first->fraction;
        s->estimate = first->estimate_total;
        s->spread = first->estimate_spread;
        return;
    }
    double fraction = engine_find(s->config.engine)->strides ? 0 : team_fraction(&s->team);
    s->fraction = fraction < 0 ? s->fraction : fraction;
    s->estimate = s->fraction > 0 ? (double)supervise_executions(s) / s->fraction : 0;
    s->spread = spread * s->estimate;
}

struct pace_sample outlook_now(struct search *s)
{
    sum_estimates(s);
    return (struct pace_sample){progress_now() - s->progress.started, supervise_executions(s), s->estimate,
                                s->spread};
}

/* A job about a finding: how far it has come, if it is shrinking. */
static void show_job(struct search *s, struct pace_sample now)
{
    const struct shared *first = s->slots[0].region.shared;
    char left[48] = "";
    for (uint32_t i = 0; i < first->finding_count && i < SHARED_FINDINGS; i++) {
        const struct finding *f = &first->findings[i];
        if (f->step_count && finding_same(finding_id(f), s->config.target))
            snprintf(left, sizeof left, ", %u preemption%s left", f->preemptions,
                     f->preemptions == 1 ? "" : "s");
    }
    progress_line(s->above, "%s: %s executions%s, %.0f s", s->doing, progress_number(now.executions), left,
                  now.seconds);
}

void outlook_show(struct search *s, struct pace_sample now)
{
    if (s->above) {
        show_job(s, now);
        return;
    }
    const struct shared *first = s->slots[0].region.shared;
    char part[96] = "", found[48] = "", left[64];
    double done = s->fraction * s->estimate;
    if (s->fraction > 0 && estimate_known(s->estimate, s->spread, done))
        snprintf(part, sizeof part, ", roughly %.2g%% of %.2g to %.2g", estimate_percent(s->fraction),
                 estimate_least(s->estimate, s->spread, done), estimate_most(s->estimate, done));
    else if (s->fraction > 0 && estimate_least(s->estimate, s->spread, done) > 1.05 * done)
        snprintf(part, sizeof part, ", of at least %.2g", estimate_least(s->estimate, s->spread, done));
    uint32_t findings = supervise_findings(s);
    if (findings)
        snprintf(found, sizeof found, ", %u finding%s", findings, findings == 1 ? "" : "s");
    pace_left(&s->pace, now, s->time ? s->time - now.seconds : -1, left, sizeof left);
    double seconds = now.seconds > 0.001 ? now.seconds : 0.001;
    progress_line(&s->progress, "%s: %s executions%s, %.0f s%s, %s/s%s, at most %llu steps",
                  first->config.engine, progress_number(now.executions), found, seconds, left,
                  progress_number((uint64_t)((double)now.executions / seconds)), part,
                  (unsigned long long)first->max_step_count);
}
