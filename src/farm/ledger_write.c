/* Messages of a farm's log (ledger.h), as numbers like the values of trace/work.h; what findings look like
 * on the way. */
#include "farm/ledger.h"

#include "base/ensure.h"
#include "farm/bytes.h"

#include <string.h>

static void begin(struct work *to, enum ledger_kind kind)
{
    ensure(kind < LEDGER_KINDS);
    to->length = 0;
    bytes_put(to, LEDGER_MAGIC);
    bytes_put(to, LEDGER_VERSION);
    bytes_put(to, kind);
}

static struct work get_bytes(struct work *in)
{
    uint64_t n = work_get(in);
    struct work part = {0};
    if (in->failed || n > in->length - in->at) {
        in->failed = true;
        return part;
    }
    part.bytes = in->bytes + in->at;
    part.room = part.length = n;
    in->at += n;
    return part;
}

static void put_counters(struct work *to, const struct counters *c)
{
    const uint64_t all[] = {c->executions, c->blocked, c->assumed, c->bounded, c->events, c->steps_total};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bytes_put(to, all[i]);
}

struct counters ledger_get_counters(struct work *in)
{
    struct counters c = {.executions = work_get(in)};
    c.blocked = work_get(in);
    c.assumed = work_get(in);
    c.bounded = work_get(in);
    c.events = work_get(in);
    c.steps_total = work_get(in);
    return c;
}

int ledger_read_post(struct work *in, struct ledger_post *p)
{
    p->member = work_get(in);
    p->number = work_get(in);
    p->epoch = (uint32_t)work_get(in);
    p->dry = work_get(in);
    p->boundary = work_get(in);
    p->answer = work_get(in);
    p->wanted = work_get(in);
    p->counted = ledger_get_counters(in);
    p->repeats = work_get(in);
    p->bounds.left_over = work_get(in) != 0;
    p->bounds.blocking = (uint32_t)work_get(in);
    uint64_t bounds = work_get(in); /* those of which all is told */
    in->failed |= bounds > BOUND_STATS;
    p->bounds.active = bounds > 0;
    p->bounds.bound = bounds ? (uint32_t)bounds - 1 : 0;
    for (uint64_t i = 0; i < bounds && !in->failed; i++)
        p->bounds.executions[i] = work_get(in);
    in->failed |= !ledger_get_text(in, p->incomplete, sizeof p->incomplete);
    p->limits.reached = work_get(in);
    in->failed |= p->limits.reached >> LIMITS != 0;
    for (unsigned i = 0; i < LIMITS && !in->failed; i++)
        if (p->limits.reached >> i & 1)
            p->limits.at[i] = work_get(in);
    p->mail = get_bytes(in);
    p->item = get_bytes(in);
    return in->failed || in->at != in->length ? -1 : 0;
}

void ledger_write_post(struct work *to, const struct ledger_post *p)
{
    uint64_t head[] = {LEDGER_MAGIC, LEDGER_VERSION, LEDGER_POST, p->member, p->number, p->epoch, p->dry,
                       p->boundary, p->answer, p->wanted};
    to->length = 0;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        bytes_put(to, head[i]);
    put_counters(to, &p->counted);
    bytes_put(to, p->repeats);
    bytes_put(to, p->bounds.left_over);
    bytes_put(to, p->bounds.blocking);
    uint32_t bounds = p->bounds.active ? p->bounds.bound + 1 : 0;
    bounds = bounds < BOUND_STATS ? bounds : BOUND_STATS;
    bytes_put(to, bounds);
    for (uint32_t i = 0; i < bounds; i++)
        bytes_put(to, p->bounds.executions[i]);
    ledger_put_text(to, p->incomplete, sizeof p->incomplete - 1);
    bytes_put(to, p->limits.reached);
    for (unsigned i = 0; i < LIMITS; i++)
        if (p->limits.reached >> i & 1)
            bytes_put(to, p->limits.at[i]);
    bytes_put(to, p->mail.length);
    bytes_add(to, p->mail.bytes, p->mail.length);
    bytes_put(to, p->item.length);
    bytes_add(to, p->item.bytes, p->item.length);
}

void ledger_write_kept(struct work *to, uint64_t bytes, uint64_t size)
{
    begin(to, LEDGER_KEPT);
    bytes_put(to, bytes);
    bytes_put(to, size);
}

void ledger_write_gone(struct work *to, uint64_t participant)
{
    begin(to, LEDGER_GONE);
    bytes_put(to, participant);
}

void ledger_write_stop(struct work *to, uint32_t epoch, enum ledger_stop why, const char *words,
                       const struct counters *more)
{
    begin(to, LEDGER_STOP);
    bytes_put(to, epoch);
    bytes_put(to, why);
    ledger_put_text(to, words, LEDGER_WORDS - 1);
    put_counters(to, more);
}

