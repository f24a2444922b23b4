/* See farm.h: sending, keeping alive, looking after the next one, lost connections. */
#include "farm/farm_impl.h"

#include "base/ensure.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANSWER 10.0   /* seconds for a reply */
#define PATIENCE 60.0 /* seconds without Redis until a participant gives up */
#define ENTER_TRIES 5
#define RETRY 0.25    /* seconds between attempts */
#define EARLY 8       /* times that one says how it goes twice a second, then as often as the lease wants */

/* ---- opening ---- */

static int catch_up(struct farm *f, struct error *e)
{
    char key[128];
    farm_key(&f->job.url, "meta", key, sizeof key);
    struct redis_arg args[] = {REDIS_TEXT("HGET"), REDIS_TEXT(key), REDIS_TEXT("n")};
    redisReply *reply = redis_call(&f->writer, ANSWER, args, 3, e);
    if (!reply)
        return -1;
    uint64_t until = reply->type == REDIS_REPLY_STRING ? strtoull(reply->str, NULL, 10) : 0;
    freeReplyObject(reply);
    double deadline = progress_now() + PATIENCE;
    while (f->applied < until) {
        struct pollfd p = {.fd = f->reader.fd, .events = POLLIN};
        if (farm_serve(f, e))
            return -1;
        if (f->applied < until && stop_asked())
            return error_set(e, EXIT_INCOMPLETE, "interrupted while the job's log was read");
        if (f->applied < until && progress_now() > deadline)
            return error_set(e, EXIT_CANNOT_START, "the job's log in Redis cannot be read to its end");
        if (f->applied < until)
            poll(&p, 1, 50);
    }
    return 0;
}

int farm_enter(struct farm *f, struct error *e)
{
    for (int tries = 1;; tries++) {
        if (redis_open(&f->writer, &f->job.url, ANSWER, e) || redis_open(&f->reader, &f->job.url, ANSWER, e))
            return -1;
        if (!farm_join(f, e) &&
            !farm_load(&f->writer, &f->job.url, &f->ledger, &f->applied, &f->last_hash, e))
            return 0;
        if (!f->writer.lost || tries == ENTER_TRIES)
            return -1;
        redis_close(&f->writer);
        redis_close(&f->reader);
        *e = (struct error){0};
        usleep((useconds_t)(RETRY * 1e6));
    }
}

int farm_open(struct farm **farm, const struct farm_job *job, const struct farm_events *events,
              struct error *e)
{
    ensure(job->workers >= 1 && job->workers <= LEDGER_WORKERS);
    struct farm *f = *farm = mem_alloc(sizeof *f);
    f->job = *job;
    f->events = *events;
    f->job.identity = mem_strdup(job->identity);
    f->writer.fd = f->reader.fd = -1;
    ledger_init(&f->ledger, &job->kind);
    if (farm_enter(f, e) || catch_up(f, e)) {
        farm_close(f);
        *farm = NULL;
        return -1;
    }
    f->live = true;
    f->beat_at = 0; /* now there is something to be said */
    return 0;
}

void farm_close(struct farm *f)
{
    for (size_t i = 0; i < f->letters.count; i++)
        free(f->letters.items[i].message.bytes);
    vec_free(&f->letters);
    free(f->waiting.bytes);
    redis_close(&f->writer);
    redis_close(&f->reader);
    ledger_free(&f->ledger);
    free((char *)f->job.identity);
    free(f);
}

const struct ledger *farm_ledger(const struct farm *f)
{
    return &f->ledger;
}

uint64_t farm_participant(const struct farm *f)
{
    return f->participant;
}

/* ---- sending ---- */

