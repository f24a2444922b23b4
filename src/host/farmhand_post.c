/* What the workers of this machine post goes into the job's log. */
#include "host/farmhand_impl.h"

#include "base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAVE_EVERY 2.0 /* seconds between checkpoints in the log, … */
#define SAVE_PACE 200e3 /* … and bytes of them per second */

static struct counters since(const struct counters *now, const struct counters *then)
{
    ensure(now->executions >= then->executions && now->blocked >= then->blocked);
    return (struct counters){.executions = now->executions - then->executions,
                             .blocked = now->blocked - then->blocked,
                             .assumed = now->assumed - then->assumed,
                             .bounded = now->bounded - then->bounded,
                             .events = now->events - then->events,
                             .steps_total = now->steps_total - then->steps_total};
}

struct counters hand_counted(const struct farmhand *h)
{
    struct counters sum = {0};
    for (uint32_t i = 0; i < h->job.workers; i++) {
        const struct counters *now = &hand_shared(h, i)->counters, *told = &h->workers[i].told;
        if (now->executions < told->executions || now->blocked < told->blocked)
            continue; /* it has just begun again */
        struct counters one = since(now, told);
        sum.executions += one.executions;
        sum.blocked += one.blocked;
        sum.assumed += one.assumed;
        sum.bounded += one.bounded;
        sum.events += one.events;
        sum.steps_total += one.steps_total;
    }
    return sum;
}

/* What all must know of the worker's search. */
static void add_words(struct farmhand *h, uint32_t i, struct ledger_post *p)
{
    const struct shared *s = hand_shared(h, i);
    p->limits = s->limits;
    p->repeats = s->repeats;
    snprintf(p->incomplete, sizeof p->incomplete, "%.*s", LEDGER_WORDS - 1, s->incomplete);
}

/* What is known of bounds. Of parts the log has the rest itself; the phase of auto that has bounds comes
 * before anything is told. */
static void add_bounds(struct farmhand *h, uint32_t i, struct ledger_post *p)
{
    const struct bound_stats *b = &hand_shared(h, i)->bounds;
    p->bounds = *b;
    p->bounds.active = b->active && h->team->grove && !h->workers[i].bounds_told;
    h->workers[i].bounds_told |= p->bounds.active;
}

/* The valid checkpoint goes with the post. */
static void add_checkpoint(struct farmhand *h, uint32_t i, uint32_t ticket, struct ledger_post *p)
{
    const struct checkpoint *c = &hand_box(h, i)->checkpoints[ticket >> 1 & 1];
    struct farmhand_worker *w = &h->workers[i];
    ensure(h->farm != NULL);
    p->item = region_work(hand_region(h, i), &c->item);
    p->counted = since(&c->counters, &w->told);
    w->told = c->counters;
    w->saved = (ticket & ~1u) + 1;
    w->saved_at = progress_now();
}

/* How long an item should take: twenty times as long as it was waited for, which far from Redis is long. */
static double worth(const struct farmhand_worker *w)
{
    double waited = w->waited < 0.2 ? w->waited : 0.2; /* longer: there was nothing to be had */
    return 20 * waited > 3 * WORTH ? 20 * waited : 3 * WORTH;
}

/* About as many leaves, or executions, as are worth an item, from how long the last ones took. */
static uint64_t wanted(const struct farmhand *h, uint32_t i, double now)
{
    const struct farmhand_worker *w = &h->workers[i];
    if (h->team->grove) {
        double leaves = w->leaves * worth(w) / (now - w->since > 1e-4 ? now - w->since : 1e-4);
        return leaves > 2 * w->leaves + 1 ? 2 * w->leaves + 1 : leaves < 1 ? 1 : (uint64_t)leaves;
    }
    double runs = (double)(hand_shared(h, i)->executions + hand_shared(h, i)->blocked - w->range_runs);
    double seconds = now - w->since, n = w->since && seconds > 0 ? runs / seconds * worth(w) : 64;
    n = runs > 0 && n > 8 * runs ? 8 * runs : n;
    return n < 16 ? 16 : n > 1e9 ? 1000000000 : (uint64_t)n;
}

