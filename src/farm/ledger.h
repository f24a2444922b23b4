/* What all participants of a farm agree on. The job's log in Redis (farm/farm.h) is a sequence of messages
 * in one order for everybody; each participant applies all of them to a ledger of its own and comes to the
 * same state, so nobody has to be asked or elected, and who joins late reads the log.
 *
 * A member is one worker of one participant. The ledger has the shared states of the search, what
 * each member works on as of its last checkpoint, and the counts up to these checkpoints: when a member is
 * gone its item is given to another one from there, so nothing is lost and nothing counted twice. A
 * message has its member's number: delivered again it is passed over.
 *
 * Engines that sample need no shared states: an item is a range of numbers of executions.
 *
 * Nothing that was read is believed: what is not well-formed, or does not fit, changes nothing and is
 * counted (`refused`). */
#ifndef FARM_LEDGER_H
#define FARM_LEDGER_H

#include "farm/feed.h"
#include "farm/pool.h"
#include "trace/shared.h"

#define LEDGER_MAGIC 0x5246u
#define LEDGER_VERSION 7u

enum ledger_kind {
    LEDGER_POST, /* what a member did: see struct ledger_post */
    LEDGER_GONE, /* a participant ended or is no longer heard of: its members with it */
    LEDGER_NEWS, /* new scheduling points: all begin again, with these */
    LEDGER_FOUND, /* a finding */
    LEDGER_STOP, /* the search is to end */
    LEDGER_KEPT, /* there is a snapshot (snapshot.h) */
    LEDGER_KINDS
};

enum ledger_stop { LEDGER_GOES_ON, LEDGER_BUG, LEDGER_LIMIT, LEDGER_ASKED, LEDGER_FAILED };

/* A member is a participant's number and that of its worker. */
#define LEDGER_WORKERS 64
static inline uint64_t ledger_member(uint64_t participant, uint32_t worker)
{
    return participant * LEDGER_WORKERS + worker;
}

#define LEDGER_WORDS 300 /* bytes */
#define LEDGER_ENTRY 64 /* bytes that an entry of the log takes beside its message */

struct ledger_post {
    uint64_t member, number; /* from 1, without gaps */
    uint32_t epoch;          /* how often the search had begun again */
    bool dry;                /* it has nothing to do */
    bool boundary;           /* it is where a leaf was done: a checkpoint without an item */
    bool answer;             /* it waits for an answer to `mail` */
    uint64_t wanted;         /* dry, sampling: how many executions it would like */
    struct counters counted; /* since its last checkpoint */
    struct limits limits;    /* that it has reached */
    bool repeats;            /* it may have explored something twice */
    char incomplete[LEDGER_WORDS]; /* why the search cannot be complete; empty: it can */
    struct bound_stats bounds; /* left_over, blocking; if active also what one phase of auto has done */
    struct work mail; /* GIFT or TOLD; length 0: none */
    struct work item; /* the new checkpoint; length 0: as before (dry: none) */
};

/* What is known of the program beyond its text, and changes what a step is. */
struct ledger_news {
    uint32_t racy_count;
    const uint64_t *racy;
    const struct lessons *lessons;
    uint32_t ports_together, isolate;
};

struct ledger_entry {
    uint64_t id, number;
    bool hungry;
    uint64_t wanted;
    struct work item; /* its last checkpoint; length 0: none */
    feed_leaves leaves; /* that it has; the item is about one of these */
    uint64_t executions;
};

