/* A sequence that comes as bytes has its happens-before with it: per item how many items of each thread it
 * cannot do without. That is a vector clock, so the functions for sequences that were built here
 * (explore/dpor/reversal.h) do for these too. */
#include "farm/feed.h"

#include "base/ensure.h"
#include "explore/share/grove_impl.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 32000, MOST_DEPTH = 32000 };

void feed_free(struct feed *f)
{
    free(f->hb.entries);
    free(f->hb.rows);
    free(f->rev.items);
    free(f->rev.way);
    vec_free(&f->acts);
    vec_free(&f->fresh);
    vec_free(&f->nodes);
    vec_free(&f->path);
}

static void lock(const struct feed *f, struct grove *g)
{
    while (!grove_try_lock(g, GROVE_MEMBERS)) {
        uint32_t holder = atomic_load(&g->lock);
        if (holder && f->dead && f->dead(f->dead_ctx, (int)holder - 1))
            grove_release(g, (int)holder - 1);
    }
}

/* Where the leaf stands; own->count: it does not. They are mostly asked about in their order, or, when they
 * are given back, from the last on. */
static size_t index_of(const feed_leaves *own, uint32_t leaf)
{
    size_t i = own->count && own->items[own->count - 1] == leaf ? own->count - 1 : 0;
    while (i < own->count && own->items[i] != leaf)
        i++;
    return i;
}

bool feed_has(const feed_leaves *own, uint32_t leaf)
{
    return index_of(own, leaf) < own->count;
}

static void replace(feed_leaves *own, uint32_t leaf, uint32_t now)
{
    size_t i = index_of(own, leaf);
    if (i < own->count)
        own->items[i] = now;
}

static void forget(feed_leaves *own, uint32_t leaf)
{
    size_t i = index_of(own, leaf);
    if (i < own->count)
        memmove(own->items + i, own->items + i + 1, (--own->count - i) * sizeof *own->items);
}

/* ---- reading ---- */

static struct act get_fresh(struct feed *f, struct work *in)
{
    uint64_t n = work_get(in);
    struct act a = {0};
    if (!n) {
        a = work_get_act(in);
        if (!in->failed)
            vec_push(&f->fresh, a);
        return a;
    }
    in->failed |= n > f->fresh.count;
    return in->failed ? a : f->fresh.items[n - 1];
}

/* Rows are as wide as the threads there have been. */
static struct act get_act(struct feed *f, const struct grove *g, struct work *in)
{
    uint64_t n = work_get(in);
    struct act a = {0};
    in->failed |= n > acts_of(g)->count;
    if (!in->failed)
        a = n ? acts_of(g)->items[n - 1] : get_fresh(f, in);
    while (f->hb.width <= a.thread)
        f->hb.width += 8;
    return a;
}

static void get_acts(struct feed *f, const struct grove *g, struct work *in)
{
    f->acts.count = 0;
    for (uint64_t n = work_get(in); n > 0 && !in->failed; n--)
        vec_push(&f->acts, get_act(f, g, in));
}

static struct wakeup_step get_step(struct feed *f, const struct grove *g, struct work *in, uint64_t *with)
{
    struct wakeup_step s = {.act = get_act(f, g, in)};
    uint64_t number = work_get(in), pick = s.act.thread, branch = 0;
    *with = number >> 1;
    if (number & 1) {
        pick = work_get(in);
        branch = work_get(in);
    }
    in->failed |= pick > UINT16_MAX || branch > UINT16_MAX || (!branch && pick >= EVENT_MAX_THREADS);
    s.pick = (uint16_t)pick;
    s.branch = (uint16_t)branch;
    return s;
}

static void make_room(struct feed *f, uint32_t items)
{
    if (items <= f->rooms)
        return;
    f->rooms = 2 * items;
    f->hb.entries = mem_realloc(f->hb.entries, f->rooms * sizeof *f->hb.entries);
    f->hb.rows = mem_realloc(f->hb.rows, (size_t)f->rooms * EVENT_MAX_THREADS * sizeof *f->hb.rows);
    f->rev.items = mem_realloc(f->rev.items, f->rooms * sizeof *f->rev.items);
}

/* Of each thread how many items there were, and which one was the last. */
struct so_far {
    vtime seen[EVENT_MAX_THREADS];
    uint32_t last[EVENT_MAX_THREADS];
};

