#include "host/jobs.h"

#include "base/ensure.h"
#include "trace/sequence.h"

#include <stdio.h>
#include <string.h>

int job_fill_region(const struct job *j, struct region *r, struct error *e)
{
    ensure(j->racy_count == 0 || j->racy);
    struct shared *s = r->shared;
    s->racy_count = j->racy_count < SHARED_RACY ? j->racy_count : SHARED_RACY;
    if (s->racy_count)
        memcpy(s->racy, j->racy, s->racy_count * sizeof s->racy[0]);
    if (j->racy_names) {
        if (strlen(j->racy_names) >= sizeof s->racy_names)
            return error_set(e, EXIT_USAGE, "the schedule names too many racy accesses");
        strcpy(s->racy_names, j->racy_names);
    }
    if (region_put_steps(r, j->steps, j->step_count, e))
        return -1;
    s->trace.prefix = j->step_count;
    return 0;
}

static void take_findings(const struct search *s, struct job_result *result)
{
    ensure(s->slot_count == 1);
    const struct shared *shared = s->slots[0].region.shared;
    uint32_t n = shared->finding_count < SHARED_FINDINGS ? shared->finding_count : SHARED_FINDINGS;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&result->findings, shared->findings[i]);
    snprintf(result->divergence, sizeof result->divergence, "%s", shared->divergence);
    result->interrupted = s->interrupted;
    result->died = s->deaths > 0;
    result->late = s->timed_out;
    result->seconds = s->seconds;
}

/* Of a process that died, or was found looping, the place is only where it was seen last. */
int job_shows(const struct job_result *r, const struct finding *f)
{
    ensure(f->kind < FINDING_KINDS);
    for (size_t i = 0; i < r->findings.count; i++) {
        const struct finding *seen = &r->findings.items[i];
        if (seen->kind == f->kind &&
            (r->died || f->kind == FINDING_LIVELOCK || finding_same(finding_id(seen), finding_id(f))))
            return 1;
    }
    return 0;
}

/* Not at all if the deadline has passed. `work`: seconds of it at most, and a part of what is left; 0: all
 * of that. */
static void set_limit(const struct job *j, struct search *s, double work)
{
    double left = j->deadline ? j->deadline - progress_now() : 0;
    left = work ? left / 4 : left;
    s->time = j->deadline && left < 0.001 ? 0.001 : left;
    s->work = work;
    s->brief = 1;
}

/* Long work says how far it is: `doing` is filled. */
static void set_progress(const struct job *j, struct search *s, const char *what, char *doing, size_t room)
{
    snprintf(doing, room, "%s, %s", j->about ? j->about : "a finding", what);
    s->above = j->progress;
    s->doing = doing;
}

static void take_shorter(const struct search *s, const struct finding *target,
                         struct job_result *result)
{
    ensure(s->slot_count == 1);
    const struct region *r = &s->slots[0].region;
    for (uint32_t i = 0; i < r->shared->finding_count && i < SHARED_FINDINGS; i++) {
        const struct finding *f = &r->shared->findings[i];
        uint32_t count;
        const struct step *steps = region_steps(r, f, &count);
        if (!finding_same(finding_id(f), finding_id(target)) || !steps)
            continue;
        for (uint32_t k = 0; k < count; k++)
            vec_push(&result->steps, steps[k]);
        result->preemptions = f->preemptions;
        result->counted = 1;
        return;
    }
}

/* For a search about what was found, by an engine that takes none of the options given; on this machine. */
static struct run_config config_about_finding(const struct job *j, const char *engine)
{
    struct run_config c = j->config;
    snprintf(c.engine, sizeof c.engine, "%s", engine);
    memset(c.engine_options, 0, sizeof c.engine_options);
    c.keep_going = 1;
    c.show_output = 0;
    c.max_executions = 0;
    c.farm = 0;
    c.hang_ms = c.hang_ms < 500 ? c.hang_ms : 500;
    return c;
}

int job_shrink(const struct job *j, const struct finding *target, double seconds, unsigned tries,
               struct job_result *result, struct error *e)
{
    ensure(target->kind < FINDING_KINDS);
    struct search s;
    struct run_config c = config_about_finding(j, "shrink");
    char doing[100];
    *result = (struct job_result){0};
    c.target = finding_id(target);
    c.target_steps = j->step_count;
    c.tries = tries;
    if (supervise_init(&s, j->spec, &c, 1, e))
        return -1;
    set_limit(j, &s, seconds);
    set_progress(j, &s, "shrinking its schedule", doing, sizeof doing);
    int status = job_fill_region(j, &s.slots[0].region, e);
    s.slots[0].region.shared->trace.prefix = 0;
    if (!status)
        status = supervise_run(&s, e);
    if (!status) {
        take_findings(&s, result);
        if (!s.deaths)
            take_shorter(&s, target, result);
    }
    supervise_free(&s);
    return status;
}

#define FEWER_EXECUTIONS 20000

