/* Sharing a search in the order of a bound (-j N, farms): work items are independent of each other, so
 * what is left to do at a bound is a set of records (record.h) that anybody can go on with, and what it
 * postpones are parts of the next level (farm/pool.h). What is still open in the search of a work item
 * becomes a record too: at a step where a switch costs nothing the threads not tried yet, as if they were
 * work items of this bound; at a choice the values to come (a position without threads).
 *
 *   a part    bytes of records for the next bound, these records; records of this bound up to its end
 *
 * The next execution when a part is saved is one more position: its last step, with the thread to be
 * tried there. */
#include "explore/bound/bounded_impl.h"

#include "base/ensure.h"

enum { CHUNK = 64 << 10 }; /* so many bytes of records for the next bound are given away at once */

/* ---- records of what is left ---- */

/* Open positions of a record that is being written. */
struct openings {
    struct tape *to;
    uint32_t count, last;
    bool counting; /* only that */
};

static void open_position(struct openings *o, uint32_t at, const struct tset *threads)
{
    o->count++;
    if (o->counting)
        return;
    tape_put(o->to, at - o->last);
    record_put_set(o->to, threads);
    o->last = at;
}

/* The steps before the last one of the next execution at which something is left. */
static void open_steps(const struct engine *e, struct openings *o)
{
    const struct bound_search *b = e->state;
    const struct trace *t = e->trace;
    for (uint32_t i = b->base; i + 1 < t->prefix; i++)
        if (t->steps[i].branch ? step_next_value(&t->steps[i]) >= 0
                               : b->free[i] && !tset_empty(&b->open[i]))
            open_position(o, i, t->steps[i].branch ? &(struct tset){{0}} : &b->open[i]);
}

/* Its last step. */
static void open_last(const struct engine *e, struct openings *o)
{
    const struct bound_search *b = e->state;
    const struct trace *t = e->trace;
    uint32_t n = t->prefix - 1;
    struct tset threads = {{0}};
    if (!t->steps[n].branch) {
        if (b->free[n] || b->kind == DELAYS)
            threads = b->open[n];
        tset_add(&threads, t->steps[n].pick);
    }
    open_position(o, n, &threads);
}

/* All that is left of the work item under way, the next execution with it. */
static void put_item(struct engine *e, struct tape *to)
{
    const struct bound_search *b = e->state;
    struct trace *t = e->trace;
    ensure(t->prefix > 0);
    struct step *last = &t->steps[t->prefix - 1], kept = *last;
    struct openings o = {.to = to, .counting = true};
    open_steps(e, &o);
    open_last(e, &o);
    /* As it was before: the thread that went on there, the value before the one to be tried. */
    if (last->branch & STEP_SYMBOLIC)
        *last = (struct step){.pick = kept.pick ^ 1, .branch = kept.branch | STEP_OPEN};
    else if (last->branch)
        last->pick--;
    else
        last->pick = b->instead_of;
    record_put_steps(to, t->steps, t->prefix);
    *last = kept;
    tape_put(to, o.count);
    o.counting = false;
    open_steps(e, &o);
    open_last(e, &o);
}

static void put_item_steps(struct tape *to, const struct item_step *steps, uint32_t n)
{
    tape_put(to, n);
    for (uint32_t i = 0; i < n; i++) {
        tape_put(to, (uint64_t)steps[i].branch << 16 | steps[i].pick);
        tape_put(to, 1);
    }
}

/* The positions of the decoded record from `from` on. */
static void put_rest(const struct bound_search *b, struct tape *to, uint32_t from)
{
    const struct record *r = &b->record;
    if (from >= r->count)
        return;
    put_item_steps(to, r->steps, r->step_count);
    tape_put(to, r->count - from);
    for (uint32_t i = from, last = 0; i < r->count; last = r->position[i++]) {
        tape_put(to, r->position[i] - last);
        record_put_set(to, &r->open[i]);
    }
}

/* A choice of which some values were tried has a record of its own. */
static uint32_t put_begun_choice(struct bound_search *b, struct tape *to)
{
    struct record *r = &b->record;
    if (r->at >= r->count || r->begun != r->at + 1)
        return r->at;
    uint32_t n = r->position[r->at];
    struct item_step first = r->steps[n];
    r->steps[n] = r->value;
    put_item_steps(to, r->steps, n + 1);
    r->steps[n] = first;
    tape_put(to, 1);
    tape_put(to, n);
    tape_put(to, 0);
    return r->at + 1;
}

/* ---- giving away ---- */

