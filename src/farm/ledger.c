#include "farm/ledger.h"

#include "base/ensure.h"
#include "farm/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 1 << 20 };

static void init_shared(struct ledger *l)
{
    pool_init(&l->pool, l->memory);
    if (l->grove)
        grove_init(l->grove, l->memory);
}

void ledger_init(struct ledger *l, const struct ledger_job *job)
{
    *l = (struct ledger){.sampling = job->sampling, .limit = job->limit, .grove = job->grove,
                         .parts = !job->sampling && !job->grove, .memory = job->memory,
                         .feed = {.dead = job->dead, .dead_ctx = job->dead_ctx},
                         .bounds.active = job->bounds};
    init_shared(l);
}

static void free_items(struct ledger *l)
{
    for (size_t i = 0; i < l->members.count; i++) {
        free(l->members.items[i].item.bytes);
        vec_free(&l->members.items[i].leaves);
    }
    for (size_t i = 0; i < l->returned.count; i++)
        free(l->returned.items[i].bytes);
    l->returned.count = 0;
}

void ledger_free(struct ledger *l)
{
    free_items(l);
    for (size_t i = 0; i < l->findings.count; i++)
        free(l->findings.items[i].bytes);
    pool_free(&l->pool);
    feed_free(&l->feed);
    vec_free(&l->members);
    vec_free(&l->hungry);
    vec_free(&l->returned);
    vec_free(&l->racy);
    vec_free(&l->findings);
    free(l->scratch.bytes);
    free(l->answer.bytes);
}

const struct ledger_entry *ledger_find(const struct ledger *l, uint64_t member)
{
    for (size_t i = 0; i < l->members.count; i++)
        if (l->members.items[i].id == member)
            return &l->members.items[i];
    return NULL;
}

static struct ledger_entry *find(struct ledger *l, uint64_t member)
{
    return (struct ledger_entry *)ledger_find(l, member);
}

static void keep_bytes(struct work *to, const struct work *from)
{
    to->length = 0;
    bytes_add(to, from->bytes, from->length);
}

/* The leaf that an item is about. */
static uint32_t frame_of(const struct work *item)
{
    struct work w = *item;
    return work_open(&w) == WORK_ITEM ? (uint32_t)work_get(&w) : 0;
}

/* ---- handing out ---- */

static bool take_range(struct ledger *l, uint64_t wanted, struct work *out)
{
    uint64_t left = l->limit ? l->limit - l->next_range : UINT64_MAX;
    uint64_t n = wanted < 1 ? 1 : wanted;
    n = n < left ? n : left;
    if (!n)
        return false;
    ledger_write_range(out, l->next_range, n);
    l->next_range += n;
    return true;
}

/* As many leaves as it would like, but others want some too. */
static bool take_leaves(struct ledger *l, struct ledger_entry *m, struct work *out)
{
    uint64_t share = 1 + feed_waiting(l->grove) / (1 + l->hungry.count), n = m->wanted;
    n = n < 1 ? 1 : n < share ? n : share;
    n = n < OUTBOX_LEAVES ? n : OUTBOX_LEAVES;
    feed_take(&l->feed, l->grove, &m->leaves, n);
    bytes_begin(out, WORK_LEAVES);
    bytes_put(out, m->leaves.count);
    for (size_t i = 0; i < m->leaves.count; i++)
        bytes_put(out, m->leaves.items[i]);
    return m->leaves.count > 0;
}

/* The next item for the member, into l->scratch: what others left first. */
static bool take_item(struct ledger *l, struct ledger_entry *m)
{
    if (l->returned.count) {
        struct work item = l->returned.items[--l->returned.count];
        keep_bytes(&l->scratch, &item);
        if (l->grove)
            vec_push(&m->leaves, frame_of(&item));
        free(item.bytes);
        return true;
    }
    if (l->grove)
        return !grove_finished(l->grove) && take_leaves(l, m, &l->scratch);
    if (l->sampling)
        return take_range(l, m->wanted, &l->scratch);
    return pool_take(&l->pool, &l->scratch);
}

static void not_hungry(struct ledger *l, uint64_t member)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->hungry.count; i++)
        if (l->hungry.items[i] != member)
            l->hungry.items[kept++] = l->hungry.items[i];
    l->hungry.count = kept;
}

