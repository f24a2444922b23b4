/* raddle farm: looking at a job, ending it, removing it. */
#include "farm/farm_impl.h"

#include "base/ensure.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ANSWER 10.0 /* seconds for a reply */

static redisReply *call(struct redis *r, const struct farm_url *u, const struct redis_arg *args, size_t n,
                        struct error *e)
{
    redisReply *reply = redis_call(r, ANSWER, args, n, e);
    if (reply && reply->type == REDIS_REPLY_ERROR) {
        redis_refused(u, reply, e);
        freeReplyObject(reply);
        return NULL;
    }
    return reply;
}

static int no_job(const struct farm_url *u, struct error *e)
{
    return error_set(e, EXIT_CANNOT_START, "there is no job %s at %s:%s", u->job, u->host, u->port);
}

/* The fields of the job; `token` for appending to it. */
static int read_meta(struct redis *r, const struct farm_url *u, struct farm_view *v, char *token, size_t size,
                     struct error *e)
{
    char key[128];
    farm_key(u, "meta", key, sizeof key);
    struct redis_arg args[] = {REDIS_TEXT("HMGET"), REDIS_TEXT(key), REDIS_TEXT("mark"),
                               REDIS_TEXT("identity"), REDIS_TEXT("memory"), REDIS_TEXT("bytes"),
                               REDIS_TEXT("token"), REDIS_TEXT("made")};
    redisReply *reply = call(r, u, args, 8, e);
    if (!reply)
        return -1;
    int bad = reply->type != REDIS_REPLY_ARRAY || reply->elements != 6;
    for (size_t i = 0; !bad && i < 6; i++)
        bad = reply->element[i]->type != REDIS_REPLY_STRING;
    if (!bad && !strcmp(reply->element[0]->str, SCRIPT_MARK)) {
        v->identity = mem_strdup(reply->element[1]->str);
        v->memory = strtod(reply->element[2]->str, NULL);
        v->used = strtod(reply->element[3]->str, NULL);
        snprintf(token, size, "%s", reply->element[4]->str);
        v->made = strtod(reply->element[5]->str, NULL);
    } else {
        bad = no_job(u, e);
    }
    freeReplyObject(reply);
    return bad ? -1 : 0;
}

static const char *line_of(const char *identity, const char *what, char *out, size_t size)
{
    const char *at = strstr(identity, what);
    size_t n = at ? strcspn(at + strlen(what), "\n") : 0;
    snprintf(out, size, "%.*s", (int)n, at ? at + strlen(what) : "");
    return out;
}

/* What the job's engine does. */
static int job_of(const char *identity, struct ledger_job *job, struct error *e)
{
    char name[32], limit[32];
    const struct engine_class *engine = engine_find(line_of(identity, "\nengine: ", name, sizeof name));
    if (!engine)
        return error_set(e, EXIT_CANNOT_START, "the job's engine is not known here");
    *job = (struct ledger_job){.sampling = engine->strides, .memory = 1ull << 30,
                                .bounds = engine->give && engine->bound_unit};
    job->limit = strtoull(line_of(identity, "\n--max-executions: ", limit, sizeof limit), NULL, 10);
    if (!engine->portion)
        return 0;
    void *p = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        return error_set(e, EXIT_INTERNAL, "cannot get memory for the job's state");
    job->grove = p;
    return 0;
}

static void nothing(void *ctx, uint64_t member, const struct work *bytes)
{
}

/* Behind what was applied so far; 1: the next entry is not there. */
static int apply_entries(struct ledger *l, const redisReply *reply, uint64_t *applied)
{
    const struct ledger_effects none = {NULL, nothing, nothing};
    for (size_t i = 0; i < reply->elements; i++) {
        uint64_t number;
        struct work message;
        if (farm_entry(reply->element[i], &number, &message) || number != *applied + 1)
            return 1;
        ledger_apply(l, &message, &none);
        *applied = number;
    }
    return 0;
}

/* 1: the log was cut while it was read. */
static int read_log(struct redis *r, const struct farm_url *u, struct farm_view *v, struct error *e)
{
    char key[128], from[48];
    uint64_t applied = 0, hash;
    if (farm_load(r, u, &v->ledger, &applied, &hash, e))
        return -1;
    farm_key(u, "log", key, sizeof key);
    for (size_t got = 1; got;) {
        snprintf(from, sizeof from, "(%llu-1", (unsigned long long)applied);
        struct redis_arg args[] = {REDIS_TEXT("XRANGE"), REDIS_TEXT(key), REDIS_TEXT(from), REDIS_TEXT("+"),
                                   REDIS_TEXT("COUNT"), REDIS_TEXT("500")};
        redisReply *reply = call(r, u, args, 6, e);
        if (!reply)
            return -1;
        got = reply->type == REDIS_REPLY_ARRAY ? reply->elements : 0;
        int gap = got && apply_entries(&v->ledger, reply, &applied);
        freeReplyObject(reply);
        if (gap && farm_kept(r, u, e) > (int64_t)applied)
            return 1;
        if (gap)
            return error_set(e, EXIT_CANNOT_START,
                             "the job's log in Redis has a gap: somebody else wrote to it");
    }
    return 0;
}

