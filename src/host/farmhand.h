/* The workers of this machine as members of a farm (farm/farm.h): what they post goes into the job's log,
 * and what the log says comes back to them. The other side of struct exchange (trace/shared.h), as team.h
 * is for workers that share among themselves. */
#ifndef HOST_FARMHAND_H
#define HOST_FARMHAND_H

#include "farm/farm.h"
#include "host/team.h"

struct farmhand_worker {
    bool sent;        /* its post is on the way: it waits */
    bool asked;       /* the log knows, or will, that it has nothing to do: not to be said twice */
    bool awaited;     /* with a grove: what its leaf is called now was asked, and is not known yet */
    uint32_t ignored; /* answers to posts of a process that has died since */
    struct counters told; /* of its counters, what the log knows */
    struct work item;     /* given to it before it asked again; length 0: none */
    uint32_t findings;    /* that the log knows */
    uint32_t limits;      /* bits of those that the log knows */
    bool bounds_told;     /* the log knows what it has done of bounds */
    uint64_t saved;       /* ticket of the checkpoint that the log knows, + 1 */
    double leaves;        /* that it was given last */
    double saved_at, since; /* when that was; when it got its item, or gave part of it away */
    double asked_at, waited; /* when it asked for one; how long it took to get the last */
    uint64_t range_runs;  /* sampling: executions when it got its range */
};

struct farmhand {
    struct farm_job job;
    struct farm *farm; /* NULL: not joined yet; that happens when the first worker has reached main */
    struct team *team;
    const struct run_config *config;
    char *identity; /* of the program and its configuration */
    bool sampling;
    bool beginning; /* what the workers do is void: all must pause */
    bool news_sent; /* that it must begin again, for this epoch */
    uint32_t epoch;
    bool stopped;
    double split_after, started;
    double fraction, fraction_at; /* that is done, and when this is to be found out again */
    double say_at; /* when others are to hear again how it goes */
    struct farmhand_worker workers[LEDGER_WORKERS];
};

void farmhand_init(struct farmhand *h, const struct farm_url *url, const char *identity, struct team *team,
                   const struct run_config *config, uint32_t workers, int quiet);
/* Who can tell which workers have died. */
void farmhand_ask(struct farmhand *h, bool (*dead)(void *ctx, int worker), void *ctx);
void farmhand_free(struct farmhand *h);

/* Looks at what was posted and at what came. -1: this participant cannot go on. True in *soon: look again
 * soon. */
int farmhand_serve(struct farmhand *h, bool *soon, struct error *e);
/* A worker is gone and will be started again from its checkpoint: what it posted counts. */
void farmhand_settle(struct farmhand *h, uint32_t worker);
/* The search here is over. Tells what was found, and gives back what is not done (only_leave: others go on
 * with it); the totals and the findings of all participants are in the regions afterwards. */
void farmhand_finish(struct farmhand *h, bool only_leave);

bool farmhand_over(const struct farmhand *h); /* all is done, or somebody ended it */
double farmhand_fraction(struct farmhand *h);

#endif
