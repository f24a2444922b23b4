/* A frame is a state with branches in a fixed order. The later of two branches has what the earlier
 * one performs in its sleep set, so it is handed out only when that is known (*confirmed*). Leaves are
 * handed out; on the way to one there may be inner frames that nobody has been in yet (not *known*):
 * the worker that gets the first leaf below them reports what sleeps there and who is enabled.
 *
 * A sequence is inserted as into a wakeup tree (explore/dpor/wakeup.c), whose nodes are the branches. An
 * inner frame stays when all its branches are done, since something explored elsewhere may still have
 * to be inserted below it; a frame that came of a split does not: reports for it come only from
 * below. */
#include "farm/share_impl.h"

#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

/* One more branch is open; something that was done with may be so no longer. */
static void reopen(struct share_frame *f)
{
    f->open++;
    struct share_branch *above = f->parent ? &f->parent->branches.items[f->parent_branch] : NULL;
    if (above && above->state == BRANCH_DONE) {
        above->state = BRANCH_OUT;
        reopen(f->parent);
    }
}

struct share_branch *share_add_branch(struct share *s, struct share_frame *f, struct act act, uint16_t pick,
                                      uint16_t values)
{
    s->bytes += sizeof *f->branches.items;
    vec_push(&f->branches, ((struct share_branch){.act = act, .pick = pick, .values = values,
                                                  .owner = -1, .leaf = true}));
    reopen(f);
    return &f->branches.items[f->branches.count - 1];
}

static struct share_frame *new_frame(struct share *s, uint64_t id, struct share_frame *parent,
                                     uint32_t branch)
{
    struct share_frame *f = mem_alloc(sizeof *f);
    s->bytes += sizeof *f;
    f->id = id;
    f->parent = parent;
    f->parent_branch = branch;
    f->step = parent ? parent->step + 1 : -1;
    if (parent)
        parent->branches.items[branch].child = f;
    vec_push(&s->frames, f);
    return f;
}

/* The state below a branch of a wakeup tree. */
struct share_frame *share_inner_frame(struct share *s, struct share_frame *f, uint32_t branch)
{
    ensure(branch < f->branches.count);
    struct share_branch *b = &f->branches.items[branch];
    b->leaf = false;
    b->state = BRANCH_OUT;
    return new_frame(s, s->next_id++, f, branch);
}

static uint64_t bytes_of(const struct share_frame *f)
{
    return sizeof *f + f->branches.count * sizeof *f->branches.items +
           (f->asleep.count + f->done.count) * sizeof *f->asleep.items;
}

static void free_frame(struct share *s, struct share_frame *f)
{
    for (size_t i = 0; i < f->branches.count; i++)
        if (f->branches.items[i].child)
            free_frame(s, f->branches.items[i].child);
    s->bytes -= bytes_of(f);
    vec_free(&f->branches);
    vec_free(&f->asleep);
    vec_free(&f->done);
    for (size_t i = 0; i < s->frames.count; i++)
        if (s->frames.items[i] == f) {
            s->frames.items[i] = s->frames.items[--s->frames.count];
            break;
        }
    free(f);
}

/* ---- handing out ---- */

void share_init(struct share *s)
{
    *s = (struct share){.next_id = 1};
    struct share_frame *top = new_frame(s, 0, NULL, 0);
    top->known = true;
    share_add_branch(s, top, (struct act){0}, 0, 0);
}

static struct share_frame *top_frame(const struct share *s)
{
    struct share_frame *f = s->frames.items[0];
    while (f->parent)
        f = f->parent;
    return f;
}

void share_free(struct share *s)
{
    if (s->frames.count)
        free_frame(s, top_frame(s));
    ensure(s->bytes == 0);
    vec_free(&s->frames);
    vec_free(&s->aliases);
}

/* Is all known that branch n of f needs: what its elders perform, and those of the frames above? */
static bool ready(const struct share_frame *f, uint32_t n)
{
    ensure(n < f->branches.count);
    for (; f; n = f->parent_branch, f = f->parent) {
        if (!f->known && n > 0)
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (!f->branches.items[i].confirmed)
                return false;
    }
    return true;
}

static struct share_frame *to_take(const struct share *s, bool now, uint32_t *n)
{
    struct share_frame *best = NULL;
    for (size_t i = 0; i < s->frames.count; i++) {
        struct share_frame *f = s->frames.items[i];
        if (!f->open || (best && f->step >= best->step))
            continue;
        for (uint32_t k = 0; k < f->branches.count; k++)
            if (f->branches.items[k].state == BRANCH_WAITING) {
                if (!now || ready(f, k)) {
                    best = f;
                    *n = k;
                }
                break;
            }
    }
    return best;
}