static void get_item(struct feed *f, const struct grove *g, struct work *in, uint32_t i, struct so_far *at)
{
    uint64_t with;
    struct wakeup_step s = get_step(f, g, in, &with);
    vtime *row = f->hb.rows + (size_t)i * f->hb.width;
    if (at->seen[s.act.thread])
        memcpy(row, f->hb.rows + (size_t)at->last[s.act.thread] * f->hb.width, f->hb.width * sizeof *row);
    else
        memset(row, 0, f->hb.width * sizeof *row);
    at->last[s.act.thread] = i;
    for (uint64_t n = with >> 1; n > 0 && !in->failed; n--) {
        uint64_t thread = work_get(in), items = work_get(in);
        in->failed |= thread >= EVENT_MAX_THREADS || items > i;
        if (!in->failed)
            row[thread] = (vtime)items;
    }
    row[s.act.thread] = ++at->seen[s.act.thread];
    f->hb.entries[i] = (struct hb_entry){.act = s.act, .step = HB_NONE, .previous = HB_NONE,
                                         .time = row[s.act.thread]};
    f->rev.items[i] = (struct rev_item){.act = s.act, .entry = i, .pick = s.pick, .branch = s.branch,
                                        .certain = with & 1};
}

static int get_sequence(struct feed *f, const struct grove *g, struct work *in)
{
    struct so_far so_far = {0};
    bool choice = work_get(in), arrivals = work_get(in);
    uint64_t count = work_get(in);
    if (in->failed || !count || count > MOST_ITEMS || count > in->length)
        return -1;
    make_room(f, (uint32_t)count);
    f->hb.count = (uint32_t)count;
    uint64_t from = in->at, fresh = f->fresh.count;
    for (uint32_t i = 0, width = f->hb.width; i < count && !in->failed; i++) {
        get_item(f, g, in, i, &so_far);
        if (width != f->hb.width) { /* rows are wider now: once more */
            in->at = from;
            f->fresh.count = fresh;
            i = UINT32_MAX;
            width = f->hb.width;
            memset(&so_far, 0, sizeof so_far);
        }
    }
    f->rev.count = (uint32_t)count;
    f->rev.fed = true;
    f->rev.arrivals = arrivals;
    f->rev.second = choice ? HB_NONE : (uint32_t)count - 1;
    return in->failed ? -1 : 0;
}

/* ---- what was told ---- */

/* The node of the way to `leaf` that is taken at `step`; 0: there is none. */
static uint32_t node_of_step(const struct grove *g, uint32_t leaf, uint64_t step)
{
    uint32_t n = leaf;
    while (n != GROVE_TOP && more_at(g, n)->depth > step + 1)
        n = more_at(g, n)->parent;
    return n != GROVE_TOP && n != GROVE_ROOT && more_at(g, n)->depth == step + 1 ? n : 0;
}

/* All steps to the leaf performed what was expected, unless something else was told. */
static void confirm_all(struct grove *g, uint32_t leaf)
{
    for (uint32_t n = leaf; n != GROVE_TOP && n != GROVE_ROOT; n = more_at(g, n)->parent)
        if (!(more_at(g, n)->flags & GROVE_EXECUTED))
            grove_confirm_one(g, n, expected_at(g, n));
}

static int confirm(struct feed *f, struct grove *g, uint32_t leaf, struct work *in)
{
    uint64_t step = work_get(in), count = work_get(in);
    if (!in->failed && !count)
        confirm_all(g, leaf);
    for (; count > 0 && !in->failed; count--, step++) {
        struct act a = get_act(f, g, in);
        uint32_t n = node_of_step(g, leaf, step);
        if (in->failed || !n)
            return -1;
        grove_confirm_one(g, n, &a);
    }
    return in->failed ? -1 : 0;
}

/* A way into a tree is no longer than a sequence, or has weak initials: each takes nothing out of it. */
static void way_room(struct feed *f, const struct grove *g)
{
    f->rev.way = mem_realloc(f->rev.way, (g->deepest + 2) * sizeof *f->rev.way);
}

static int insert(struct feed *f, struct grove *g, uint32_t leaf, struct work *in)
{
    uint32_t n = node_of_step(g, leaf, work_get(in)), settled;
    get_acts(f, g, in);
    if (!n || get_sequence(f, g, in))
        return -1;
    way_room(f, g);
    rev_restore(&f->rev, &f->hb);
    grove_place(g, &f->hb, &f->rev, n,
                &(struct wakeup_sleepers){.acts = f->acts.items, .count = (uint32_t)f->acts.count}, &settled);
    return 0;
}