static int read_ledger(struct redis *r, const struct farm_url *u, struct farm_view *v,
                       const struct ledger_job *job, struct error *e)
{
    for (int tries = 0; tries < 10; tries++) {
        ledger_init(&v->ledger, job);
        int how = read_log(r, u, v, e);
        if (how < 1)
            return how;
        ledger_free(&v->ledger);
    }
    ledger_init(&v->ledger, job);
    return error_set(e, EXIT_CANNOT_START, "the job's log in Redis is cut faster than it can be read");
}

/* The participants of the ledger, and what the key of each says. */
static int read_who(struct redis *r, const struct farm_url *u, struct farm_view *v, struct error *e)
{
    const struct ledger_entry *m = v->ledger.members.items;
    for (size_t i = 0; i < v->ledger.members.count; i++) {
        uint64_t who = m[i].id / LEDGER_WORKERS;
        char name[48], key[128];
        size_t before = 0;
        while (m[before].id / LEDGER_WORKERS != who)
            before++;
        if (before < i)
            continue;
        snprintf(name, sizeof name, "alive:%llu", (unsigned long long)who);
        farm_key(u, name, key, sizeof key);
        struct redis_arg args[] = {REDIS_TEXT("GET"), REDIS_TEXT(key)};
        redisReply *reply = call(r, u, args, 2, e);
        if (!reply)
            return -1;
        vec_push(&v->who, mem_printf("%llu %s", (unsigned long long)who,
                                     reply->type == REDIS_REPLY_STRING ? reply->str : "not heard of"));
        freeReplyObject(reply);
    }
    return 0;
}

int farm_look(const struct farm_url *u, struct farm_view *v, struct error *e)
{
    struct redis r;
    char token[40];
    *v = (struct farm_view){0};
    if (redis_open(&r, u, ANSWER, e))
        return -1;
    int bad = read_meta(&r, u, v, token, sizeof token, e);
    if (!bad) {
        struct ledger_job job = {0};
        bad = job_of(v->identity, &job, e);
        bad = bad || read_ledger(&r, u, v, &job, e) || read_who(&r, u, v, e);
    }
    redis_close(&r);
    if (bad)
        farm_view_free(v);
    return bad ? -1 : 0;
}

void farm_view_free(struct farm_view *v)
{
    if (v->identity && v->ledger.grove)
        munmap(v->ledger.grove, GROVE_SIZE);
    if (v->identity)
        ledger_free(&v->ledger);
    for (size_t i = 0; i < v->who.count; i++)
        free(v->who.items[i]);
    vec_free(&v->who);
    free(v->identity);
    v->identity = NULL;
}

int farm_ask_to_stop(const struct farm_url *u, struct error *e)
{
    struct redis r;
    struct farm_view v = {0};
    char token[40], meta[128], log[128];
    struct work message = {0};
    if (redis_open(&r, u, ANSWER, e))
        return -1;
    int bad = read_meta(&r, u, &v, token, sizeof token, e);
    if (!bad) {
        farm_key(u, "meta", meta, sizeof meta);
        farm_key(u, "log", log, sizeof log);
        ledger_write_stop(&message, 0, LEDGER_ASKED, "", &(struct counters){0});
        struct redis_arg args[] = {REDIS_TEXT("EVAL"), REDIS_TEXT(SCRIPT_APPEND), REDIS_TEXT("2"),
                                   REDIS_TEXT(meta), REDIS_TEXT(log), REDIS_TEXT(token),
                                   {message.bytes, message.length}};
        redisReply *reply = call(&r, u, args, 7, e);
        bad = !reply;
        if (reply)
            freeReplyObject(reply);
        free(message.bytes);
    }
    free(v.identity);
    redis_close(&r);
    return bad ? -1 : 0;
}

int farm_remove(const struct farm_url *u, struct error *e)
{
    struct redis r;
    struct farm_view v = {0};
    char token[40], meta[128], log[128], kept[128];
    if (redis_open(&r, u, ANSWER, e))
        return -1;
    int bad = read_meta(&r, u, &v, token, sizeof token, e);
    if (!bad) {
        farm_key(u, "meta", meta, sizeof meta);
        farm_key(u, "log", log, sizeof log);
        farm_key(u, "kept", kept, sizeof kept);
        struct redis_arg args[] = {REDIS_TEXT("DEL"), REDIS_TEXT(meta), REDIS_TEXT(log), REDIS_TEXT(kept)};
        redisReply *reply = call(&r, u, args, 4, e); /* the keys of participants expire by themselves */
        bad = !reply;
        if (reply)
            freeReplyObject(reply);
    }
    free(v.identity);
    redis_close(&r);
    return bad ? -1 : 0;
}
