/* A worker that has posted something waits; the reply becomes visible, and the worker's next
 * checkpoint valid, with one store to its ticket.
 *
 * New scheduling points: everybody is asked to pause; when all wait, each learns all racy accesses,
 * the pool starts from nothing, and all are told to begin again. */
#include "host/team.h"

#include "base/ensure.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct exchange *box(const struct team *t, size_t i)
{
    ensure(i < t->members.count);
    return &t->members.items[i]->shared->exchange;
}

static bool posted(const struct team *t, size_t i)
{
    return atomic_load(&box(t, i)->ticket) & 1;
}

static bool dry(const struct team *t, size_t i)
{
    return posted(t, i) && box(t, i)->post == POST_DRY && !box(t, i)->mail.length;
}

static void release(struct team *t, size_t i, uint32_t ticket)
{
    atomic_store(&box(t, i)->ticket, ticket);
    syscall(SYS_futex, &box(t, i)->ticket, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void reply(struct team *t, size_t i, enum reply_kind kind)
{
    struct exchange *x = box(t, i);
    x->reply = kind;
    release(t, i, atomic_load(&x->ticket) & ~1u);
}

void team_init(struct team *t, uint64_t memory)
{
    *t = (struct team){.memory = memory};
    pool_init(&t->pool, t->memory);
}

void team_free(struct team *t)
{
    pool_free(&t->pool);
    free(t->item.bytes);
    vec_free(&t->members);
}

static void take_mail(struct team *t, size_t i)
{
    struct exchange *x = box(t, i);
    struct work mail = region_work(t->members.items[i], &x->mail);
    if (pool_tell(&t->pool, &mail, x->post == POST_DRY))
        t->failed = 1;
    if (t->pool.full)
        limit_reached(&t->members.items[i]->shared->limits, LIMIT_MEMORY, t->memory >> 10);
    x->mail.length = 0;
}

static void ask_to_pause(struct team *t)
{
    t->beginning_again = 1;
    for (size_t i = 0; i < t->members.count; i++)
        if (!posted(t, i))
            atomic_fetch_or(&box(t, i)->wants, WANT_PAUSE);
}

static void look_at(struct team *t, size_t i)
{
    struct exchange *x = box(t, i);
    if (!posted(t, i))
        return;
    if (x->post == POST_AGAIN)
        ask_to_pause(t);
    if (t->beginning_again || (x->post != POST_WORK && x->post != POST_DRY) || !x->mail.length)
        return;
    take_mail(t, i);
    if (x->post == POST_WORK && !t->failed)
        reply(t, i, REPLY_ANSWER);
}

static bool give_work(struct team *t, size_t i)
{
    ensure(i < t->members.count);
    struct exchange *x = box(t, i);
    if (!pool_take(&t->pool, &t->item))
        return false;
    uint32_t index = (atomic_load(&x->ticket) >> 1) ^ 1;
    struct checkpoint *c = &x->checkpoints[index];
    c->counters = t->members.items[i]->shared->counters;
    c->bounds = t->members.items[i]->shared->bounds;
    t->failed |= !region_put_work(t->members.items[i], &c->item, &t->item);
    x->saved = 1;
    x->reply = REPLY_ITEM;
    release(t, i, index << 1);
    return true;
}

/* Asks the next busy worker for part of its work. */
static void ask_for_work(struct team *t)
{
    for (size_t k = 0; k < t->members.count; k++) {
        size_t i = t->next++ % t->members.count;
        if (!posted(t, i)) {
            atomic_fetch_or(&box(t, i)->wants, WANT_SPLIT);
            return;
        }
    }
}

static void learn_racy(struct shared *to, const uint64_t *racy, uint32_t count)
{
    ensure(count <= SHARED_RACY);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < to->racy_count && to->racy[k] != racy[i])
            k++;
        if (k < to->racy_count)
            continue;
        if (k < SHARED_RACY)
            to->racy[to->racy_count++] = racy[i];
        else
            limit_reached(&to->limits, LIMIT_RACY, SHARED_RACY);
    }
}

static void learn_lessons(struct lessons *to, const struct lessons *from, struct limits *limits)
{
    ensure(from->count <= SHARED_LESSONS);
    for (uint32_t i = 0; i < from->count && i < SHARED_LESSONS; i++) {
        uint32_t k = 0;
        while (k < to->count && (to->items[k].key != from->items[i].key ||
                                 to->items[k].with != from->items[i].with))
            k++;
        if (k < to->count)
            continue;
        if (k < SHARED_LESSONS)
            to->items[to->count++] = from->items[i];
        else
            limit_reached(limits, LIMIT_LESSONS, SHARED_LESSONS);
    }
}