static void send_letter(struct farm *f, struct farm_letter *l)
{
    char meta[128], log[128], alive[128], kept[128], name[48], lease[32], number[32], bytes[32];
    uint64_t who = l->kind == SENDING_GONE ? l->participant : f->participant;
    const char *script = l->kind == SENDING_MESSAGE ? SCRIPT_APPEND
                         : l->kind == SENDING_GONE  ? SCRIPT_GONE
                         : l->kind == SENDING_ALIVE ? SCRIPT_ALIVE
                                                    : SCRIPT_SNAPSHOT;
    struct work about = {0};
    snprintf(name, sizeof name, "alive:%" PRIu64, who);
    farm_key(&f->job.url, "meta", meta, sizeof meta);
    farm_key(&f->job.url, "log", log, sizeof log);
    farm_key(&f->job.url, name, alive, sizeof alive);
    farm_key(&f->job.url, "kept", kept, sizeof kept);
    snprintf(lease, sizeof lease, "%.0f", f->job.url.lease * 1000);
    snprintf(number, sizeof number, "%" PRIu64, l->number);
    snprintf(bytes, sizeof bytes, "%" PRIu64, l->bytes);
    if (l->kind == SENDING_SNAPSHOT)
        ledger_write_kept(&about, l->bytes, l->message.length);
    struct redis_arg args[] = {REDIS_TEXT("EVAL"), REDIS_TEXT(script), REDIS_TEXT("4"), REDIS_TEXT(meta),
                               REDIS_TEXT(log), REDIS_TEXT(alive), REDIS_TEXT(kept), REDIS_TEXT(f->token),
                               {l->message.bytes, l->message.length}, REDIS_TEXT(lease), REDIS_TEXT(number),
                               REDIS_TEXT(bytes), {about.bytes, about.length}};
    if (l->kind == SENDING_ALIVE) {
        args[8] = REDIS_TEXT(f->line);
        l->number = f->applied;
    }
    redis_send(&f->writer, args, l->kind == SENDING_SNAPSHOT ? 13 : 10);
    free(about.bytes);
}

static void put_letter(struct farm *f, enum farm_sending kind, uint64_t participant, struct work message)
{
    vec_push(&f->letters,
             ((struct farm_letter){.kind = kind, .participant = participant, .message = message}));
}

static void put_snapshot(struct farm *f)
{
    f->keep = false;
    vec_push(&f->letters, ((struct farm_letter){.kind = SENDING_SNAPSHOT, .message = farm_snapshot(f),
                                                .number = f->applied, .bytes = f->ledger.bytes}));
}

void farm_post(struct farm *f, uint32_t worker, struct ledger_post *post)
{
    ensure(worker < f->job.workers);
    struct work message = {0};
    post->member = ledger_member(f->participant, worker);
    post->number = ++f->numbers[worker];
    post->epoch = f->ledger.epoch;
    ledger_write_post(&message, post);
    put_letter(f, SENDING_MESSAGE, 0, message);
}

bool farm_heard(const struct farm *f, uint32_t worker)
{
    ensure(worker < f->job.workers);
    const struct ledger_entry *m = ledger_find(&f->ledger, ledger_member(f->participant, worker));
    return m && m->number == f->numbers[worker];
}

void farm_news(struct farm *f, const struct ledger_news *news)
{
    struct work message = {0};
    ledger_write_news(&message, f->ledger.epoch, news);
    put_letter(f, SENDING_MESSAGE, 0, message);
}

void farm_found(struct farm *f, const struct finding *found, const struct step *steps, uint32_t count,
                const uint64_t *racy, const char *inputs)
{
    struct work message = {0};
    ledger_write_found(&message, f->ledger.epoch, found, steps, count, racy, inputs);
    put_letter(f, SENDING_MESSAGE, 0, message);
}

void farm_stop(struct farm *f, enum ledger_stop why, const char *words, const struct counters *more)
{
    struct work message = {0};
    ledger_write_stop(&message, f->ledger.epoch, why, words, more);
    put_letter(f, SENDING_MESSAGE, 0, message);
}

void farm_leave(struct farm *f)
{
    struct work message = {0};
    f->leaving = true;
    ledger_write_gone(&message, f->participant);
    put_letter(f, SENDING_MESSAGE, 0, message);
}

void farm_say(struct farm *f, const char *line)
{
    snprintf(f->line, sizeof f->line, "%s", line);
}

