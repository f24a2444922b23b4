/* Supervising a search: its workers are started, watched, asked to stop when a budget is used up,
 * prodded when they hang, replaced when they die. Everything found stays in the regions.
 *
 * A search has one slot per worker. Each slot has its own region, so a worker that dies takes nothing
 * with it but the execution it was in: the next one goes on from the engine's state in the region. */
#ifndef HOST_SUPERVISE_H
#define HOST_SUPERVISE_H

#include "base/progress.h"
#include "host/farmhand.h"
#include "host/pace.h"
#include "host/starved.h"
#include "host/team.h"
#include "host/worker.h"

#define SUPERVISE_WORKERS 64 /* at most */

struct slot {
    struct region region;
    pid_t pid; /* 0: no worker */
    int pidfd;
    int deaths;
    uint64_t redone_at; /* executions when its work was last redone */
    uint64_t pulse;  /* last seen, … */
    double pulse_at; /* … and when it changed */
    double pulse_cpu; /* … and the processor time used by then */
    double started;
    double prodded; /* when SIGUSR2 was sent for a hang; 0 = not */
    int hung;       /* killed by us because it hung */
    int cut_off;    /* … or because the time was up */
    int again;      /* was killed from outside before it reached main, and started once more */
    int finished;
};

struct search {
    const struct worker_spec *spec;
    struct run_config config;
    int traces;         /* keep the canonical form of every execution (region.traces) */
    double time;        /* seconds; 0 = no limit */
    double work;        /* … of work of the only worker (starved.h); 0 = no limit */
    int deaths_allowed; /* further workers are started after at most so many deaths */
    int quiet;
    int brief; /* a short job: already the first signal stops it at once */
    struct progress *above; /* the line in which it says how far it is; NULL: its own */
    const char *doing;      /* what it says there */
    int record_fd; /* -1 = none */

    struct slot *slots;
    int slot_count;
    struct team team; /* of more than one worker */
    struct farmhand *farm; /* config.farm: the search is shared with other machines; freed with it */
    struct worker_spec own_spec;
    double split_after; /* seconds before work is split (--set split_after=MS) */
    double saved_at; /* when checkpoints were last asked for */

    /* Results. */
    double seconds;
    int timed_out;
    int limited; /* --max-executions, on a farm */
    int interrupted; /* by a signal; 2: stopped at once */
    int asked_before, asked; /* signals before it began, and since */
    double asked_at;         /* when the first of these came */
    int gave_up;     /* too many deaths */
    int killed;      /* a worker, where nobody can go on from */
    int cut;             /* off from the farm */
    int ended_elsewhere; /* the farm's search was ended, perhaps by another participant */
    int deaths;
    int redone; /* … after which work was redone */
    uint64_t dry; /* how often a worker had to wait for work */
    double fraction, estimate, spread; /* of the whole search; 0 = unknown */
    struct progress progress;
    struct worked worked;
    struct pace pace;
};

/* One slot per worker, each with this configuration. */
int supervise_init(struct search *s, const struct worker_spec *spec, const struct run_config *config,
                int workers, struct error *e);
/* After supervise_init with config->farm: the job to take part in, and what all must have in common. */
void supervise_farm(struct search *s, const struct farm_url *url, const char *identity);
/* Takes part in it. -1: it cannot even begin; 1: the workers are to stop. */
int supervise_serve_farm(struct search *s, bool *soon, struct error *e);
void supervise_leave_farm(struct search *s);
/* Of a `struct search`: has this worker died? */
bool supervise_is_dead(void *search, int member);
/* 0 when the search is over, for whatever reason; -1 if it could not be started. */
int supervise_run(struct search *s, struct error *e);
void supervise_free(struct search *s);

/* Sums over the slots. */
uint64_t supervise_executions(const struct search *s);
uint32_t supervise_findings(const struct search *s);

#endif