static int thread(struct feed *f, struct grove *g, uint32_t leaf, struct work *in)
{
    uint32_t n = node_of_step(g, leaf, work_get(in));
    struct grove_thread t = {.any = work_get_set(in)};
    t.act = get_act(f, g, in);
    t.certain = work_get(in);
    if (in->failed || !n)
        return -1;
    grove_place_thread(g, n, &t);
    return 0;
}

/* What can follow `steps` of the steps to the leaf is the leaf now; 0: there is no such thing. */
static uint32_t shorten(struct grove *g, uint32_t leaf, uint64_t steps)
{
    uint32_t at = steps ? node_of_step(g, leaf, steps - 1) : GROVE_ROOT;
    return at ? grove_shorten(g, leaf, at) : 0;
}

static void sweep_soon(struct grove *g, uint64_t done)
{
    g->since_sweep += (uint32_t)done;
    if (g->since_sweep < 16)
        return;
    g->since_sweep = 0;
    grove_sweep(g);
}

static int passed(struct grove *g, feed_leaves *own, uint32_t leaf, struct work *in)
{
    uint64_t count = work_get(in), runs = work_get(in);
    size_t first = index_of(own, leaf);
    if (in->failed || !count || count > own->count - first)
        return -1;
    for (size_t i = first; i < first + count; i++) {
        confirm_all(g, own->items[i]);
        grove_leaf_done(g, own->items[i], runs / count + (i == first ? runs % count : 0));
    }
    own->count -= count;
    memmove(own->items + first, own->items + first + count, (own->count - first) * sizeof *own->items);
    sweep_soon(g, count);
    return 0;
}

static int done(struct grove *g, feed_leaves *own, uint32_t leaf, struct work *in)
{
    uint64_t steps = work_get(in), runs = work_get(in);
    uint32_t at = in->failed ? 0 : shorten(g, leaf, steps);
    if (!at)
        return -1;
    grove_leaf_done(g, at, runs);
    forget(own, leaf);
    sweep_soon(g, 1);
    return 0;
}

static int cut(struct feed *f, struct grove *g, feed_leaves *own, uint32_t leaf, struct work *in)
{
    uint64_t steps = work_get(in);
    uint32_t at = in->failed ? 0 : shorten(g, leaf, steps);
    if (!at)
        return -1;
    f->kept = at;
    replace(own, leaf, at);
    return 0;
}

static int choice(struct feed *f, struct grove *g, uint32_t leaf, struct work *in)
{
    uint64_t step = work_get(in), values = work_get(in);
    uint32_t n = node_of_step(g, leaf, step);
    if (in->failed || !n || !values || values > UINT16_MAX || !grove_put_value(g, n, (int)values, 0))
        return -1;
    f->kept = leaf;
    return 0;
}

/* A LIST, into f->nodes; node 0 is none. */
static uint32_t get_list(struct feed *f, struct grove *g, struct work *in, uint32_t depth)
{
    uint32_t first = 0, last = 0;
    uint64_t with = 1;
    in->failed |= depth > MOST_DEPTH;
    while ((with & 1) && !in->failed) {
        struct wakeup_step s = get_step(f, g, in, &with);
        uint32_t n = (uint32_t)f->nodes.count;
        vec_push(&f->nodes, ((struct wakeup_node){.act = acts_number(acts_of(g), &s.act), .pick = s.pick,
                                                  .branch = s.branch}));
        if (last)
            f->nodes.items[last].next = n;
        else
            first = n;
        last = n;
        uint32_t child = with & 2 ? get_list(f, g, in, depth + 1) : 0;
        f->nodes.items[n].child = child;
    }
    return first;
}

/* What a split says of its states, for grove_split_locked. */
struct splitting {
    struct feed *feed;
    VEC(uint32_t) asleep; /* [step - first]: where they begin in feed->acts; one more at the end */
    VEC(struct wakeup_step) taken;
    VEC(bool) performed;
    uint32_t first;
};

static struct wakeup_step taken(void *ctx, uint32_t step, bool *performed)
{
    const struct splitting *s = ctx;
    *performed = s->performed.items[step - s->first];
    return s->taken.items[step - s->first];
}

static const struct act *asleep(void *ctx, uint32_t step, uint32_t *count)
{
    const struct splitting *s = ctx;
    const uint32_t *at = &s->asleep.items[step - s->first];
    *count = at[1] - at[0];
    return s->feed->acts.items + at[0];
}

static void commit(void *ctx, uint32_t leaf)
{
    ((struct feed *)ctx)->kept = leaf;
}