bool share_take(struct share *s, int owner, struct work *out)
{
    uint32_t n;
    struct share_frame *f = to_take(s, true, &n);
    if (!f)
        return false;
    share_put_item(s, out, f, n);
    f->branches.items[n].state = BRANCH_OUT;
    f->branches.items[n].owner = owner;
    s->items++;
    return true;
}

bool share_waiting(const struct share *s)
{
    uint32_t n;
    return to_take(s, false, &n) != NULL;
}

bool share_crowded(const struct share *s)
{
    return s->memory && s->bytes > s->memory;
}

bool share_finished(const struct share *s)
{
    return s->frames.count == 0;
}

/* ---- splits ---- */

static struct share_frame *find(const struct share *s, uint64_t id, uint64_t *branch)
{
    for (size_t i = 0; i < s->aliases.count; i++)
        if (s->aliases.items[i].id == id && s->aliases.items[i].branch == *branch) {
            id = s->aliases.items[i].now_id;
            *branch = s->aliases.items[i].now_branch;
        }
    for (size_t i = 0; i < s->frames.count; i++)
        if (s->frames.items[i]->id == id)
            return *branch < s->frames.items[i]->branches.count ? s->frames.items[i] : NULL;
    return NULL;
}

static void get_acts(struct work *in, share_acts *v)
{
    for (uint64_t n = work_get(in); n > 0 && !in->failed; n--)
        vec_push(v, work_get_act(in));
}

static void take_step(struct share *s, struct share_frame *f, int owner, struct work *in)
{
    uint16_t pick = (uint16_t)work_get(in), values = (uint16_t)work_get(in);
    f->known = true;
    f->enabled = work_get_set(in);
    f->finished = work_get(in);
    get_acts(in, &f->asleep);
    get_acts(in, &f->done);
    s->bytes += (f->asleep.count + f->done.count) * sizeof *f->asleep.items;
    bool known = work_get(in);
    struct share_branch *b = share_add_branch(s, f, work_get_act(in), pick, values);
    b->confirmed = known || values;
    b->state = BRANCH_OUT;
    b->owner = owner;
}

/* A LIST becomes branches of f, and frames below them. */
static void take_list(struct share *s, struct share_frame *f, struct work *in)
{
    while (work_get(in) && !in->failed) {
        struct act act = work_get_act(in);
        uint16_t pick = (uint16_t)work_get(in), values = (uint16_t)work_get(in);
        share_add_branch(s, f, act, pick, values)->confirmed = values != 0;
        struct work ahead = *in;
        if (work_get(&ahead) == 0)
            *in = ahead;
        else
            take_list(s, share_inner_frame(s, f, (uint32_t)f->branches.count - 1), in);
    }
}

static int take_split(struct share *s, int owner, struct work *in, struct work *out)
{
    uint64_t id = work_get(in), branch = work_get(in), spare = work_get(in);
    struct share_frame *f = find(s, id, &branch);
    int64_t base = (int64_t)work_get(in), last = (int64_t)work_get(in);
    if (in->failed || !f || f->step + 1 != base || last < base ||
        f->branches.items[branch].child || !f->branches.items[branch].leaf)
        return -1;
    for (int64_t step = base; step <= last && !in->failed; step++) {
        f = new_frame(s, step == last ? spare : s->next_id++, f, (uint32_t)branch);
        take_step(s, f, owner, in);
        branch = 0;
    }
    take_list(s, f, in);
    share_put(out, f->id);
    share_put(out, 0);
    share_put(out, 0);
    s->splits++;
    return in->failed ? -1 : 0;
}

/* ---- reports ---- */

/* The frame at `step` above (and with) branch n of f; the branch there is stored in *own. */
static struct share_frame *ancestor(struct share_frame *f, uint32_t n, int64_t step, uint32_t *own)
{
    *own = n;
    while (f && f->step > step) {
        *own = f->parent_branch;
        f = f->parent;
    }
    return f && f->step == step && step >= 0 ? f : NULL;
}

static int take_confirmations(struct share *s, struct share_frame *f, uint32_t branch, struct work *in)
{
    ensure(branch < f->branches.count);
    for (uint64_t n = work_get(in); n > 0 && !in->failed; n--) {
        uint32_t own;
        struct share_frame *at = ancestor(f, branch, (int64_t)work_get(in), &own);
        struct act act = work_get_act(in);
        struct tset enabled = work_get_set(in);
        share_acts acts = {0};
        get_acts(in, &acts);
        if (at && !at->known) {
            at->enabled = enabled;
            at->asleep = acts;
            s->bytes += acts.count * sizeof *acts.items;
            at->known = true;
        } else {
            vec_free(&acts);
        }
        if (!at)
            return -1;
        if (!at->branches.items[own].confirmed)
            at->branches.items[own].act = act;
        at->branches.items[own].confirmed = true;
    }
    return in->failed ? -1 : 0;
}

