/* Short jobs on one schedule: making it shorter, and executing it once while recording. */
#ifndef HOST_JOBS_H
#define HOST_JOBS_H

#include "base/mem.h"
#include "explore/fate.h"
#include "host/supervise.h"

struct job {
    const struct worker_spec *spec;
    struct run_config config; /* of the search that found it; the job changes what it must */
    const uint64_t *racy;     /* addresses that are scheduling points */
    uint32_t racy_count;
    const char *racy_names; /* lines "module+0xoffset" instead, or NULL */
    const struct step *steps;
    uint32_t step_count;
    double deadline; /* it is cut off then (progress_now()); 0 = never */
    struct progress *progress; /* where it says how far it is; NULL: nowhere */
    const char *about;         /* "finding 1 of 3" */
};

struct job_result {
    VEC(struct finding) findings; /* that the execution showed; `steps` are not valid */
    VEC(struct step) steps;       /* shrink: the shorter schedule */
    uint32_t preemptions;
    int counted; /* preemptions is known */
    int interrupted, died;
    int late; /* the deadline cut it off */
    char divergence[400];
    double seconds;
};

/* The `seconds` of the following are seconds of work (starved.h), and at most a quarter of what is left until
 * the deadline.
 *
 * Looks for a shorter schedule of the finding for at most `seconds` and `tries` executions; if none
 * is found (or the finding does not appear again) result->steps is empty. */
int job_shrink(const struct job *j, const struct finding *target, double seconds, unsigned tries,
               struct job_result *result, struct error *e);

/* Looks in the order of preemptions, for at most `seconds`, for an execution with fewer than so many that
 * shows the finding: its schedule is in result->steps then. What is left out of a schedule one by one can
 * end in one with more than are needed. */
int job_fewer(const struct job *j, const struct finding *target, uint32_t preemptions, double seconds,
              struct job_result *result, struct error *e);

/* Looks for at most `seconds` for the step from which on every continuation of the schedule fails. */
int job_fate(const struct job *j, double seconds, struct fate_found *found, struct error *e);

/* Did the execution show that finding? */
int job_shows(const struct job_result *r, const struct finding *f);

/* Executes the schedule once in a fresh process, recording to fd (-1: not), up to the target if one is
 * given. */
int job_replay(const struct job *j, const struct finding *target, int fd, struct job_result *result,
               struct error *e);

/* Executes the program once along a sequence of operations, recording to fd (-1: not). */
struct sequence;
int job_sequence(const struct worker_spec *spec, const struct run_config *config,
                 const struct event *ops, uint32_t count, const char *racy, int fd,
                 struct sequence *result, struct error *e);

/* Lays the schedule into a fresh region as replay wants it. */
int job_fill_region(const struct job *j, struct region *r, struct error *e);

void job_result_free(struct job_result *r);

#endif