int job_fewer(const struct job *j, const struct finding *target, uint32_t preemptions, double seconds,
              struct job_result *result, struct error *e)
{
    ensure(preemptions > 0);
    struct search s;
    struct run_config c = config_about_finding(j, "icb");
    char doing[100];
    *result = (struct job_result){0};
    c.bound = (int32_t)preemptions - 1;
    c.max_executions = FEWER_EXECUTIONS;
    c.cache = c.coverage = c.places = c.describe = 0;
    c.traces_fd = c.spill_fd = -1;
    if (supervise_init(&s, j->spec, &c, 1, e))
        return -1;
    set_limit(j, &s, seconds);
    set_progress(j, &s, "looking for fewer preemptions", doing, sizeof doing);
    struct job empty = *j;
    empty.step_count = 0;
    int status = job_fill_region(&empty, &s.slots[0].region, e);
    if (!status)
        status = supervise_run(&s, e);
    if (!status && !s.deaths)
        take_shorter(&s, target, result);
    supervise_free(&s);
    return status;
}

int job_fate(const struct job *j, double seconds, struct fate_found *found, struct error *e)
{
    ensure(j->step_count == 0 || j->steps);
    struct search s;
    struct run_config c = config_about_finding(j, "fate");
    char doing[100];
    c.target_steps = j->step_count;
    if (supervise_init(&s, j->spec, &c, 1, e))
        return -1;
    set_limit(j, &s, seconds);
    set_progress(j, &s, "looking for its point of no return", doing, sizeof doing);
    int status = job_fill_region(j, &s.slots[0].region, e);
    struct region *r = &s.slots[0].region;
    r->shared->trace.prefix = 0;
    if (!status)
        status = supervise_run(&s, e);
    const struct fate_found *got = status ? NULL : region_at(r, r->shared->engine_state, sizeof *got);
    if (!got || s.deaths || got->doomed > j->step_count || got->avoidable >= got->doomed ||
        got->avoidable < -1)
        status = -1;
    else
        *found = *got;
    supervise_free(&s);
    return status;
}

/* A program that computes for long between two steps takes longer while every access is written down; one
 * that hangs is to be found hanging as it was. */
#define RECORDING_SLOWER 10

int job_replay(const struct job *j, const struct finding *target, int fd, struct job_result *result,
               struct error *e)
{
    struct search s;
    struct run_config c = j->config;
    *result = (struct job_result){0};
    snprintf(c.engine, sizeof c.engine, "replay");
    memset(c.engine_options, 0, sizeof c.engine_options);
    c.target = target ? finding_id(target) : (struct finding_id){.kind = FINDING_KINDS};
    c.max_executions = 0;
    c.farm = 0;
    c.keep_going = 0;
    c.record = fd >= 0;
    if (c.record && c.target.kind != FINDING_LIVELOCK && c.hang_ms < UINT32_MAX / RECORDING_SLOWER)
        c.hang_ms *= RECORDING_SLOWER;
    if (supervise_init(&s, j->spec, &c, 1, e))
        return -1;
    s.record_fd = fd;
    set_limit(j, &s, 0);
    int status = job_fill_region(j, &s.slots[0].region, e);
    if (!status)
        status = supervise_run(&s, e);
    if (!status)
        take_findings(&s, result);
    supervise_free(&s);
    return status;
}

int job_sequence(const struct worker_spec *spec, const struct run_config *config,
                 const struct event *ops, uint32_t count, const char *racy, int fd,
                 struct sequence *result, struct error *e)
{
    struct search s;
    struct run_config c = *config;
    snprintf(c.engine, sizeof c.engine, "sequence");
    snprintf((char *)c.engine_options, sizeof c.engine_options, "count=%u", count);
    c.record = fd >= 0;
    c.keep_going = 1; /* what is asked for may go on behind a failed assertion of another thread */
    if (supervise_init(&s, spec, &c, 1, e))
        return -1;
    s.record_fd = fd;
    s.brief = 1;
    struct region *r = &s.slots[0].region;
    struct event *room = region_at(r, r->shared->trace.events, count * sizeof *ops);
    int status = room ? 0 : error_set(e, EXIT_USAGE, "the sequence is longer than --max-steps");
    if (!status && strlen(racy) >= sizeof r->shared->racy_names)
        status = error_set(e, EXIT_USAGE, "the sequence has too many racy accesses");
    if (!status)
        strcpy(r->shared->racy_names, racy);
    if (!status && count)
        memcpy(room, ops, count * sizeof *ops);
    if (!status)
        status = supervise_run(&s, e);
    if (!status) {
        const struct sequence *got = region_at(r, r->shared->engine_state, sizeof *got);
        if (got && got->at <= count)
            *result = *got;
        else
            status = error_set(e, EXIT_CANNOT_START, "the program ended before it could be controlled");
    }
    supervise_free(&s);
    return status;
}

void job_result_free(struct job_result *r)
{
    vec_free(&r->findings);
    vec_free(&r->steps);
}
