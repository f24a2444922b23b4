#include "host/farmhand_impl.h"

#include "base/progress.h"
#include "base/sbuf.h"
#include "explore/engine.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void release(struct farmhand *h, uint32_t i, uint32_t ticket, enum reply_kind kind)
{
    struct exchange *x = hand_box(h, i);
    ensure(!(ticket & 1));
    x->reply = kind;
    x->mail.length = 0; /* it was taken; who dies before it wakes up must not tell it again */
    x->outbox.passed = 0;
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
    h->job = (struct farm_job){.url = *url, .workers = workers, .quiet = quiet};
    h->job.kind = (struct ledger_job){.sampling = h->sampling, .limit = config->max_executions,
                                      .bounds = engine && engine->give && engine->bound_unit,
                                      .grove = team->grove, .memory = team->memory};
    h->started = progress_now();
    struct engine options = {.config = config};
    h->split_after = (double)engine_option(&options, "split_after", 200) / 1000;
}

void farmhand_ask(struct farmhand *h, bool (*dead)(void *ctx, int worker), void *ctx)
{
    h->job.kind.dead = dead;
    h->job.kind.dead_ctx = ctx;
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

/* The leaf that the worker's checkpoint is about has its number now. */
static void name_leaf(struct farmhand *h, uint32_t i, const struct work *answer)
{
    struct exchange *x = hand_box(h, i);
    struct checkpoint *c = &x->checkpoints[atomic_load(&x->ticket) >> 1 & 1];
    struct work w = *answer, item = region_work(hand_region(h, i), &c->item);
    if (work_open(&w) != WORK_ANSWER || c->leaf || item.length < WORK_HEAD + WORK_WIDE)
        return;
    c->leaf = (uint32_t)work_get(&w);
    ensure(c->leaf != 0);
    work_set_frame(&item, c->leaf);
}

static void answered(void *hand, uint32_t i, const struct work *answer)
{
    struct farmhand *h = hand;
    ensure(i < h->job.workers);
    struct farmhand_worker *w = &h->workers[i];
    struct exchange *x = hand_box(h, i);
    if (w->ignored && !h->team->grove) {
        w->ignored--;
        return;
    }
    w->awaited = false;
    if (h->beginning)
        return;
    if (h->team->grove)
        name_leaf(h, i, answer);
    if (!(w->sent || h->team->grove) || !hand_posted(h, i) || x->post != POST_WORK)
        return;
    if (!region_put_work(hand_region(h, i), &x->answer, answer)) {
        farm_stop(h->farm, LEDGER_FAILED, "an item did not fit into a worker's memory",
                  &(struct counters){0});
        return;
    }
    release(h, i, atomic_load(&x->ticket) & ~1u, REPLY_ANSWER);
}

static double leaves_in(struct work *item)
{
    return work_open(item) == WORK_LEAVES ? (double)work_get(item) : 1;
}

/* The item becomes the worker's checkpoint in the same instant as it is told. */
static void deliver(struct farmhand *h, uint32_t i)
{
    ensure(hand_posted(h, i));
    struct farmhand_worker *w = &h->workers[i];
    struct exchange *x = hand_box(h, i);
    uint32_t index = (atomic_load(&x->ticket) >> 1) ^ 1;
    struct checkpoint *c = &x->checkpoints[index];
    c->counters = hand_shared(h, i)->counters;
    c->bounds = hand_shared(h, i)->bounds;
    if (!region_put_work(hand_region(h, i), &c->item, &w->item)) {
        farm_stop(h->farm, LEDGER_FAILED, "an item did not fit into a worker's memory",
                  &(struct counters){0});
        return;
    }
    c->leaf = c->next = 0;
    x->saved = 1;
    x->outbox.passed = x->outbox.done = 0; /* what was done before was told when it asked */
    x->outbox.telling = 0;
    x->outbox.closing = 0;
    tell_forget_passed(&x->outbox);
    if (h->team->grove && work_open(&w->item) == WORK_ITEM) {
        c->leaf = (uint32_t)work_get(&w->item);
        x->outbox.count = 0;
    }
    w->leaves = leaves_in(&w->item);
    w->item.length = w->item.at = 0;
    w->saved = (index << 1) + 1;
    w->since = w->saved_at = progress_now();
    w->waited = w->since - w->asked_at;
    w->range_runs = hand_shared(h, i)->executions + hand_shared(h, i)->blocked;
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
    w->asked = false;
    if (!h->beginning && hand_posted(h, i) && hand_box(h, i)->post == POST_DRY)
        deliver(h, i);
}

static void restart(void *hand)
{
    struct farmhand *h = hand;
    h->beginning = true;
    for (uint32_t i = 0; i < h->job.workers; i++) {
        h->workers[i].item.length = 0;
        h->workers[i].ignored = 0;
        h->workers[i].asked = h->workers[i].awaited = false;
        if (!hand_posted(h, i))
            atomic_fetch_or(&hand_box(h, i)->wants, WANT_PAUSE);
    }
}

static void teach(const struct farmhand *h, uint32_t i)
{
    const struct ledger *l = farm_ledger(h->farm);
    struct shared *s = hand_shared(h, i);
    team_teach(s, l->racy.items, (uint32_t)l->racy.count, &l->lessons);
    s->ports_together |= l->ports_together;
    s->config.isolate = s->config.isolate > l->isolate ? s->config.isolate : (uint8_t)l->isolate;
}

/* No checkpoint of before is to be sent, or gone on from: what is shared will be another. */
static void forget_place(struct exchange *x)
{
    x->mail.length = 0;
    x->saved = 0;
    x->outbox.count = x->outbox.passed = x->outbox.done = x->outbox.telling = 0;
    x->outbox.closing = 0;
    tell_forget_passed(&x->outbox);
    atomic_store(&x->outbox.full, 0);
}

/* When all wait: they know what the others know, and begin with nothing. */
static int begin_again(struct farmhand *h, struct error *e)
{
    for (uint32_t i = 0; i < h->job.workers; i++)
        if (!hand_posted(h, i))
            return 0;
    for (uint32_t i = 0; i < h->job.workers; i++) /* also for who dies while Redis is away */
        forget_place(hand_box(h, i));
    int how = farm_go_on(h->farm, e);
    if (how)
        return how < 0 ? -1 : 0;
    h->beginning = h->news_sent = false;
    h->epoch = farm_ledger(h->farm)->epoch;
    for (uint32_t i = 0; i < h->job.workers; i++) {
        const struct shared *s = hand_shared(h, i);
        teach(h, i);
        atomic_store(&hand_box(h, i)->wants, 0);
        h->workers[i].told = (struct counters){.events = s->events, .steps_total = s->steps_total};
        h->workers[i].saved = 0;
        h->workers[i].bounds_told = false;
        release(h, i, atomic_load(&hand_box(h, i)->ticket) & ~1u, REPLY_AGAIN);
    }
    return 0;
}

/* ---- the workers ---- */

/* What it posted is not in the log, or on the way: one that died since may have posted the same. */
static bool is_new(const struct farmhand *h, uint32_t i)
{
    const struct farmhand_worker *w = &h->workers[i];
    uint32_t post = hand_box(h, i)->post;
    return !w->sent && (post == POST_WORK ? !(h->team->grove && w->awaited) : post == POST_DRY && !w->asked);
}

static void look_at(struct farmhand *h, uint32_t i, double now)
{
    struct exchange *x = hand_box(h, i);
    hand_send_findings(h, i);
    hand_take_outbox(h, i);
    if (!hand_posted(h, i)) {
        hand_send_checkpoint(h, i, now);
        return;
    }
    if (h->workers[i].sent || h->beginning)
        return;
    if (x->post == POST_AGAIN)
        hand_send_news(h, i);
    else if (x->post == POST_DRY && h->workers[i].item.length)
        deliver(h, i);
    else if (is_new(h, i))
        hand_send_post(h, i, true);
    else if (x->post == POST_PAUSED) /* what it paused for is over */
        release(h, i, atomic_load(&x->ticket) & ~1u, REPLY_AGAIN);
}

void farmhand_settle(struct farmhand *h, uint32_t i)
{
    struct exchange *x = hand_box(h, i);
    if (!h->farm)
        return;
    if (h->team->grove)
        grove_release(h->team->grove, (int)i);
    hand_take_outbox(h, i);
    if (hand_posted(h, i) && !h->beginning && (x->post == POST_WORK || x->post == POST_DRY)) {
        if (is_new(h, i))
            hand_send_post(h, i, false);
        else
            h->workers[i].ignored += x->post == POST_WORK;
        x->mail.length = x->outbox.passed = 0;
    }
    h->workers[i].sent = false;
    if (!h->team->grove)
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
        busy += ledger_busy(&l->members.items[i]);
    turn = busy ? (l->applied + (uint64_t)(now / WORTH)) % busy : 0;
    for (size_t i = 0, k = 0; i < l->members.count; i++) {
        uint64_t id = l->members.items[i].id;
        uint32_t worker = (uint32_t)(id % LEDGER_WORKERS);
        if (!ledger_busy(&l->members.items[i]) || k++ != turn)
            continue;
        if (id / LEDGER_WORKERS == farm_participant(h->farm) && worker < h->job.workers &&
            !hand_posted(h, worker) && now - h->workers[worker].since >= (h->split_after > 0 ? WORTH : 0))
            atomic_fetch_or(&hand_box(h, worker)->wants, WANT_SPLIT);
    }
}

/* What the program is made of: what the modules are first, so that another library is named and not one
 * that lies elsewhere because of it. */
static char *whole_identity(const struct farmhand *h, const struct module_layout *l)
{
    struct sbuf out = {0};
    uint32_t n = l->count < SHARED_MODULES ? l->count : SHARED_MODULES;
    ensure(h->identity != NULL && n > 0);
    sbuf_puts(&out, h->identity);
    for (int where = 0; where < 2; where++)
        for (uint32_t i = 0; i < n; i++) {
            const struct module_mark *m = &l->modules[i];
            sbuf_printf(&out, "%s %.*s: %016" PRIx64 "\n", where ? "address of" : "module",
                        (int)sizeof m->name, m->name[0] ? m->name : "(the program)",
                        where ? m->address : m->content);
        }
    sbuf_printf(&out, "further modules: %016" PRIx64 "\n", l->rest);
    return out.s;
}

/* Joins when the first worker waits: what it runs is known then. */
static int join(struct farmhand *h, struct error *e)
{
    static const struct farm_events none;
    struct farm_events events = none;
    uint32_t ready = 0;
    while (ready < h->job.workers && !hand_posted(h, ready))
        ready++;
    if (ready == h->job.workers)
        return 0;
    ensure(!h->job.identity);
    char *all = whole_identity(h, &hand_shared(h, ready)->layout);
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

static void say(struct farmhand *h, double now)
{
    if (now < h->say_at)
        return;
    h->say_at = now + 0.1;
    char line[300], host[64] = "";
    uint64_t runs = 0, idle = 0;
    gethostname(host, sizeof host - 1);
    for (uint32_t i = 0; i < h->job.workers; i++) {
        runs += hand_shared(h, i)->executions + hand_shared(h, i)->blocked;
        idle += hand_box(h, i)->idle_ns;
    }
    double seconds = now - h->started;
    snprintf(line, sizeof line,
             "host=%s pid=%d workers=%u seconds=%.1f executions=%" PRIu64 " idle=%.2f", host, (int)getpid(),
             h->job.workers, seconds, runs, (double)idle / 1e9);
    farm_say(h->farm, line);
}

/* Everybody reads what anybody tells: the more there are, the rarer. */
static void set_pace(struct farmhand *h)
{
    uint64_t members = farm_ledger(h->farm)->members.count;
    for (uint32_t i = 0; i < h->job.workers; i++) {
        struct outbox *o = &hand_box(h, i)->outbox;
        o->pause = members * TELL_PAUSE;
        if (farm_heard(h->farm, i))
            atomic_store(&o->known, o->taken);
    }
}

int farmhand_serve(struct farmhand *h, bool *soon, struct error *e)
{
    double now = progress_now();
    if (!h->farm && join(h, e))
        return -1;
    if (!h->farm)
        return 0;
    say(h, now);
    if (h->beginning && begin_again(h, e))
        return -1;
    for (uint32_t i = 0; i < h->job.workers && !h->stopped; i++)
        look_at(h, i, now);
    if (farm_serve(h->farm, e))
        return -1;
    if (ledger_finished(farm_ledger(h->farm)))
        for (uint32_t i = 0; i < h->job.workers; i++)
            if (hand_posted(h, i) && hand_box(h, i)->post == POST_DRY)
                release(h, i, atomic_load(&hand_box(h, i)->ticket) & ~1u, REPLY_FINISH);
    ask_for_work(h, now);
    set_pace(h);
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
        struct shared *s = hand_shared(h, i);
        s->counters = i ? (struct counters){0} : l->counted;
        s->restarts = i ? 0 : l->epoch;
        s->discarded = i ? 0 : l->discarded;
        s->bounds = i ? (struct bound_stats){0} : l->bounds;
        s->bounds.finished = !i && l->parts && ledger_finished(l);
        s->complete = ledger_finished(l) && !l->stop && !l->sampling && !l->limits.reached &&
                      !l->counted.bounded && !(l->parts && l->bounds.left_over);
        s->limits = l->limits;
        if (l->sampling && ledger_finished(l))
            limit_reached(&s->limits, LIMIT_EXECUTIONS, l->limit);
        s->repeats = l->repeats;
        if (l->why[0] && !s->incomplete[0])
            snprintf(s->incomplete, sizeof s->incomplete, "%s", l->why);
    }
}

/* Why all must stop, because of a worker of ours; and in words. */
static enum ledger_stop own_reason(const struct farmhand *h, const char **words)
{
    *words = "";
    for (uint32_t i = 0; i < h->job.workers; i++) {
        const struct shared *s = hand_shared(h, i);
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
    farm_alone(h->farm);
    for (uint32_t i = 0; i < h->job.workers; i++) {
        hand_take_outbox(h, i);
        hand_send_findings(h, i);
    }
    enum ledger_stop why = own_reason(h, &words);
    struct counters more = hand_counted(h);
    if (why == LEDGER_BUG || (why && !only_leave))
        farm_stop(h->farm, why, words, &more);
    farm_leave(h->farm);
    if (farm_flush(h->farm, 10, &e) && !h->job.quiet)
        fprintf(stderr, "raddle: the farm could not be told that this participant leaves; it will notice\n");
    h->stopped = true;
    take_totals(h);
    take_findings(h);
}

static double no_size(void *ctx, int member, double *done)
{
    return 0;
}

double farmhand_fraction(struct farmhand *h)
{
    const struct ledger *l = h->farm ? farm_ledger(h->farm) : NULL;
    if (!l)
        return 0;
    if (l->sampling)
        return l->limit ? (double)l->counted.executions / (double)l->limit : 0;
    double now = progress_now();
    if (l->grove && now > h->fraction_at) { /* all nodes are looked at */
        h->fraction = grove_fraction(l->grove, no_size, NULL);
        h->fraction_at = now + 1 + 200 * (progress_now() - now);
    }
    return h->fraction;
}
