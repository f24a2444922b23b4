/* A participant of a farm: one search on many machines, through Redis.
 *
 * The job is a log (a Redis stream) to which every participant appends messages and which every
 * participant reads and applies to its own ledger (ledger.h). Each append is one script, so it happens as a
 * whole or not at all; the entries are numbered 1, 2, … without gaps. What was sent and not confirmed is
 * sent again after a lost connection.
 *
 * Who is there has a key that expires in Redis (`lease`; by Redis's clock, ours may be wrong). Each
 * participant looks after the next one: if its key is gone, its work is given back. One that was only slow
 * then finds itself gone in the log, and comes back as a new participant with nothing to do.
 *
 * A Redis that comes back with less than it had (a crash without fsync) has a log that does not go on from
 * what was applied: then the ledger is read anew from it, and the same happens. */
#ifndef FARM_FARM_H
#define FARM_FARM_H

#include "farm/ledger.h"
#include "farm/url.h"

#include <poll.h>

struct farm;

struct farm_job {
    struct farm_url url;
    const char *identity; /* lines "what: value" that all participants must have in common */
    struct ledger_job kind;
    uint32_t workers;
    int quiet;
};

/* For the workers 0 … workers - 1. `restart`: what they do is void, they begin with nothing to do;
 * nothing more is applied until farm_go_on. */
struct farm_events {
    void *ctx;
    void (*answered)(void *ctx, uint32_t worker, const struct work *answer);
    void (*given)(void *ctx, uint32_t worker, const struct work *item);
    void (*restart)(void *ctx);
};

/* Creates the job or joins it. Refused with what differs if it is another program or configuration. */
int farm_open(struct farm **f, const struct farm_job *job, const struct farm_events *events,
              struct error *e);
/* Gives back what it has, if it can be told. */
void farm_close(struct farm *f);

/* After `restart`: no worker is looking at what was any more. 1: not yet, Redis is gone; ask again. */
int farm_go_on(struct farm *f, struct error *e);

const struct ledger *farm_ledger(const struct farm *f);
/* Of the worker: only member, number and epoch are filled in here. */
/* Are all posts of the worker in our copy? */
bool farm_heard(const struct farm *f, uint32_t worker);
void farm_post(struct farm *f, uint32_t worker, struct ledger_post *post);
void farm_news(struct farm *f, const struct ledger_news *news);
void farm_found(struct farm *f, const struct finding *found, const struct step *steps, uint32_t count,
                const uint64_t *racy, const char *inputs);
void farm_stop(struct farm *f, enum ledger_stop why, const char *words, const struct counters *more);
void farm_leave(struct farm *f); /* its unfinished work goes back */
/* There are no workers any more: what waited for them is applied, and what comes from now on. */
void farm_alone(struct farm *f);

/* What to wait for, and when to come back at the latest (ms). */
int farm_poll(const struct farm *f, struct pollfd *fds, int *timeout); /* at most 2; returns how many */
/* Sends, receives, applies. -1: this participant cannot go on. */
int farm_serve(struct farm *f, struct error *e);
/* Until everything sent so far is in the log, or `seconds` have passed. */
int farm_flush(struct farm *f, double seconds, struct error *e);

struct farm_traffic {
    uint64_t bytes_out, bytes_in, commands, entries;
};
struct farm_traffic farm_traffic(const struct farm *f);
uint64_t farm_participant(const struct farm *f);
/* What the key of this participant says (for raddle farm status). */
void farm_say(struct farm *f, const char *line);

/* ---- for raddle farm ---- */
struct farm_view {
    struct ledger ledger;
    char *identity;
    double made, memory, used; /* when (Unix time); bytes: at most, now */
    VEC(char *) who; /* "PARTICIPANT what it says" */
};
int farm_look(const struct farm_url *u, struct farm_view *v, struct error *e);
void farm_view_free(struct farm_view *v);
int farm_ask_to_stop(const struct farm_url *u, struct error *e);
int farm_remove(const struct farm_url *u, struct error *e);

#endif