/* Threads of the first step where a switch costs nothing. */
static bool give_threads(struct engine *e, struct tape *to)
{
    struct bound_search *b = e->state;
    const struct trace *t = e->trace;
    for (uint32_t i = b->base; i < t->prefix; i++) {
        if (t->steps[i].branch || !b->free[i] || tset_empty(&b->open[i]))
            continue;
        record_put_steps(to, t->steps, i);
        tape_put(to, 1);
        tape_put(to, i);
        record_put_set(to, &b->open[i]);
        b->open[i] = (struct tset){{0}};
        return true;
    }
    return false;
}

/* Half of what is left of the record. */
static bool give_positions(struct bound_search *b, struct tape *to)
{
    struct record *r = &b->record;
    if (r->at >= r->count || (r->begun == r->at + 1 && r->at + 1 == r->count))
        return false;
    uint32_t from = r->at + (r->count - r->at) / 2;
    from += r->begun == from + 1;
    put_rest(b, to, from);
    r->count = from;
    return true;
}

static int give_part(struct engine *e, struct work *out)
{
    struct bound_search *b = e->state;
    if (b->retrying || tape_spilled(b->now) || tape_spilled(b->next))
        return 0;
    tape_clear(&b->scratch);
    work_begin_gift(out, false, true, b->bound);
    work_put(out, 0);
    if (!tape_at_end(b->now)) {
        tape_put_rest(b->now, out);
        b->now->length = b->now->at;
    } else if (give_positions(b, &b->scratch) || give_threads(e, &b->scratch)) {
        tape_put_rest(&b->scratch, out);
    } else {
        return 0;
    }
    work_end_gift(out);
    ensure(!out->failed); /* a part is smaller than the room for mail */
    return 1;
}

/* What belongs to the next bound. */
static int give_next(struct engine *e, bool done, struct work *out)
{
    struct bound_search *b = e->state;
    bool part = b->next->length > 0;
    if (!done && (b->next->length < CHUNK || b->retrying || tape_spilled(b->next) || tape_spilled(b->now)))
        return 0;
    tape_rewind(b->next);
    work_begin_gift(out, done, part, b->bound + 1);
    if (part)
        work_put(out, 0);
    while (!tape_at_end(b->next) && !out->failed)
        work_put(out, tape_get(b->next));
    work_end_gift(out);
    if (out->failed || b->next->failed) {
        b->stats->left_over = 1;
        limit_reached(b->limits, LIMIT_SPILL, 0);
        work_begin_gift(out, done, false, 0);
    }
    tape_clear(b->next);
    return 1;
}

int bounded_give(struct engine *e, enum engine_give why, struct work *out)
{
    return why == GIVE_PART ? give_part(e, out) : give_next(e, why == GIVE_LAST, out);
}

/* ---- checkpoints ---- */

int bounded_save(struct engine *e, struct work *out)
{
    struct bound_search *b = e->state;
    bool alone = e->config->jobs <= 1; /* then tapes may be long, and queues outlive a worker anyway */
    if (alone || b->retrying || tape_spilled(b->now) || tape_spilled(b->next))
        return 0;
    work_begin(out, WORK_PART);
    work_put(out, b->bound);
    if (!e->trace->prefix) /* the whole search, not begun */
        return 1;
    work_put(out, b->next->length);
    tape_put_rest(b->next, out);
    tape_clear(&b->scratch);
    put_item(e, &b->scratch);
    put_rest(b, &b->scratch, put_begun_choice(b, &b->scratch));
    tape_put_rest(&b->scratch, out);
    tape_put_rest(b->now, out);
    return !out->failed;
}

static void fill(struct tape *t, struct work *in, uint64_t n)
{
    tape_clear(t);
    for (; n > 0; n--)
        tape_put_byte(t, in->bytes[in->at++]);
}

/* Is all on the tape well-formed? */
static bool well_formed(struct engine *e, struct tape *t)
{
    struct bound_search *b = e->state;
    bool good = true;
    for (tape_rewind(t); good && !tape_at_end(t);)
        good = record_read(&b->record, t, e->trace->step_room, false);
    b->record.at = b->record.count = 0;
    tape_rewind(t);
    return good;
}

int bounded_adopt(struct engine *e, struct work *in)
{
    struct bound_search *b = e->state;
    struct trace *t = e->trace;
    if (work_open(in) != WORK_PART)
        return -1;
    uint64_t level = work_get(in);
    bool whole = in->at == in->length;
    uint64_t next = whole ? 0 : work_get(in);
    if (in->failed || level > UINT32_MAX || next > in->length - in->at)
        return -1;
    t->prefix = t->known = b->base = b->fresh = b->record.at = b->record.count = 0;
    b->retrying = false;
    b->bound = b->stats->bound = (uint32_t)level;
    fill(b->next, in, next);
    if (!well_formed(e, b->next))
        return -1;
    fill(b->now, in, in->length - in->at);
    if (whole)
        return level ? -1 : 0;
    if (!well_formed(e, b->now) || !b->now->length)
        return -1;
    return bounded_next(e) ? 0 : -1;
}