/* The participant after this one, in a ring; 0: there is no other. */
static uint64_t next_participant(const struct farm *f)
{
    uint64_t next = 0, first = 0;
    for (size_t i = 0; i < f->ledger.members.count; i++) {
        uint64_t who = f->ledger.members.items[i].id / LEDGER_WORKERS;
        if (who == f->participant)
            continue;
        first = !first || who < first ? who : first;
        if (who > f->participant && (!next || who < next))
            next = who;
    }
    return next ? next : first;
}

/* Once under way at a time: a slow Redis is not asked more and more. */
static void keep_watch(struct farm *f, double now)
{
    for (size_t i = 0; i < f->letters.count; i++)
        if (f->letters.items[i].kind == SENDING_GONE || f->letters.items[i].kind == SENDING_ALIVE)
            return;
    if (now >= f->beat_at) {
        double pause = f->job.url.lease / 4;
        f->beat_at = now + (f->beats++ < EARLY && pause > 0.5 ? 0.5 : pause);
        put_letter(f, SENDING_ALIVE, 0, (struct work){0});
    }
    uint64_t next = now >= f->look_at ? next_participant(f) : 0;
    if (now >= f->look_at)
        f->look_at = now + f->job.url.lease / 2;
    if (next) {
        struct work message = {0};
        ledger_write_gone(&message, next);
        put_letter(f, SENDING_GONE, next, message);
    }
}

/* ---- receiving ---- */

static int take_confirmation(struct farm *f, const redisReply *reply, struct error *e)
{
    ensure(f->sent > 0 && f->letters.count > 0);
    enum farm_sending kind = f->letters.items[0].kind;
    uint64_t known = f->letters.items[0].number; /* ALIVE: what was applied when it was sent */
    if (reply->type == REDIS_REPLY_ERROR && !strncmp(reply->str, "LOADING", 7))
        return error_set(e, EXIT_INCOMPLETE, "Redis is loading");
    if (reply->type == REDIS_REPLY_ERROR) {
        redis_refused(&f->job.url, reply, e);
        e->status = EXIT_INCOMPLETE;
        return -2;
    }
    free(f->letters.items[0].message.bytes);
    f->letters.count--;
    f->sent--;
    memmove(f->letters.items, f->letters.items + 1, f->letters.count * sizeof *f->letters.items);
    if (kind == SENDING_MESSAGE && reply->type == REDIS_REPLY_INTEGER)
        f->appended = (uint64_t)reply->integer;
    if (kind == SENDING_ALIVE && reply->type == REDIS_REPLY_INTEGER && (uint64_t)reply->integer < known)
        return farm_come_back(f, e) ? -1 : 1;
    return 0;
}

/* -1: the connection is to be made again, -2: this participant cannot go on; 1: all was begun anew. */
static int exchange(struct farm *f, struct error *e)
{
    int status, how = 0;
    redisReply *reply;
    while (f->sent < f->letters.count)
        send_letter(f, &f->letters.items[f->sent++]);
    if (!f->reading && !f->held)
        farm_ask_log(f);
    if (redis_pump(&f->writer, e) || redis_pump(&f->reader, e))
        return -1;
    while (!how && (reply = redis_next(&f->writer, &status))) {
        how = take_confirmation(f, reply, e);
        freeReplyObject(reply);
    }
    while (!how && (reply = redis_next(&f->reader, &status))) {
        bool loading = reply->type == REDIS_REPLY_ERROR && !strncmp(reply->str, "LOADING", 7);
        how = farm_take_log(f, reply, e) ? (f->reader.lost || loading ? -1 : -2) : 0;
        freeReplyObject(reply);
        if (!how && !f->reading && !f->held) {
            farm_ask_log(f);
            how = redis_pump(&f->reader, e);
        }
    }
    return how;
}

/* ---- a lost connection ---- */