/* What the worker told without waiting. */
void hand_take_outbox(struct farmhand *h, uint32_t i)
{
    struct outbox *o = &hand_box(h, i)->outbox;
    ensure(h->farm != NULL && i < h->job.workers);
    if (!atomic_load_explicit(&o->full, memory_order_acquire))
        return;
    struct ledger_post p = {.mail = region_work(hand_region(h, i), &o->told), .boundary = o->boundary};
    if (p.boundary) {
        p.counted = since(&o->counters, &h->workers[i].told);
        h->workers[i].told = o->counters;
        h->workers[i].saved_at = progress_now();
    }
    add_words(h, i, &p);
    add_bounds(h, i, &p);
    if (!h->beginning)
        farm_post(h->farm, i, &p);
    o->taken = atomic_load(&o->full);
    atomic_store_explicit(&o->full, 0, memory_order_release);
}

void hand_send_post(struct farmhand *h, uint32_t i, bool alive)
{
    struct exchange *x = hand_box(h, i);
    uint32_t ticket = atomic_load(&x->ticket);
    struct ledger_post p = {.mail = region_work(hand_region(h, i), &x->mail)};
    hand_take_outbox(h, i);
    struct work look = p.mail;
    enum work_kind kind = p.mail.length ? work_open(&look) : WORK_NONE;
    double now = progress_now();
    add_words(h, i, &p);
    add_bounds(h, i, &p);
    p.dry = x->post == POST_DRY;
    p.answer = !p.dry;
    p.wanted = wanted(h, i, now);
    if (p.dry)
        h->workers[i].asked_at = now;
    h->workers[i].asked = p.dry;
    h->workers[i].awaited = p.answer;
    if (p.dry || kind == WORK_GIFT || h->team->grove)
        add_checkpoint(h, i, ticket, &p);
    if (kind == WORK_GIFT || kind == WORK_TOLD)
        h->workers[i].since = now;
    farm_post(h->farm, i, &p);
    h->workers[i].sent = alive;
    h->workers[i].ignored += !alive && p.answer;
}

void hand_send_news(struct farmhand *h, uint32_t i)
{
    const struct shared *s = hand_shared(h, i);
    struct ledger_news n = {s->racy_count, s->racy, &s->lessons, s->ports_together, s->config.isolate};
    if (h->news_sent || s->racy_count > SHARED_RACY || s->lessons.count > SHARED_LESSONS)
        return;
    h->news_sent = true;
    farm_news(h->farm, &n);
}

/* Now and then where a busy worker is, so that little is lost with it. */
void hand_send_checkpoint(struct farmhand *h, uint32_t i, double now)
{
    struct farmhand_worker *w = &h->workers[i];
    struct exchange *x = hand_box(h, i);
    uint32_t ticket = atomic_load(&x->ticket);
    const struct checkpoint *c = &x->checkpoints[ticket >> 1 & 1];
    if (h->team->grove) { /* it does so itself */
        if (now - w->saved_at > SAVE_EVERY + (double)c->item.length / SAVE_PACE)
            atomic_fetch_or(&x->wants, WANT_SAVE);
        return;
    }
    if ((ticket & 1) || !x->saved || w->saved == ticket + 1 || !c->item.length ||
        now - w->saved_at < SAVE_EVERY + (double)c->item.length / SAVE_PACE)
        return;
    struct farmhand_worker before = *w;
    struct work item = region_work(hand_region(h, i), &c->item), kept = {.length = item.length};
    struct ledger_post p = {0};
    kept.bytes = mem_alloc(item.length);
    memcpy(kept.bytes, item.bytes, item.length);
    add_checkpoint(h, i, ticket, &p);
    add_words(h, i, &p);
    add_bounds(h, i, &p);
    p.item = kept;
    if (atomic_load(&x->ticket) == ticket)
        farm_post(h->farm, i, &p);
    else
        *w = before; /* it has another one by now */
    free(kept.bytes);
}

void hand_send_findings(struct farmhand *h, uint32_t i)
{
    const struct region *r = h->team->members.items[i];
    const struct shared *s = r->shared;
    uint32_t n = s->finding_count < SHARED_FINDINGS ? s->finding_count : SHARED_FINDINGS;
    for (uint32_t *k = &h->workers[i].findings; *k < n; (*k)++) {
        uint32_t count;
        const struct step *steps = region_steps(r, &s->findings[*k], &count);
        if (s->findings[*k].kind < FINDING_KINDS)
            farm_found(h->farm, &s->findings[*k], steps, count, s->racy, s->finding_inputs[*k]);
    }
}