static void get_states(struct splitting *s, const struct grove *g, struct work *in, uint64_t count)
{
    s->feed->acts.count = 0;
    vec_push(&s->asleep, 0);
    for (; count > 0 && !in->failed; count--) {
        for (uint64_t n = work_get(in); n > 0 && !in->failed; n--)
            vec_push(&s->feed->acts, get_act(s->feed, g, in));
        vec_push(&s->asleep, (uint32_t)s->feed->acts.count);
        uint64_t performed;
        vec_push(&s->taken, get_step(s->feed, g, in, &performed));
        vec_push(&s->performed, performed & 1);
    }
}

static int split(struct feed *f, struct grove *g, feed_leaves *own, uint32_t leaf, struct work *in)
{
    struct splitting s = {.feed = f, .first = more_at(g, leaf)->depth};
    uint64_t last = work_get(in), states = work_get(in);
    bool bad = in->failed || last < s.first || last - s.first > in->length || states != last - s.first + 1;
    if (!bad)
        get_states(&s, g, in, last - s.first + 1);
    f->nodes.count = 0;
    vec_push(&f->nodes, (struct wakeup_node){0});
    uint32_t list = bad ? 0 : get_list(f, g, in, 0);
    bad |= in->failed || !list;
    if (!bad) {
        struct wakeup trees = {.nodes = f->nodes.items, .acts = acts_of(g)};
        while (f->path.count <= last)
            vec_push(&f->path, 0);
        struct grove_path path = {.nodes = f->path.items, .count = s.first, .leaf = leaf};
        struct grove_split how = {.member = 0, .path = &path, .trees = &trees, .last = (uint32_t)last,
                                  .waiting = list, .taken = taken, .asleep = asleep, .ctx = &s,
                                  .commit = commit, .commit_ctx = f};
        grove_split_locked(g, &how);
        replace(own, leaf, f->kept);
    }
    vec_free(&s.asleep);
    vec_free(&s.taken);
    vec_free(&s.performed);
    return bad ? -1 : 0;
}

static int apply_one(struct feed *f, struct grove *g, feed_leaves *own, struct work *in)
{
    uint64_t kind = work_get(in), leaf = work_get(in);
    f->fresh.count = 0;
    if (in->failed || leaf >= g->used || !feed_has(own, (uint32_t)leaf))
        return -1;
    uint32_t n = (uint32_t)leaf;
    switch (kind) {
    case TELL_CONFIRM: return confirm(f, g, n, in);
    case TELL_INSERT: return insert(f, g, n, in);
    case TELL_DONE: return done(g, own, n, in);
    case TELL_CUT: return cut(f, g, own, n, in);
    case TELL_CHOICE: return choice(f, g, n, in);
    case TELL_SPLIT: return split(f, g, own, n, in);
    case TELL_THREAD: return thread(f, g, n, in);
    case TELL_PASSED: return passed(g, own, n, in);
    case TELL_BACK: feed_give_back(g, own, n); return 0;
    default: return -1;
    }
}

int feed_apply(struct feed *f, struct grove *g, feed_leaves *own, struct work *in)
{
    int bad = 0;
    f->kept = 0;
    if (work_open(in) != WORK_TOLD)
        return -1;
    lock(f, g);
    while (!bad && in->at < in->length)
        bad = apply_one(f, g, own, in);
    grove_unlock(g);
    return bad;
}

void feed_take(const struct feed *f, struct grove *g, feed_leaves *own, uint64_t most)
{
    lock(f, g);
    for (uint32_t leaf = 0; own->count < most && (leaf = grove_take(g, leaf));)
        vec_push(own, leaf);
    for (size_t i = 0; i < own->count; i++)
        grove_taken(g, own->items[i]);
    grove_unlock(g);
}

void feed_give_back(struct grove *g, feed_leaves *own, uint32_t leaf)
{
    grove_return(g, leaf);
    forget(own, leaf);
}

uint32_t feed_waiting(const struct grove *g)
{
    return g->waiting;
}

uint32_t feed_depth(const struct grove *g, uint32_t leaf)
{
    return leaf < g->used ? more_at(g, leaf)->depth : 0;
}

static uint32_t out_below(const struct grove *g, uint32_t list)
{
    uint32_t count = 0;
    for (uint32_t n = list; n; n = node_at(g, n)->next)
        count += more_at(g, n)->state == GROVE_OUT ? 1 : out_below(g, *branches_of(g, n));
    return count;
}

uint32_t feed_out(const struct grove *g)
{
    return out_below(g, node_at(g, GROVE_TOP)->child);
}