struct ledger {
    struct grove *grove; /* the shared states of engines that have such; NULL */
    bool parts;          /* otherwise, unless they sample: */
    struct pool pool;    /* what is left to do is independent */
    uint64_t memory;     /* that what is shared may take */
    struct feed feed;
    uint32_t epoch;
    bool sampling;
    uint64_t limit;      /* executions in all; 0 = no limit */
    uint64_t next_range; /* sampling: the first number not given */
    struct counters counted;
    struct bound_stats bounds; /* of all, if there are bounds */
    struct limits limits;
    bool repeats;
    uint64_t discarded;  /* executions of epochs before this one */
    uint64_t applied, refused;
    uint64_t bytes; /* of all messages, with what an entry of the log takes beside */
    uint64_t kept_at, kept_size; /* the same when the last snapshot was made; its own size */
    uint64_t given;      /* items */
    uint64_t gone;       /* members that left or were lost, and had something to do */
    enum ledger_stop stop;
    char why[LEDGER_WORDS]; /* … it failed, or cannot be complete */
    VEC(struct ledger_entry) members;
    VEC(uint64_t) hungry;      /* in the order they asked */
    VEC(struct work) returned; /* items of members that are gone */
    VEC(uint64_t) racy;
    struct lessons lessons;
    uint32_t ports_together, isolate;
    VEC(struct work) findings; /* each different one, as in its message */
    struct work scratch, answer;
};

/* What applying a message means for a member; the bytes are valid during the call only. */
struct ledger_effects {
    void *ctx;
    void (*answered)(void *ctx, uint64_t member, const struct work *answer);
    void (*given)(void *ctx, uint64_t member, const struct work *item);
};

/* What the members of a job do. */
struct ledger_job {
    bool sampling;
    uint64_t limit; /* executions in all; 0 = no limit */
    struct grove *grove; /* where the shared states are kept; the caller's. NULL: there are none, */
    bool bounds;         /* … and what is left to do is done bound by bound */
    uint64_t memory;     /* how many bytes what is shared may take */
    bool (*dead)(void *ctx, int member); /* has this worker died? (feed.h) */
    void *dead_ctx;
};
void ledger_init(struct ledger *l, const struct ledger_job *job);
void ledger_free(struct ledger *l);

/* Applies a message; -1 if it was refused, as everywhere. */
int ledger_apply(struct ledger *l, struct work *message, const struct ledger_effects *effects);

/* Would it make all begin again? */
bool ledger_begins_again(const struct ledger *l, const struct work *message);

/* The participant whose post it is; 0: it is none. */
uint64_t ledger_sender(const struct work *message);

bool ledger_finished(const struct ledger *l);
/* Somebody waits for work that only a split can give? */
bool ledger_wants_split(const struct ledger *l);
/* Has it something to do? */
static inline bool ledger_busy(const struct ledger_entry *m)
{
    return m->item.length || m->leaves.count;
}
const struct ledger_entry *ledger_find(const struct ledger *l, uint64_t member);

/* ---- messages, written into memory that grows ---- */
void ledger_write_post(struct work *to, const struct ledger_post *p);
int ledger_read_post(struct work *in, struct ledger_post *p); /* behind its kind; -1: not well-formed */
/* The snapshot of a ledger: what it had in `bytes`, and how large it is. */
void ledger_write_kept(struct work *to, uint64_t bytes, uint64_t size);
void ledger_write_gone(struct work *to, uint64_t participant);
void ledger_write_news(struct work *to, uint32_t epoch, const struct ledger_news *n);
/* more: what its sender has executed since its last checkpoints. */
void ledger_write_stop(struct work *to, uint32_t epoch, enum ledger_stop why, const char *words,
                       const struct counters *more);
struct counters ledger_get_counters(struct work *in);
/* Texts: terminated when read; false if it does not fit or is none. */
void ledger_put_text(struct work *to, const char *text, size_t most);
bool ledger_get_text(struct work *in, char *text, size_t room);

struct ledger_finding {
    struct finding found; /* steps: not set */
    char inputs[SHARED_INPUTS];
    VEC(struct step) steps;
    VEC(uint64_t) racy;
};
void ledger_write_found(struct work *to, uint32_t epoch, const struct finding *f, const struct step *steps,
                        uint32_t count, const uint64_t *racy, const char *inputs);
/* -1: not well-formed. */
int ledger_read_found(struct work *from, struct ledger_finding *f);
/* Each different one is kept. -1: as before. */
int ledger_take_found(struct ledger *l, struct work *in);

/* A range of executions (trace/work.h, RANGE). */
void ledger_write_range(struct work *to, uint64_t first, uint64_t count);

#endif