/* Is the last entry that was applied still what it was? */
static int same_log(struct farm *f, struct error *e)
{
    char key[128], at[32];
    if (!f->applied)
        return 1;
    farm_key(&f->job.url, "log", key, sizeof key);
    snprintf(at, sizeof at, "%" PRIu64 "-1", f->applied);
    struct redis_arg args[] = {REDIS_TEXT("XRANGE"), REDIS_TEXT(key), REDIS_TEXT(at), REDIS_TEXT(at)};
    redisReply *reply = redis_call(&f->writer, ANSWER, args, 4, e);
    uint64_t number;
    struct work message;
    int same = reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 1 &&
               !farm_entry(reply->element[0], &number, &message) &&
               farm_hash(message.bytes, message.length) == f->last_hash;
    int lost = !reply || reply->type == REDIS_REPLY_ERROR;
    if (reply)
        freeReplyObject(reply);
    return lost ? -1 : same;
}

static void note_traffic(struct farm *f, const struct redis *r)
{
    f->lost_bytes_out += r->bytes_out;
    f->lost_bytes_in += r->bytes_in;
    f->lost_commands += r->commands;
}

/* One attempt. 0: connected again, 1: not yet, -1: given up. */
static int reconnect(struct farm *f, struct error *e)
{
    double now = progress_now();
    if (now < f->retry_at)
        return 1;
    f->retry_at = now + RETRY;
    note_traffic(f, &f->writer);
    note_traffic(f, &f->reader);
    redis_close(&f->writer);
    redis_close(&f->reader);
    f->reading = false;
    f->sent = 0;
    int same = -1;
    if (!redis_open(&f->writer, &f->job.url, 2, e) && !redis_open(&f->reader, &f->job.url, 2, e))
        same = same_log(f, e);
    if (same > 0 || (same == 0 && !farm_come_back(f, e))) {
        f->lost_since = 0;
        return 0;
    }
    redis_close(&f->writer);
    redis_close(&f->reader);
    return progress_now() - f->lost_since > PATIENCE ? -1 : 1;
}

int farm_serve(struct farm *f, struct error *e)
{
    double now = progress_now();
    if (f->refused)
        return -1;
    if (f->lost_since) {
        int how = reconnect(f, e);
        if (how)
            return how < 0 ? -1 : 0;
    }
    if (!f->leaving)
        keep_watch(f, now);
    if (f->keep && !f->held)
        put_snapshot(f);
    int how = exchange(f, e);
    if (how == -1) {
        f->lost_since = now;
        if (!f->told_lost && !f->job.quiet)
            fprintf(stderr, "raddle: the connection to Redis is lost; trying again for %.0f s\n", PATIENCE);
        f->told_lost = true;
    }
    f->refused |= how < -1;
    return f->refused ? -1 : 0;
}

int farm_poll(const struct farm *f, struct pollfd *fds, int *timeout)
{
    double now = progress_now(), next = f->lost_since ? f->retry_at : f->beat_at;
    int ms = next > now ? (int)((next - now) * 1000) + 1 : 1;
    *timeout = ms < *timeout ? ms : *timeout;
    if (f->lost_since)
        return 0;
    fds[0] = redis_wanted(&f->writer);
    fds[1] = redis_wanted(&f->reader);
    return 2;
}

int farm_flush(struct farm *f, double seconds, struct error *e)
{
    double until = progress_now() + seconds;
    while ((f->letters.count || (f->applied < f->appended && !f->held)) && progress_now() < until) {
        struct pollfd fds[2];
        int timeout = 20;
        if (farm_serve(f, e))
            return -1;
        int n = farm_poll(f, fds, &timeout);
        if (f->letters.count || f->applied < f->appended)
            poll(fds, (nfds_t)n, timeout);
    }
    return f->letters.count ? -1 : 0;
}

struct farm_traffic farm_traffic(const struct farm *f)
{
    return (struct farm_traffic){f->writer.bytes_out + f->reader.bytes_out + f->lost_bytes_out,
                                 f->writer.bytes_in + f->reader.bytes_in + f->lost_bytes_in,
                                 f->writer.commands + f->reader.commands + f->lost_commands, f->entries};
}
