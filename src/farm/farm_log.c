/* Joining a job and following its log. */
#include "farm/farm_impl.h"
#include "base/progress.h"
#include "farm/bytes.h"

#include "base/ensure.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define ANSWER 10.0 /* seconds for a reply */

void farm_key(const struct farm_url *u, const char *what, char *key, size_t size)
{
    snprintf(key, size, "raddle:%s:%s", u->job, what);
}

uint64_t farm_hash(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

/* ---- joining ---- */

/* The first line that the job and we have differently. */
static int differs(const char *ours, const char *theirs, struct error *e)
{
    while (*ours && *theirs) {
        size_t n = strcspn(ours, "\n"), m = strcspn(theirs, "\n");
        if (n != m || memcmp(ours, theirs, n)) {
            error_set(e, EXIT_CANNOT_START, "this job is about something else: here %.*s, there %.*s",
                      (int)(n < 300 ? n : 300), ours, (int)(m < 300 ? m : 300), theirs);
            return error_todo(e, "all participants run the same program with the same options; "
                                 "another search needs another job's name");
        }
        ours += n + (ours[n] == '\n');
        theirs += m + (theirs[m] == '\n');
    }
    return *ours || *theirs ? error_set(e, EXIT_CANNOT_START, "this job was made by another raddle") : 0;
}

static int take_joined(struct farm *f, const redisReply *reply, struct error *e)
{
    const struct farm_job *job = &f->job;
    if (reply->type == REDIS_REPLY_ERROR)
        return redis_refused(&job->url, reply, e);
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 4 ||
        reply->element[0]->type != REDIS_REPLY_INTEGER || reply->element[0]->integer < 1 ||
        reply->element[1]->type != REDIS_REPLY_STRING || reply->element[1]->len >= sizeof f->token ||
        reply->element[2]->type != REDIS_REPLY_STRING || reply->element[3]->type != REDIS_REPLY_STRING)
        return error_set(e, EXIT_CANNOT_START, "the Redis at %s has something else under this job's name",
                         job->url.host);
    f->participant = (uint64_t)reply->element[0]->integer;
    f->memory = strtod(reply->element[3]->str, NULL);
    snprintf(f->token, sizeof f->token, "%s", reply->element[1]->str);
    return differs(job->identity, reply->element[2]->str, e);
}

int farm_join(struct farm *f, struct error *e)
{
    const struct farm_job *job = &f->job;
    char key[128], memory[32], made[33];
    unsigned char random[16] = {0};
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return error_set(e, EXIT_INTERNAL, "cannot get random bytes");
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(made + 2 * i, 3, "%02x", random[i]);
    farm_key(&job->url, "meta", key, sizeof key);
    snprintf(memory, sizeof memory, "%.0f", job->url.memory);
    struct redis_arg args[] = {REDIS_TEXT("EVAL"), REDIS_TEXT(SCRIPT_JOIN), REDIS_TEXT("1"),
                               REDIS_TEXT(key), REDIS_TEXT(job->identity), REDIS_TEXT(memory),
                               REDIS_TEXT(made), REDIS_TEXT(job->url.memory_given ? "1" : "0")};
    redisReply *reply = redis_call(&f->writer, ANSWER, args, 8, e);
    if (!reply)
        return -1;
    int bad = take_joined(f, reply, e);
    freeReplyObject(reply);
    return bad;
}

/* ---- the log ---- */

int farm_entry(const redisReply *entry, uint64_t *number, struct work *message)
{
    if (entry->type != REDIS_REPLY_ARRAY || entry->elements != 2 ||
        entry->element[0]->type != REDIS_REPLY_STRING || entry->element[1]->type != REDIS_REPLY_ARRAY ||
        entry->element[1]->elements != 2 || entry->element[1]->element[1]->type != REDIS_REPLY_STRING)
        return -1;
    const redisReply *bytes = entry->element[1]->element[1];
    *number = strtoull(entry->element[0]->str, NULL, 10);
    *message = (struct work){.bytes = (unsigned char *)bytes->str, .length = bytes->len, .room = bytes->len};
    return 0;
}

void farm_ask_log(struct farm *f)
{
    char key[128], from[32];
    farm_key(&f->job.url, "log", key, sizeof key);
    snprintf(from, sizeof from, "%" PRIu64 "-1", f->applied);
    struct redis_arg args[] = {REDIS_TEXT("XREAD"), REDIS_TEXT("COUNT"), REDIS_TEXT("500"),
                               REDIS_TEXT("BLOCK"), REDIS_TEXT("1000"), REDIS_TEXT("STREAMS"),
                               REDIS_TEXT(key), REDIS_TEXT(from)};
    redis_send(&f->reader, args, 8);
    f->reading = true;
}

static void answered(void *farm, uint64_t member, const struct work *answer)
{
    struct farm *f = farm;
    if (member / LEDGER_WORKERS == f->participant && f->events.answered)
        f->events.answered(f->events.ctx, (uint32_t)(member % LEDGER_WORKERS), answer);
}

static void given(void *farm, uint64_t member, const struct work *item)
{
    struct farm *f = farm;
    if (member / LEDGER_WORKERS == f->participant && f->events.given)
        f->events.given(f->events.ctx, (uint32_t)(member % LEDGER_WORKERS), item);
}