void ledger_write_news(struct work *to, uint32_t epoch, const struct ledger_news *n)
{
    ensure(n->racy_count <= SHARED_RACY && n->lessons->count <= SHARED_LESSONS);
    begin(to, LEDGER_NEWS);
    bytes_put(to, epoch);
    bytes_put(to, n->ports_together);
    bytes_put(to, n->isolate);
    bytes_put(to, n->racy_count);
    for (uint32_t i = 0; i < n->racy_count; i++)
        bytes_put(to, n->racy[i]);
    bytes_put(to, n->lessons->count);
    for (uint32_t i = 0; i < n->lessons->count; i++) {
        bytes_put(to, n->lessons->items[i].key);
        bytes_put(to, n->lessons->items[i].with);
    }
}

void ledger_write_range(struct work *to, uint64_t first, uint64_t count)
{
    bytes_begin(to, WORK_RANGE);
    bytes_put(to, first);
    bytes_put(to, count);
}

void ledger_put_text(struct work *to, const char *text, size_t most)
{
    size_t n = strnlen(text, most);
    bytes_put(to, n);
    bytes_add(to, (const unsigned char *)text, n);
}

bool ledger_get_text(struct work *in, char *text, size_t room)
{
    uint64_t n = work_get(in);
    if (in->failed || n >= room || n > in->length - in->at || memchr(in->bytes + in->at, 0, n))
        return false;
    memcpy(text, in->bytes + in->at, n);
    text[n] = 0;
    in->at += n;
    return true;
}

void ledger_write_found(struct work *to, uint32_t epoch, const struct finding *f, const struct step *steps,
                        uint32_t count, const uint64_t *racy, const char *inputs)
{
    uint64_t head[] = {epoch, f->kind, f->thread, f->at_step, f->at_event, f->pc, f->pc2, f->object,
                       f->execution, f->seen, f->preemptions, f->racy_count};
    begin(to, LEDGER_FOUND);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        bytes_put(to, head[i]);
    for (uint32_t i = 0; i < f->racy_count; i++)
        bytes_put(to, racy[i]);
    ledger_put_text(to, f->message, sizeof f->message);
    ledger_put_text(to, inputs, SHARED_INPUTS);
    bytes_put(to, count);
    for (uint32_t i = 0; i < count; i++) {
        bytes_put(to, steps[i].pick);
        bytes_put(to, steps[i].branch);
        bytes_put(to, steps[i].event);
    }
}

static void get_steps(struct work *in, struct ledger_finding *f)
{
    for (uint64_t n = work_get(in); n > 0 && !in->failed; n--) {
        struct step s = {0};
        uint64_t pick = work_get(in), branch = work_get(in), event = work_get(in);
        in->failed |= pick > UINT16_MAX || branch > UINT16_MAX || event > UINT32_MAX;
        s.pick = (uint16_t)pick;
        s.branch = (uint16_t)branch;
        s.event = (uint32_t)event;
        vec_push(&f->steps, s);
    }
}

int ledger_read_found(struct work *in, struct ledger_finding *f)
{
    uint64_t epoch = work_get(in), kind = work_get(in), thread = work_get(in);
    *f = (struct ledger_finding){0};
    (void)epoch;
    f->found.kind = (uint32_t)kind;
    f->found.thread = (uint16_t)thread;
    f->found.at_step = (uint32_t)work_get(in);
    f->found.at_event = (uint32_t)work_get(in);
    f->found.pc = work_get(in);
    f->found.pc2 = work_get(in);
    f->found.object = work_get(in);
    f->found.execution = work_get(in);
    f->found.seen = work_get(in);
    f->found.preemptions = (uint32_t)work_get(in);
    uint64_t racy = work_get(in);
    for (uint64_t i = 0; i < racy && racy <= SHARED_RACY && !in->failed; i++)
        vec_push(&f->racy, work_get(in));
    f->found.racy_count = (uint32_t)f->racy.count;
    if (kind >= FINDING_KINDS || thread >= EVENT_MAX_THREADS || racy > SHARED_RACY || in->failed ||
        !ledger_get_text(in, f->found.message, sizeof f->found.message) ||
        !ledger_get_text(in, f->inputs, sizeof f->inputs))
        return -1;
    get_steps(in, f);
    f->found.step_count = (uint32_t)f->steps.count;
    return in->failed || in->at != in->length ? -1 : 0;
}

int ledger_take_found(struct ledger *l, struct work *in)
{
    struct ledger_finding f = {0}, known = {0};
    struct work look = *in;
    int bad = ledger_read_found(in, &f);
    bool there = false;
    for (size_t i = 0; i < l->findings.count && !bad && !there; i++) {
        struct work old = l->findings.items[i];
        old.at = 0;
        there = !ledger_read_found(&old, &known) &&
                finding_same(finding_id(&known.found), finding_id(&f.found));
        vec_free(&known.steps);
        vec_free(&known.racy);
    }
    if (!bad && !there && l->findings.count == SHARED_FINDINGS) {
        limit_reached(&l->limits, LIMIT_FINDINGS, SHARED_FINDINGS);
    } else if (!bad && !there) {
        struct work kept = {0};
        bytes_add(&kept, look.bytes + look.at, look.length - look.at);
        vec_push(&l->findings, kept);
    }
    vec_free(&f.steps);
    vec_free(&f.racy);
    return bad;
}
