#include "farm/pool.h"

#include "base/ensure.h"
#include "farm/bytes.h"

#include <stdlib.h>
#include <string.h>

static void add(struct pool *p, uint64_t level, const unsigned char *bytes, uint64_t n)
{
    struct pool_part part = {.level = level};
    bytes_begin(&part.bytes, WORK_PART);
    bytes_add(&part.bytes, bytes, n);
    p->bytes += part.bytes.length;
    vec_push(&p->waiting, part);
}

void pool_init(struct pool *p, uint64_t memory)
{
    *p = (struct pool){.memory = memory};
    add(p, 0, (const unsigned char *)"\0", 1); /* level 0, and nothing more */
}

void pool_clear(struct pool *p)
{
    for (size_t i = 0; i < p->waiting.count; i++)
        free(p->waiting.items[i].bytes.bytes);
    p->waiting.count = p->bytes = 0;
}

void pool_free(struct pool *p)
{
    pool_clear(p);
    vec_free(&p->waiting);
}

static void drop(struct pool *p, size_t i)
{
    ensure(i < p->waiting.count);
    p->bytes -= p->waiting.items[i].bytes.length;
    free(p->waiting.items[i].bytes.bytes);
    p->waiting.items[i] = p->waiting.items[--p->waiting.count];
}

/* What can be taken now; the number of those that wait: there is nothing. */
static size_t to_take(const struct pool *p)
{
    size_t best = p->waiting.count;
    for (size_t i = 0; i < p->waiting.count; i++)
        if (best == p->waiting.count || p->waiting.items[i].level < p->waiting.items[best].level)
            best = i;
    bool now = best < p->waiting.count && (!p->out || p->waiting.items[best].level <= p->level);
    return now ? best : p->waiting.count;
}

bool pool_take(struct pool *p, struct work *out)
{
    size_t i = to_take(p);
    if (i == p->waiting.count)
        return false;
    const struct pool_part *part = &p->waiting.items[i];
    out->length = 0;
    bytes_add(out, part->bytes.bytes, part->bytes.length);
    p->level = part->level;
    p->out++;
    p->items++;
    drop(p, i);
    return true;
}

/* One part of a GIFT: its level; the bytes, with the level, are those from in->at on. 0: not well-formed. */
static uint64_t next_part(const struct pool *p, struct work *in, uint64_t *level)
{
    uint64_t n = work_get(in);
    if (in->failed || !n || n > in->length - in->at)
        return 0;
    struct work body = {.bytes = in->bytes + in->at, .length = n, .room = n};
    *level = work_get(&body);
    return body.failed || *level < p->level ? 0 : n;
}

/* There is no room: what comes after this level is left out, now and later. */
static void leave_out(struct pool *p)
{
    p->full = true;
    for (size_t i = p->waiting.count; i-- > 0;)
        if (p->waiting.items[i].level > p->level)
            drop(p, i);
}

int pool_tell(struct pool *p, struct work *in, bool done)
{
    if (!p->out || work_open(in) != WORK_GIFT || work_get(in) != done)
        return -1;
    uint64_t count = work_get(in), level = 0;
    struct work look = *in;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t n = look.failed ? 0 : next_part(p, &look, &level);
        if (!n)
            return -1;
        look.at += n;
    }
    if (look.failed || look.at != look.length)
        return -1;
    for (; count > 0; count--) {
        uint64_t n = next_part(p, in, &level);
        if (level == p->level || !p->full)
            add(p, level, in->bytes + in->at, n);
        in->at += n;
        p->gifts++;
        if (pool_crowded(p))
            leave_out(p);
    }
    p->out -= done;
    return 0;
}

int pool_put(struct pool *p, const struct work *part)
{
    struct work w = *part;
    if (work_open(&w) != WORK_PART)
        return -1;
    uint64_t from = w.at, level = work_get(&w);
    if (w.failed)
        return -1;
    add(p, level, part->bytes + from, part->length - from);
    return 0;
}

void pool_return(struct pool *p, const struct work *part)
{
    ensure(p->out > 0);
    p->out--;
    pool_put(p, part);
}

bool pool_waiting(const struct pool *p)
{
    return to_take(p) < p->waiting.count;
}

bool pool_crowded(const struct pool *p)
{
    return p->memory && p->bytes > p->memory;
}

bool pool_finished(const struct pool *p)
{
    return !p->out && !p->waiting.count;
}
