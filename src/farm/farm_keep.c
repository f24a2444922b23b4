/* Snapshots of the ledger in Redis (snapshot.h): who joins late begins with the last one, and what was
 * before the one before that is taken out of the log.
 *
 * A snapshot is due when so much was appended since the last; it is made by whoever's message it was, so
 * nobody has to be elected, and if that one is gone, by whoever's message it is when as much was appended
 * again. */
#include "farm/farm_impl.h"
#include "farm/bytes.h"
#include "farm/snapshot.h"

#include <stdlib.h>
#include <string.h>

#define ANSWER 10.0  /* seconds for a reply */
#define MOST 16e6    /* bytes after which a snapshot is due, but at least its own size; … */
#define SHARE 8      /* … or this part of the job's memory */

/* The snapshot after its number and the hash of the last entry in it. */
struct work farm_snapshot(const struct farm *f)
{
    struct work w = {0};
    bytes_put(&w, f->applied);
    bytes_put(&w, f->last_hash);
    snapshot_write(&w, &f->ledger);
    return w;
}

int farm_load(struct redis *r, const struct farm_url *u, struct ledger *l, uint64_t *applied, uint64_t *hash,
              struct error *e)
{
    char key[128];
    int64_t kept = farm_kept(r, u, e);
    farm_key(u, "kept", key, sizeof key);
    struct redis_arg args[] = {REDIS_TEXT("GET"), REDIS_TEXT(key)};
    redisReply *reply = kept < 0 ? NULL : redis_call(r, ANSWER, args, 2, e);
    if (!reply)
        return -1;
    int bad = 0;
    if (reply->type == REDIS_REPLY_STRING) {
        struct work w = {.bytes = (unsigned char *)reply->str, .length = reply->len, .room = reply->len};
        *applied = work_get(&w);
        *hash = work_get(&w);
        if (w.failed || snapshot_read(l, &w))
            bad = error_set(e, EXIT_CANNOT_START, "the job's snapshot in Redis is not one");
    } else if (reply->type != REDIS_REPLY_NIL) {
        bad = redis_refused(u, reply, e);
    } else if (kept) {
        error_set(e, EXIT_CANNOT_START, "the job's snapshot in Redis is gone, and what it stood for");
        bad = error_todo(e, "a Redis for farms must not evict keys (maxmemory-policy noeviction)");
    }
    freeReplyObject(reply);
    return bad;
}

int64_t farm_kept(struct redis *r, const struct farm_url *u, struct error *e)
{
    char key[128];
    farm_key(u, "meta", key, sizeof key);
    struct redis_arg args[] = {REDIS_TEXT("HGET"), REDIS_TEXT(key), REDIS_TEXT("kept")};
    redisReply *reply = redis_call(r, ANSWER, args, 3, e);
    if (!reply)
        return -1;
    int64_t kept = reply->type == REDIS_REPLY_STRING ? strtoll(reply->str, NULL, 10) : 0;
    freeReplyObject(reply);
    return kept < 0 ? 0 : kept;
}

void farm_consider(struct farm *f, uint64_t before, uint64_t participant)
{
    const struct ledger *l = &f->ledger;
    double each = f->memory / SHARE < MOST ? f->memory / SHARE : MOST, own = (double)l->kept_size;
    uint64_t due = 1 + (uint64_t)(own > each ? own : each);
    if (participant == f->participant && before >= l->kept_at &&
        (before - l->kept_at) / due < (l->bytes - l->kept_at) / due)
        f->keep = f->live;
}
