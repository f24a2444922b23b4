#include "host/farmhand.h"

#include "base/ensure.h"
#include "base/progress.h"
#include "explore/engine.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORTH 0.1     /* seconds that an item should be worth: sooner it is not split */
#define SAVE_EVERY 2.0 /* seconds between checkpoints in the log, … */
#define SAVE_PACE 200e3 /* … and bytes of them per second */

static struct region *region_of(const struct farmhand *h, uint32_t i)
{
    ensure(i < h->team->members.count);
    return h->team->members.items[i];
}

static struct shared *shared_of(const struct farmhand *h, uint32_t i)
{
    return region_of(h, i)->shared;
}

static struct exchange *box(const struct farmhand *h, uint32_t i)
{
    return &shared_of(h, i)->exchange;
}

static bool posted(const struct farmhand *h, uint32_t i)
{
    return atomic_load(&box(h, i)->ticket) & 1;
}

static void release(struct farmhand *h, uint32_t i, uint32_t ticket, enum reply_kind kind)
{
    struct exchange *x = box(h, i);
    ensure(!(ticket & 1));
    x->reply = kind;
    h->workers[i].sent = false;
    atomic_store(&x->ticket, ticket);
    syscall(SYS_futex, &x->ticket, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void farmhand_init(struct farmhand *h, const struct farm_url *url, const char *identity, struct team *team,
                   const struct run_config *config, uint32_t workers, int quiet)
{
    const struct engine_class *engine = engine_find(config->engine);
    *h = (struct farmhand){.team = team, .config = config, .sampling = engine && engine->strides};
    h->identity = mem_strdup(identity);
    h->job = (struct farm_job){.url = *url, .sampling = h->sampling, .limit = config->max_executions,
                               .workers = workers, .quiet = quiet};
    h->started = progress_now();
    struct engine options = {.config = config};
    h->split_after = (double)engine_option(&options, "split_after", 200) / 1000;
}

void farmhand_free(struct farmhand *h)
{
    if (h->farm)
        farm_close(h->farm);
    for (uint32_t i = 0; i < LEDGER_WORKERS; i++)
        free(h->workers[i].item.bytes);
    free(h->identity);
}

/* ---- what comes from the log ---- */

static void answered(void *hand, uint32_t i, const struct work *answer)
{
    struct farmhand *h = hand;
    ensure(i < h->job.workers);
    struct farmhand_worker *w = &h->workers[i];
    struct exchange *x = box(h, i);
    if (w->ignored) {
        w->ignored--;
        return;
    }
    if (h->beginning || !w->sent || !posted(h, i) || x->post != POST_WORK)
        return;
    if (!region_put_work(region_of(h, i), &x->answer, answer)) {
        farm_stop(h->farm, LEDGER_FAILED, "an item did not fit into a worker's memory");
        return;
    }
    release(h, i, atomic_load(&x->ticket) & ~1u, REPLY_ANSWER);
}

/* The item becomes the worker's checkpoint in the same instant as it is told. */
static void deliver(struct farmhand *h, uint32_t i)
{
    ensure(posted(h, i));
    struct farmhand_worker *w = &h->workers[i];
    struct exchange *x = box(h, i);
    uint32_t index = (atomic_load(&x->ticket) >> 1) ^ 1;
    struct checkpoint *c = &x->checkpoints[index];
    c->counters = shared_of(h, i)->counters;
    if (!region_put_work(region_of(h, i), &c->item, &w->item)) {
        farm_stop(h->farm, LEDGER_FAILED, "an item did not fit into a worker's memory");
        return;
    }
    c->leaf = 0;
    x->saved = 1;
    w->item.length = 0;
    w->saved = (index << 1) + 1;
    w->since = w->saved_at = progress_now();
    w->range_runs = shared_of(h, i)->executions + shared_of(h, i)->blocked;
    release(h, i, index << 1, REPLY_ITEM);
}

static void given(void *hand, uint32_t i, const struct work *item)
{
    struct farmhand *h = hand;
    ensure(i < h->job.workers);
    struct farmhand_worker *w = &h->workers[i];
    if (item->length > w->item.room) {
        w->item.room = 2 * item->length;
        w->item.bytes = mem_realloc(w->item.bytes, w->item.room);
    }
    memcpy(w->item.bytes, item->bytes, item->length);
    w->item.length = item->length;
    if (!h->beginning && w->sent && posted(h, i) && box(h, i)->post == POST_DRY)
        deliver(h, i);
}

static void restart(void *hand)
{
    struct farmhand *h = hand;
    h->beginning = true;
    for (uint32_t i = 0; i < h->job.workers; i++) {
        h->workers[i].item.length = 0;
        h->workers[i].ignored = 0;
        if (!posted(h, i))
            atomic_fetch_or(&box(h, i)->wants, WANT_PAUSE);
    }
}

static void teach(const struct farmhand *h, uint32_t i)
{
    const struct ledger *l = farm_ledger(h->farm);
    struct shared *s = shared_of(h, i);
    team_teach(s, l->racy.items, (uint32_t)l->racy.count, &l->lessons);
    s->ports_together |= l->ports_together;
    s->config.isolate = s->config.isolate > l->isolate ? s->config.isolate : (uint8_t)l->isolate;
}

/* When all wait: they know what the others know, and begin with nothing. */
static bool begin_again(struct farmhand *h)
{
    for (uint32_t i = 0; i < h->job.workers; i++)
        if (!posted(h, i))
            return false;
    h->beginning = h->news_sent = false;
    h->epoch = farm_ledger(h->farm)->epoch;
    for (uint32_t i = 0; i < h->job.workers; i++) {
        struct exchange *x = box(h, i);
        const struct shared *s = shared_of(h, i);
        teach(h, i);
        x->mail.length = 0;
        x->saved = 0; /* no checkpoint of before is to be sent */
        atomic_store(&x->wants, 0);
        h->workers[i].told = (struct counters){.events = s->events, .steps_total = s->steps_total};
        h->workers[i].saved = 0;
        release(h, i, atomic_load(&x->ticket) & ~1u, REPLY_AGAIN);
    }
    return true;
}

/* ---- what goes into the log ---- */

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

/* The valid checkpoint goes with the post. */
static void add_checkpoint(struct farmhand *h, uint32_t i, uint32_t ticket, struct ledger_post *p)
{
    const struct checkpoint *c = &box(h, i)->checkpoints[ticket >> 1 & 1];
    struct farmhand_worker *w = &h->workers[i];
    p->item = region_work(region_of(h, i), &c->item);
    p->counted = since(&c->counters, &w->told);
    w->told = c->counters;
    w->saved = (ticket & ~1u) + 1;
    w->saved_at = progress_now();
}

/* About as many executions as are worth an item, from how long the last ones took. */
static uint64_t wanted(const struct farmhand *h, uint32_t i, double now)
{
    const struct farmhand_worker *w = &h->workers[i];
    double runs = (double)(shared_of(h, i)->executions + shared_of(h, i)->blocked - w->range_runs);
    double seconds = now - w->since, n = w->since && seconds > 0 ? runs / seconds * 3 * WORTH : 64;
    n = runs > 0 && n > 8 * runs ? 8 * runs : n;
    return n < 16 ? 16 : n > 1e9 ? 1000000000 : (uint64_t)n;
}

static void send_post(struct farmhand *h, uint32_t i, bool alive)
{
    struct exchange *x = box(h, i);
    uint32_t ticket = atomic_load(&x->ticket);
    struct ledger_post p = {.mail = region_work(region_of(h, i), &x->mail)};
    struct work look = p.mail;
    enum work_kind kind = p.mail.length ? work_open(&look) : WORK_NONE;
    double now = progress_now();
    p.limits = shared_of(h, i)->limits;
    p.repeats = shared_of(h, i)->repeats;
    p.dry = x->post == POST_DRY;
    p.answer = !p.dry;
    p.wanted = wanted(h, i, now);
    if (p.dry || kind == WORK_SPLIT || kind == WORK_GIFT)
        add_checkpoint(h, i, ticket, &p);
    if (kind == WORK_SPLIT || kind == WORK_GIFT)
        h->workers[i].since = now;
    farm_post(h->farm, i, &p);
    h->workers[i].sent = alive;
    h->workers[i].ignored += !alive && p.answer;
}

static void send_news(struct farmhand *h, uint32_t i)
{
    const struct shared *s = shared_of(h, i);
    struct ledger_news n = {s->racy_count, s->racy, &s->lessons, s->ports_together, s->config.isolate};
    if (h->news_sent || s->racy_count > SHARED_RACY || s->lessons.count > SHARED_LESSONS)
        return;
    h->news_sent = true;
    farm_news(h->farm, &n);
}

/* Now and then where a busy worker is, so that little is lost with it. */
static void send_checkpoint(struct farmhand *h, uint32_t i, double now)
{
    struct farmhand_worker *w = &h->workers[i];
    struct exchange *x = box(h, i);
    uint32_t ticket = atomic_load(&x->ticket);
    const struct checkpoint *c = &x->checkpoints[ticket >> 1 & 1];
    if ((ticket & 1) || !x->saved || w->saved == ticket + 1 || !c->item.length ||
        now - w->saved_at < SAVE_EVERY + (double)c->item.length / SAVE_PACE)
        return;
    struct farmhand_worker before = *w;
    struct work item = region_work(region_of(h, i), &c->item), kept = {.length = item.length};
    struct ledger_post p = {0};
    kept.bytes = mem_alloc(item.length);
    memcpy(kept.bytes, item.bytes, item.length);
    add_checkpoint(h, i, ticket, &p);
    p.item = kept;
    if (atomic_load(&x->ticket) == ticket)
        farm_post(h->farm, i, &p);
    else
        *w = before; /* it has another one by now */
    free(kept.bytes);
}

static void send_findings(struct farmhand *h, uint32_t i)
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

static void look_at(struct farmhand *h, uint32_t i, double now)
{
    struct exchange *x = box(h, i);
    send_findings(h, i);
    if (!posted(h, i)) {
        send_checkpoint(h, i, now);
        return;
    }
    if (h->workers[i].sent || h->beginning)
        return;
    if (x->post == POST_AGAIN)
        send_news(h, i);
    else if (x->post == POST_DRY && h->workers[i].item.length)
        deliver(h, i);
    else if (x->post == POST_WORK || x->post == POST_DRY)
        send_post(h, i, true);
    else if (x->post == POST_PAUSED) /* what it paused for is over */
        release(h, i, atomic_load(&x->ticket) & ~1u, REPLY_AGAIN);
}

void farmhand_settle(struct farmhand *h, uint32_t i)
{
    struct exchange *x = box(h, i);
    if (!h->farm)
        return;
    if (posted(h, i) && !h->beginning && (x->post == POST_WORK || x->post == POST_DRY)) {
        if (!h->workers[i].sent)
            send_post(h, i, false);
        else
            h->workers[i].ignored += x->post == POST_WORK;
    }
    h->workers[i].sent = false;
    x->mail.length = 0;
    atomic_store(&x->ticket, atomic_load(&x->ticket) & ~1u);
    atomic_store(&x->wants, h->beginning ? WANT_PAUSE : 0);
}

/* ---- the course ---- */

/* Whoever has had its item for long enough is asked for part of it; in turn, so that not all give at
 * once. */
static void ask_for_work(struct farmhand *h, double now)
{
    const struct ledger *l = farm_ledger(h->farm);
    size_t busy = 0, turn;
    if (now - h->started < h->split_after || !ledger_wants_split(l))
        return;
    for (size_t i = 0; i < l->members.count; i++)
        busy += l->members.items[i].item.length > 0;
    turn = busy ? (l->share.splits + (uint64_t)(now / WORTH)) % busy : 0;
    for (size_t i = 0, k = 0; i < l->members.count; i++) {
        uint64_t id = l->members.items[i].id;
        uint32_t worker = (uint32_t)(id % LEDGER_WORKERS);
        if (!l->members.items[i].item.length || k++ != turn)
            continue;
        if (id / LEDGER_WORKERS == farm_participant(h->farm) && worker < h->job.workers &&
            !posted(h, worker) && now - h->workers[worker].since >= (h->split_after > 0 ? WORTH : 0))
            atomic_fetch_or(&box(h, worker)->wants, WANT_SPLIT);
    }
}

/* Joins when the first worker waits: what it runs is known then. */
static int join(struct farmhand *h, struct error *e)
{
    static const struct farm_events none;
    struct farm_events events = none;
    bool ready = false;
    for (uint32_t i = 0; i < h->job.workers; i++)
        ready |= posted(h, i);
    if (!ready)
        return 0;
    char *all = mem_printf("%smodules: %016" PRIx64 "\n", h->identity, shared_of(h, 0)->layout);
    h->job.identity = all;
    events = (struct farm_events){h, answered, given, restart};
    int bad = farm_open(&h->farm, &h->job, &events, e);
    free(all);
    h->job.identity = NULL;
    if (!bad && farm_ledger(h->farm)->epoch)
        restart(h); /* others have learnt something already */
    return bad;
}

bool farmhand_over(const struct farmhand *h)
{
    return h->farm && (farm_ledger(h->farm)->stop || ledger_finished(farm_ledger(h->farm)));
}

static void say(struct farmhand *h)
{
    char line[300], host[64] = "";
    uint64_t runs = 0, idle = 0;
    double now = progress_now();
    gethostname(host, sizeof host - 1);
    for (uint32_t i = 0; i < h->job.workers; i++) {
        runs += shared_of(h, i)->executions + shared_of(h, i)->blocked;
        idle += box(h, i)->idle_ns;
    }
    double seconds = now - h->started;
    snprintf(line, sizeof line,
             "host=%s pid=%d workers=%u seconds=%.1f executions=%" PRIu64 " idle=%.2f", host, (int)getpid(),
             h->job.workers, seconds, runs, (double)idle / 1e9);
    farm_say(h->farm, line);
}

int farmhand_serve(struct farmhand *h, bool *soon, struct error *e)
{
    double now = progress_now();
    if (!h->farm && join(h, e))
        return -1;
    if (!h->farm)
        return 0;
    say(h);
    if (h->beginning)
        begin_again(h);
    for (uint32_t i = 0; i < h->job.workers && !h->stopped; i++)
        look_at(h, i, now);
    if (farm_serve(h->farm, e))
        return -1;
    if (ledger_finished(farm_ledger(h->farm)))
        for (uint32_t i = 0; i < h->job.workers; i++)
            if (posted(h, i) && box(h, i)->post == POST_DRY)
                release(h, i, atomic_load(&box(h, i)->ticket) & ~1u, REPLY_FINISH);
    ask_for_work(h, now);
    *soon = h->beginning;
    return 0;
}

/* The findings of all, in the first region, where those that are its own are already. */
static void take_findings(struct farmhand *h)
{
    const struct ledger *l = farm_ledger(h->farm);
    struct region *r = h->team->members.items[0];
    for (size_t i = 0; i < l->findings.count; i++) {
        struct ledger_finding f;
        struct work bytes = l->findings.items[i];
        bytes.at = 0;
        bytes.failed = false;
        if (!ledger_read_found(&bytes, &f))
            region_add_finding(r, &f.found, f.steps.items, f.racy.items, f.inputs);
        vec_free(&f.steps);
        vec_free(&f.racy);
    }
}

/* The totals of all, as if the first worker had done everything. */
static void take_totals(struct farmhand *h)
{
    const struct ledger *l = farm_ledger(h->farm);
    for (uint32_t i = 0; i < h->job.workers; i++) {
        struct shared *s = shared_of(h, i);
        s->counters = i ? (struct counters){0} : l->counted;
        s->restarts = i ? 0 : l->epoch;
        s->discarded = i ? 0 : l->discarded;
        s->complete = ledger_finished(l) && !l->stop && !l->sampling && !l->limits.reached &&
                      !l->counted.bounded;
        s->limits = l->limits;
        if (l->sampling && ledger_finished(l))
            limit_reached(&s->limits, LIMIT_EXECUTIONS, l->limit);
        s->repeats = l->repeats;
        if (l->stop == LEDGER_FAILED && !s->incomplete[0])
            snprintf(s->incomplete, sizeof s->incomplete, "%s", l->why);
    }
}

/* Why all must stop, because of a worker of ours; and in words. */
static enum ledger_stop own_reason(const struct farmhand *h, const char **words)
{
    *words = "";
    for (uint32_t i = 0; i < h->job.workers; i++) {
        const struct shared *s = shared_of(h, i);
        for (uint32_t k = 0; k < s->finding_count && k < SHARED_FINDINGS && !h->config->keep_going; k++)
            if (s->findings[k].kind < FINDING_LEAK)
                return LEDGER_BUG;
        if (s->incomplete[0]) {
            *words = s->incomplete;
            return LEDGER_FAILED;
        }
    }
    return LEDGER_GOES_ON;
}

void farmhand_finish(struct farmhand *h, bool only_leave)
{
    struct error e;
    const char *words;
    if (!h->farm)
        return;
    for (uint32_t i = 0; i < h->job.workers; i++)
        send_findings(h, i);
    enum ledger_stop why = own_reason(h, &words);
    if (why == LEDGER_BUG || (why && !only_leave))
        farm_stop(h->farm, why, words);
    farm_leave(h->farm);
    if (farm_flush(h->farm, 10, &e) && !h->job.quiet)
        fprintf(stderr, "raddle: the farm could not be told that this participant leaves; it will notice\n");
    h->stopped = true;
    take_totals(h);
    take_findings(h);
}

static double no_part(void *ctx, int owner)
{
    return 0;
}

double farmhand_fraction(const struct farmhand *h)
{
    const struct ledger *l = h->farm ? farm_ledger(h->farm) : NULL;
    if (!l)
        return 0;
    if (l->sampling)
        return l->limit ? (double)l->counted.executions / (double)l->limit : 0;
    return share_fraction(&l->share, no_part, NULL);
}