static void hand_out(struct ledger *l, const struct ledger_effects *effects)
{
    while (l->hungry.count) {
        struct ledger_entry *m = find(l, l->hungry.items[0]);
        ensure(m != NULL);
        if (!take_item(l, m))
            return;
        if (!l->grove || frame_of(&l->scratch))
            keep_bytes(&m->item, &l->scratch);
        m->hungry = false;
        not_hungry(l, m->id);
        l->given++;
        effects->given(effects->ctx, m->id, &l->scratch);
    }
}

bool ledger_finished(const struct ledger *l)
{
    if (!l->sampling)
        return l->grove ? grove_finished(l->grove) : pool_finished(&l->pool);
    if (!l->limit || l->next_range < l->limit || l->returned.count)
        return false;
    for (size_t i = 0; i < l->members.count; i++)
        if (l->members.items[i].item.length)
            return false;
    return true;
}

bool ledger_wants_split(const struct ledger *l)
{
    if (!l->hungry.count || l->sampling || l->returned.count || ledger_finished(l))
        return false;
    return l->grove ? !feed_waiting(l->grove) : !pool_waiting(&l->pool) && !pool_crowded(&l->pool);
}

/* ---- applying ---- */

static void add_counters(struct counters *to, const struct counters *more)
{
    to->executions += more->executions;
    to->blocked += more->blocked;
    to->assumed += more->assumed;
    to->bounded += more->bounded;
    to->events += more->events;
    to->steps_total += more->steps_total;
    to->traces_bytes += more->traces_bytes;
}

static struct ledger_entry *member_of(struct ledger *l, const struct ledger_post *p)
{
    struct ledger_entry *m = find(l, p->member);
    if (m || p->number != 1 || l->members.count >= MOST_MEMBERS)
        return m;
    vec_push(&l->members, ((struct ledger_entry){.id = p->member}));
    return &l->members.items[l->members.count - 1];
}

/* The level of a part; 0 of what is none. */
static uint64_t level_of(const struct work *part)
{
    struct work w = *part;
    return work_open(&w) == WORK_PART ? work_get(&w) : 0;
}

static int take_gift(struct ledger *l, struct ledger_entry *m, struct ledger_post *p,
                     const struct ledger_effects *effects)
{
    if (!m->item.length || pool_tell(&l->pool, &p->mail, p->dry))
        return -1;
    if (l->pool.full)
        limit_reached(&l->limits, LIMIT_MEMORY, l->memory >> 10);
    bytes_begin(&l->answer, WORK_ANSWER);
    if (p->answer)
        effects->answered(effects->ctx, m->id, &l->answer);
    return 0;
}

/* What was executed since the last checkpoint belongs to the bound of the part it was done for. */
static void count_bound(struct ledger *l, const struct ledger_entry *m, const struct ledger_post *p)
{
    uint64_t level = level_of(&m->item), last = BOUND_STATS - 1;
    struct bound_stats *b = &l->bounds;
    if (!b->active)
        return;
    b->executions[level < last ? level : last] += p->counted.executions;
    b->bound = level > b->bound ? (uint32_t)level : b->bound;
    b->blocking = p->bounds.blocking > b->blocking ? p->bounds.blocking : b->blocking;
    b->left_over |= p->bounds.left_over || l->pool.full;
}

static int apply_mail(struct ledger *l, struct ledger_entry *m, struct ledger_post *p,
                      const struct ledger_effects *effects)
{
    l->feed.kept = 0;
    if (!p->mail.length)
        return l->parts && p->dry && m->item.length ? -1 : 0; /* what of its part? */
    if (l->grove)
        return feed_apply(&l->feed, l->grove, &m->leaves, &p->mail);
    return l->parts ? take_gift(l, m, p, effects) : -1;
}

/* The checkpoint; with a grove it is about a leaf of the member's, which may be known by another number since
 * it was written. */
static int keep_item(struct ledger *l, struct ledger_entry *m, struct ledger_post *p)
{
    struct work look = p->item;
    uint32_t leaf = l->feed.kept ? l->feed.kept : frame_of(&p->item);
    if (l->grove && p->item.length && (p->dry || !feed_has(&m->leaves, leaf) ||
                                       work_open(&look) != WORK_ITEM ||
                                       p->item.length < WORK_HEAD + WORK_WIDE))
        return -1;
    if (l->parts && p->item.length && !m->item.length)
        return -1;
    /* A leaf was done: then it is not the one of the last checkpoint, of which only a part is left to do. */
    if (l->grove && p->boundary && m->item.length && feed_has(&m->leaves, frame_of(&m->item)))
        return -1;
    keep_bytes(&m->item, &p->item);
    if (l->grove && p->item.length)
        work_set_frame(&m->item, leaf);
    return 0;
}