static int take_additions(struct share *s, struct share_frame *f, uint32_t branch, struct work *in,
                          struct work *out)
{
    VEC(uint64_t) told = {0};
    int status = 0;
    for (uint64_t n = work_get(in); n > 0 && !in->failed && !status; n--) {
        uint32_t own;
        uint64_t step = work_get(in);
        struct share_frame *at = ancestor(f, branch, (int64_t)step, &own);
        bool by_thread = work_get(in);
        status = share_insert(s, at, own, by_thread, in);
        size_t k = 0;
        while (k < told.count && told.items[k] != step)
            k++;
        if (k == told.count)
            vec_push(&told, step);
    }
    share_put(out, told.count);
    for (size_t k = 0; k < told.count && !status; k++) {
        uint32_t own;
        struct share_frame *at = ancestor(f, branch, (int64_t)told.items[k], &own);
        share_put(out, told.items[k]);
        share_put_list(out, at, own + 1);
    }
    vec_free(&told);
    return status || in->failed ? -1 : 0;
}

static void branch_done(struct share *s, struct share_frame *f, uint32_t branch)
{
    ensure(branch < f->branches.count);
    ensure(f->open > 0);
    f->branches.items[branch].state = BRANCH_DONE;
    if (--f->open)
        return;
    struct share_frame *parent = f->parent;
    uint32_t n = f->parent_branch;
    if (!parent || parent->branches.items[n].leaf) {
        if (parent)
            parent->branches.items[n].child = NULL;
        free_frame(s, f);
    }
    if (parent)
        branch_done(s, parent, n);
}

/* The sequence ended before its leaf: branch n of f is the leaf now. */
static void cut_short(struct share *s, struct share_frame *f, uint32_t n, int owner)
{
    ensure(n < f->branches.count);
    struct share_branch *b = &f->branches.items[n];
    if (b->child)
        free_frame(s, b->child);
    b->child = NULL;
    b->leaf = true;
    b->state = BRANCH_OUT;
    b->owner = owner;
}

static int take_report(struct share *s, int owner, struct work *in, struct work *out)
{
    uint64_t id = work_get(in), branch = work_get(in), done = work_get(in);
    int64_t base = (int64_t)work_get(in);
    struct share_frame *f = find(s, id, &branch);
    if (in->failed || !f || f->branches.items[branch].state != BRANCH_OUT ||
        f->branches.items[branch].child || base > f->step + 1)
        return -1;
    if (base <= f->step) {
        uint64_t was = branch;
        uint32_t own;
        f = ancestor(f, (uint32_t)branch, base - 1, &own);
        branch = own;
        if (!f || f->branches.items[own].leaf)
            return -1;
        cut_short(s, f, own, owner);
        vec_push(&s->aliases, ((struct share_alias){id, was, f->id, own}));
    }
    share_put(out, f->id);
    share_put(out, branch);
    if (take_confirmations(s, f, (uint32_t)branch, in) ||
        take_additions(s, f, (uint32_t)branch, in, out))
        return -1;
    if (done)
        branch_done(s, f, (uint32_t)branch);
    return 0;
}

int share_tell(struct share *s, int owner, struct work *in, struct work *out)
{
    enum work_kind kind = work_open(in);
    share_begin(out, WORK_ANSWER);
    share_put(out, s->next_id++);
    if (kind == WORK_SPLIT)
        return take_split(s, owner, in, out);
    return kind == WORK_REPORT ? take_report(s, owner, in, out) : -1;
}

/* ---- the estimate ---- */

static double fraction_of(const struct share_frame *f, double (*part)(void *, int), void *ctx)
{
    double sum = (double)f->finished;
    for (size_t i = 0; i < f->branches.count; i++) {
        const struct share_branch *b = &f->branches.items[i];
        if (b->state == BRANCH_DONE)
            sum += 1;
        else if (b->state == BRANCH_OUT)
            sum += b->child ? fraction_of(b->child, part, ctx) : part(ctx, b->owner);
    }
    return sum / (double)(f->finished + f->branches.count);
}

double share_fraction(const struct share *s, double (*part)(void *ctx, int owner), void *ctx)
{
    return s->frames.count ? fraction_of(top_frame(s), part, ctx) : 1;
}
