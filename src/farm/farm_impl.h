/* Shared by farm.c, farm_log.c and farm_view.c alone. */
#ifndef FARM_FARM_IMPL_H
#define FARM_FARM_IMPL_H

#include "farm/farm.h"
#include "farm/redis.h"
#include "farm/scripts.h"

enum farm_sending { SENDING_MESSAGE, SENDING_GONE, SENDING_ALIVE, SENDING_SNAPSHOT };

struct farm_letter {
    enum farm_sending kind;
    uint64_t participant; /* GONE: who is looked at */
    struct work message;
    /* SNAPSHOT: the last entry that is in it; ledger.bytes then. ALIVE: the last that was applied. */
    uint64_t number, bytes;
};

struct farm {
    struct farm_job job;
    struct farm_events events;
    struct redis writer, reader;
    char token[40];
    uint64_t participant;
    uint64_t numbers[LEDGER_WORKERS]; /* of the last post of each worker */
    struct ledger ledger;
    double memory;     /* that the job may take in Redis */
    bool keep;         /* it is for us to make the next snapshot */
    uint64_t applied;  /* entries of the log */
    uint64_t last_hash; /* of the last of them */
    uint64_t appended;  /* the last that is ours */
    bool reading;      /* an XREAD is under way */
    bool known;        /* the log has our posts: being missing from it means that we were given up */
    VEC(struct farm_letter) letters; /* not confirmed yet, in order */
    size_t sent;                     /* … of which are under way */
    double beat_at, look_at, lost_since, retry_at;
    uint32_t beats;
    bool told_lost, leaving;
    bool refused; /* Redis did not take what was sent: nothing more can be told */
    /* Workers look at what the ledger has (its grove): when all is to begin again it stays as it is
     * until they pause (farm_go_on). Then this entry of the log is applied, or all is read anew. */
    bool live, held, anew;
    bool alone; /* without workers: only what is in the log is still to be known */
    double anew_at; /* not before that */
    struct work waiting;
    char line[400];
    uint64_t entries, lost_bytes_out, lost_bytes_in, lost_commands;
};

void farm_key(const struct farm_url *u, const char *what, char *key, size_t size);
uint64_t farm_hash(const void *bytes, size_t n);

/* farm_log.c: reading the log. -1: what comes is not a log, or the server refused. */
void farm_ask_log(struct farm *f);
int farm_take_log(struct farm *f, const redisReply *reply, struct error *e);
/* The ledger from nothing, as another participant. */
int farm_come_back(struct farm *f, struct error *e);
/* The entry of a stream's reply: its number and message; -1: it is none. */
int farm_entry(const redisReply *entry, uint64_t *number, struct work *message);
int farm_join(struct farm *f, struct error *e);
/* Opens the connections, joins and reads the last snapshot. A connection that is cut before the answer comes
 * is made again, a few times: who asked twice has two numbers and uses the second. */
int farm_enter(struct farm *f, struct error *e);
/* farm_keep.c: snapshots. A ledger that ledger_init has left becomes the last snapshot's, if there is one;
 * the last entry in it, and that one's hash. */
int farm_load(struct redis *r, const struct farm_url *u, struct ledger *l, uint64_t *applied, uint64_t *hash,
              struct error *e);
/* The number of the last entry that is in a snapshot; -1: it cannot be had. */
int64_t farm_kept(struct redis *r, const struct farm_url *u, struct error *e);
/* A message of a participant has been applied: is it time for the next one? */
void farm_consider(struct farm *f, uint64_t before, uint64_t participant);
struct work farm_snapshot(const struct farm *f);

#endif