/* It waits to hear what its leaf is called now. */
static void tell_leaf(struct ledger *l, const struct ledger_entry *m, const struct ledger_effects *effects)
{
    bytes_begin(&l->answer, WORK_ANSWER);
    bytes_put(&l->answer, frame_of(&m->item));
    effects->answered(effects->ctx, m->id, &l->answer);
}

static int apply_post(struct ledger *l, struct work *in, const struct ledger_effects *effects)
{
    struct ledger_post p = {0};
    if (ledger_read_post(in, &p))
        return -1;
    struct ledger_entry *m = member_of(l, &p);
    if (!m || p.number != m->number + 1)
        return 0; /* delivered again, or its sender was given up */
    m->number = p.number;
    if (p.epoch != l->epoch || l->stop)
        return 0;
    bool checkpoint = p.item.length || p.dry || p.boundary;
    if (checkpoint && l->parts)
        count_bound(l, m, &p);
    if (apply_mail(l, m, &p, effects) || (checkpoint && keep_item(l, m, &p)) ||
        (l->grove && m->item.length && !feed_has(&m->leaves, frame_of(&m->item)))) {
        l->stop = LEDGER_FAILED;
        snprintf(l->why, sizeof l->why, "a message of participant %" PRIu64 " cannot be understood",
                 m->id / LEDGER_WORKERS);
        return -1;
    }
    if (l->grove && p.answer)
        tell_leaf(l, m, effects);
    while (l->grove && p.dry && m->leaves.count)
        feed_give_back(l->grove, &m->leaves, m->leaves.items[0]);
    if (checkpoint) {
        add_counters(&l->counted, &p.counted);
        m->executions += p.counted.executions + p.counted.blocked;
    }
    m->wanted = p.wanted;
    l->repeats |= p.repeats;
    if (p.incomplete[0] && !l->why[0])
        memcpy(l->why, p.incomplete, sizeof l->why);
    if (p.bounds.active && !l->parts)
        l->bounds = p.bounds;
    for (unsigned i = 0; i < LIMITS; i++)
        if (p.limits.reached >> i & 1)
            limit_reached(&l->limits, i, p.limits.at[i]);
    if (p.dry && !m->hungry) {
        m->hungry = true;
        vec_push(&l->hungry, m->id);
    }
    return 0;
}

static int apply_gone(struct ledger *l, struct work *in)
{
    uint64_t participant = work_get(in);
    size_t kept = 0;
    if (in->failed || in->at != in->length)
        return -1;
    for (size_t i = 0; i < l->members.count; i++) {
        struct ledger_entry *m = &l->members.items[i];
        if (m->id / LEDGER_WORKERS != participant) {
            l->members.items[kept++] = *m;
            continue;
        }
        not_hungry(l, m->id);
        l->gone += ledger_busy(m);
        for (uint32_t item = frame_of(&m->item); l->grove && m->leaves.count;) {
            uint32_t leaf = m->leaves.items[--m->leaves.count];
            if (leaf != item)
                feed_give_back(l->grove, &m->leaves, leaf);
        }
        vec_free(&m->leaves);
        if (m->item.length && l->parts) {
            pool_return(&l->pool, &m->item);
            free(m->item.bytes);
        } else if (m->item.length)
            vec_push(&l->returned, m->item);
        else
            free(m->item.bytes);
    }
    l->members.count = kept;
    return 0;
}

static void learn_racy(struct ledger *l, uint64_t pc)
{
    for (size_t i = 0; i < l->racy.count; i++)
        if (l->racy.items[i] == pc)
            return;
    if (l->racy.count < SHARED_RACY)
        vec_push(&l->racy, pc);
}

static void learn_lesson(struct lessons *to, struct lesson one)
{
    for (uint32_t i = 0; i < to->count; i++)
        if (to->items[i].key == one.key && to->items[i].with == one.with)
            return;
    if (to->count < SHARED_LESSONS)
        to->items[to->count++] = one;
}

/* What was done so far is void. */
static void begin_again(struct ledger *l)
{
    l->epoch++;
    l->discarded += l->counted.executions + l->counted.blocked;
    l->counted = (struct counters){0};
    l->next_range = 0;
    l->hungry.count = 0;
    for (size_t i = 0; i < l->returned.count; i++)
        free(l->returned.items[i].bytes);
    l->returned.count = 0;
    for (size_t i = 0; i < l->members.count; i++) {
        l->members.items[i].item.length = 0;
        l->members.items[i].leaves.count = 0;
        l->members.items[i].hungry = false;
    }
    l->bounds = (struct bound_stats){.active = l->bounds.active};
    pool_free(&l->pool);
    init_shared(l);
}