void team_teach(struct shared *to, const uint64_t *racy, uint32_t count, const struct lessons *lessons)
{
    learn_racy(to, racy, count);
    learn_lessons(&to->lessons, lessons, &to->limits);
}

/* What one worker knows all must know before they begin again. */
static void spread_news(struct team *t)
{
    for (size_t i = 0; i < t->members.count; i++)
        for (size_t k = 0; k < t->members.count; k++) {
            struct shared *to = t->members.items[i]->shared;
            const struct shared *from = t->members.items[k]->shared;
            team_teach(to, from->racy, from->racy_count, &from->lessons);
            to->ports_together |= from->ports_together;
            to->config.isolate = to->config.isolate > from->config.isolate ? to->config.isolate
                                                                           : from->config.isolate;
        }
}

static void begin_again(struct team *t)
{
    for (size_t i = 0; i < t->members.count; i++)
        if (!posted(t, i))
            return;
    spread_news(t);
    pool_free(&t->pool);
    pool_init(&t->pool, t->memory);
    if (t->grove)
        grove_init(t->grove, t->memory);
    t->beginning_again = 0;
    t->restarts++;
    for (size_t i = 0; i < t->members.count; i++) {
        box(t, i)->mail.length = 0;
        atomic_store(&box(t, i)->wants, 0);
        reply(t, i, REPLY_AGAIN);
    }
}

static bool serve_dry(struct team *t)
{
    bool hungry = false;
    for (size_t i = 0; i < t->members.count; i++)
        if (dry(t, i) && !give_work(t, i))
            hungry = true;
    bool more = pool_waiting(&t->pool) || pool_crowded(&t->pool);
    if (hungry && !t->patient && !more)
        ask_for_work(t);
    return hungry && !t->patient;
}

bool team_serve(struct team *t)
{
    for (size_t i = 0; i < t->members.count && !t->failed; i++)
        look_at(t, i);
    if (t->failed)
        return false;
    if (t->beginning_again) {
        begin_again(t);
        return t->beginning_again;
    }
    if (t->grove)
        return false;
    if (!team_finished(t))
        return serve_dry(t);
    for (size_t i = 0; i < t->members.count; i++)
        if (dry(t, i))
            reply(t, i, REPLY_FINISH);
    return false;
}

void team_settle(struct team *t, size_t i, bool (*dead)(void *ctx, int member), void *ctx)
{
    ensure(i < t->members.count);
    struct exchange *x = box(t, i);
    if (t->grove) {
        const struct checkpoint *c = &x->checkpoints[atomic_load(&x->ticket) >> 1];
        grove_died(t->grove, (int)i, x->saved ? c->leaf : 0, dead, ctx);
    }
    if (posted(t, i) && x->mail.length && !t->beginning_again &&
        (x->post == POST_WORK || x->post == POST_DRY))
        take_mail(t, i);
    x->mail.length = 0;
    atomic_store(&x->ticket, atomic_load(&x->ticket) & ~1u);
    atomic_store(&x->wants, t->beginning_again ? WANT_PAUSE : 0);
}

void team_wake(struct team *t)
{
    for (size_t i = 0; i < t->members.count; i++)
        syscall(SYS_futex, &box(t, i)->ticket, FUTEX_WAKE, 1, NULL, NULL, 0);
}

bool team_finished(const struct team *t)
{
    return t->grove ? grove_finished(t->grove) : pool_finished(&t->pool);
}

void team_sum_bounds(struct team *t)
{
    struct bound_stats *sum = &t->members.items[0]->shared->bounds;
    if (t->grove || !sum->active || t->members.count < 2)
        return;
    for (size_t i = 1; i < t->members.count; i++) {
        struct bound_stats *b = &t->members.items[i]->shared->bounds;
        for (int k = 0; k < BOUND_STATS; k++)
            sum->executions[k] += b->executions[k];
        sum->bound = b->bound > sum->bound ? b->bound : sum->bound;
        sum->blocking = b->blocking > sum->blocking ? b->blocking : sum->blocking;
        sum->waiting += b->waiting;
        sum->left_over |= b->left_over;
        b->active = 0;
        t->members.items[0]->shared->complete &= t->members.items[i]->shared->complete;
    }
    sum->left_over |= t->pool.full;
    sum->finished = team_finished(t);
}

static double leaf_size(void *team, int owner, double *done)
{
    const struct team *t = team;
    const struct shared *s = t->members.items[owner]->shared;
    double total = s->estimate_total, fraction = s->fraction > 0 && s->fraction <= 1 ? s->fraction : 0;
    *done = total > 0 ? total * fraction : 0;
    return fraction > 0 && total > 0 ? total : 0;
}

double team_fraction(const struct team *t)
{
    return t->grove ? grove_fraction(t->grove, leaf_size, (void *)t) : 0;
}