/* One of our members was in the ledger and is no longer: others have given us up. */
static bool given_up(struct farm *f)
{
    bool there = false;
    for (uint32_t i = 0; i < f->job.workers && !there; i++)
        there = ledger_find(&f->ledger, ledger_member(f->participant, i)) != NULL;
    bool was = f->known;
    f->known |= there;
    return was && !there && !f->leaving;
}

static void hold(struct farm *f)
{
    f->held = true;
    if (f->events.restart)
        f->events.restart(f->events.ctx);
}

/* The next entry is not there: it was taken out of the log, since all of it is in a snapshot. */
static int behind(struct farm *f, struct error *e)
{
    int64_t kept = farm_kept(&f->reader, &f->job.url, e);
    if (kept > 0 && (uint64_t)kept > f->applied)
        return farm_come_back(f, e) ? -1 : 1;
    return kept < 0 ? -1
                    : error_set(e, EXIT_INCOMPLETE,
                                "the job's log in Redis has a gap: somebody else wrote to it");
}

static int apply(struct farm *f, const redisReply *entry, struct error *e)
{
    const struct ledger_effects effects = {f, answered, given};
    uint64_t number;
    struct work message;
    if (farm_entry(entry, &number, &message))
        return error_set(e, EXIT_INCOMPLETE, "the job's log in Redis is not one");
    if (number != f->applied + 1)
        return behind(f, e);
    if (f->live && ledger_begins_again(&f->ledger, &message)) {
        f->waiting.length = 0;
        bytes_add(&f->waiting, message.bytes, message.length);
        hold(f);
        return 1;
    }
    uint32_t epoch = f->ledger.epoch;
    uint64_t before = f->ledger.bytes;
    ledger_apply(&f->ledger, &message, &effects);
    f->applied = number;
    f->entries++;
    farm_consider(f, before, ledger_sender(&message));
    if (epoch != f->ledger.epoch && f->events.restart)
        f->events.restart(f->events.ctx);
    return given_up(f) ? (farm_come_back(f, e) ? -1 : 1) : 0;
}

/* Of the entries up to this one the last that was applied is remembered. */
static void note_last(struct farm *f, const redisReply *entries, size_t i)
{
    uint64_t number;
    struct work message;
    for (size_t k = i < entries->elements ? i + 1 : i; k > 0; k--)
        if (!farm_entry(entries->element[k - 1], &number, &message) && number == f->applied) {
            f->last_hash = farm_hash(message.bytes, message.length);
            return;
        }
}

/* [[log, [entry…]]], or nil after a second of nothing. */
int farm_take_log(struct farm *f, const redisReply *reply, struct error *e)
{
    f->reading = false;
    if (reply->type == REDIS_REPLY_ERROR)
        return redis_refused(&f->job.url, reply, e);
    if (reply->type == REDIS_REPLY_NIL)
        return 0;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 1 ||
        reply->element[0]->type != REDIS_REPLY_ARRAY || reply->element[0]->elements != 2 ||
        reply->element[0]->element[1]->type != REDIS_REPLY_ARRAY)
        return error_set(e, EXIT_INCOMPLETE, "the job's log in Redis is not one");
    const redisReply *entries = reply->element[0]->element[1];
    size_t i = 0;
    int how = 0;
    while (i < entries->elements && !(how = apply(f, entries->element[i], e)))
        i++;
    note_last(f, entries, i);
    return how < 0 ? -1 : 0; /* 1: the ledger was begun anew */
}

static int read_anew(struct farm *f, struct error *e)
{
    for (size_t i = 0; i < f->letters.count; i++)
        free(f->letters.items[i].message.bytes);
    f->letters.count = f->sent = 0;
    redis_close(&f->writer);
    redis_close(&f->reader);
    ledger_free(&f->ledger);
    ledger_init(&f->ledger, &f->job.kind);
    f->applied = f->last_hash = f->appended = 0;
    f->known = f->reading = f->anew = f->keep = false;
    memset(f->numbers, 0, sizeof f->numbers);
    f->beat_at = 0;
    return farm_enter(f, e);
}

int farm_come_back(struct farm *f, struct error *e)
{
    if (f->alone)
        return 0;
    if (!f->live)
        return read_anew(f, e);
    f->anew = true;
    hold(f);
    return 0;
}

/* Redis may be gone again: then a little later; whoever serves the farm gives up in the end. */
static int begin_anew(struct farm *f, struct error *e)
{
    double now = progress_now();
    f->held = f->anew = true;
    if (now < f->anew_at)
        return 1;
    f->anew_at = now + 0.25;
    if (!read_anew(f, e)) {
        f->held = false;
        return 0;
    }
    bool gone = f->writer.fd < 0 || f->writer.lost || f->reader.fd < 0 || f->reader.lost;
    f->anew = true;
    return gone ? 1 : -1;
}

int farm_go_on(struct farm *f, struct error *e)
{
    const struct ledger_effects effects = {f, answered, given};
    if (!f->held)
        return 0;
    f->held = false;
    if (f->anew)
        return begin_anew(f, e);
    ledger_apply(&f->ledger, &f->waiting, &effects);
    f->applied++;
    f->last_hash = farm_hash(f->waiting.bytes, f->waiting.length);
    f->entries++;
    return 0;
}

void farm_alone(struct farm *f)
{
    struct error e;
    farm_go_on(f, &e); /* what cannot be read anew now stays as it is */
    f->live = f->held = false;
    f->alone = true;
}