static int apply_news(struct ledger *l, struct work *in)
{
    uint64_t epoch = work_get(in), ports = work_get(in), isolate = work_get(in), n = work_get(in);
    struct work look = *in;
    if (in->failed || isolate > ISOLATE_FORK || n > SHARED_RACY)
        return -1;
    for (uint64_t i = 0; i < n; i++)
        work_get(&look);
    uint64_t lessons = work_get(&look);
    for (uint64_t i = 0; i < 2 * lessons && lessons <= SHARED_LESSONS; i++)
        work_get(&look);
    if (look.failed || lessons > SHARED_LESSONS || look.at != look.length)
        return -1;
    if (epoch != l->epoch)
        return 0; /* others were first */
    for (uint64_t i = 0; i < n; i++)
        learn_racy(l, work_get(in));
    for (work_get(in); lessons > 0; lessons--) {
        struct lesson one = {.key = work_get(in)};
        one.with = work_get(in);
        learn_lesson(&l->lessons, one);
    }
    l->ports_together |= ports != 0;
    l->isolate = isolate > l->isolate ? (uint32_t)isolate : l->isolate;
    begin_again(l);
    return 0;
}

static int apply_stop(struct ledger *l, struct work *in)
{
    uint64_t epoch = work_get(in), why = work_get(in);
    char words[sizeof l->why];
    if (in->failed || why == LEDGER_GOES_ON || why > LEDGER_FAILED ||
        !ledger_get_text(in, words, sizeof words))
        return -1;
    struct counters more = ledger_get_counters(in);
    if (in->failed || in->at != in->length)
        return -1;
    /* A bug is one, whatever was learnt since about what a step is. */
    if (!l->stop && (epoch == l->epoch || why == LEDGER_ASKED || why == LEDGER_BUG)) {
        l->stop = (enum ledger_stop)why;
        add_counters(&l->counted, &more);
        if (words[0])
            memcpy(l->why, words, sizeof words);
    }
    return 0;
}

static int apply_kept(struct ledger *l, struct work *in)
{
    uint64_t at = work_get(in), size = work_get(in);
    if (in->failed || in->at != in->length || at > l->bytes)
        return -1;
    l->kept_at = at > l->kept_at ? at : l->kept_at;
    l->kept_size = size;
    return 0;
}

/* What kind of message it is, at the number that follows; LEDGER_KINDS: none of ours. */
static uint64_t kind_of(const struct work *message, struct work *w)
{
    *w = *message;
    w->at = 0;
    w->failed = false;
    bool ours = work_get(w) == LEDGER_MAGIC && work_get(w) == LEDGER_VERSION;
    uint64_t kind = work_get(w);
    return ours && !w->failed ? kind : LEDGER_KINDS;
}

uint64_t ledger_sender(const struct work *message)
{
    struct work w;
    return kind_of(message, &w) == LEDGER_POST ? work_get(&w) / LEDGER_WORKERS : 0;
}

bool ledger_begins_again(const struct ledger *l, const struct work *message)
{
    struct work w;
    return kind_of(message, &w) == LEDGER_NEWS && work_get(&w) == l->epoch && !w.failed;
}

int ledger_apply(struct ledger *l, struct work *in, const struct ledger_effects *effects)
{
    uint64_t kind = kind_of(in, in);
    int bad = kind == LEDGER_POST              ? apply_post(l, in, effects)
              : kind == LEDGER_GONE              ? apply_gone(l, in)
              : kind == LEDGER_NEWS              ? apply_news(l, in)
              : kind == LEDGER_FOUND             ? ledger_take_found(l, in)
              : kind == LEDGER_STOP              ? apply_stop(l, in)
              : kind == LEDGER_KEPT              ? apply_kept(l, in)
                                                 : -1;
    l->applied++;
    l->bytes += in->length + LEDGER_ENTRY;
    l->refused += bad != 0;
    if (!l->stop && !l->sampling && l->limit && l->counted.executions + l->counted.blocked >= l->limit)
        l->stop = LEDGER_LIMIT;
    if (!l->stop)
        hand_out(l, effects);
    return bad;
}
