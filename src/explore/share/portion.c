/* See portion.h and, for the format, trace/work.h. All of it happens between two executions: the
 * next one follows the first trace->prefix steps; the last of these, and a step whose choices are not
 * all taken, has not performed anything yet. */
#include "explore/share/portion.h"

#include "base/ensure.h"

enum { UNSAID_RUNS = 64 }; /* executions after which a leaf is not one that is done soon */

int portion_init(struct portion *p, struct engine *e)
{
    p->path.nodes = arena_alloc(e->arena, e->trace->step_room * sizeof *p->path.nodes);
    p->path.leaf = p->path.told = GROVE_WHOLE;
    return p->path.nodes ? 0 : -1;
}

static void set_base(const struct portion_view *v, uint32_t base)
{
    v->portion->base = base;
    if (v->estimate)
        v->estimate->base = base;
}

/* ---- during an execution, and after it ---- */

void portion_cut(const struct portion_view *v, uint32_t step)
{
    grove_cut(v->engine->grove, &v->portion->path, step);
    if (v->portion->path.count < v->portion->base)
        set_base(v, v->portion->path.count);
    v->portion->left = true;
}

void portion_try(struct engine *e, struct portion *p, uint32_t step, const struct grove_thread *t)
{
    ensure(step < p->path.count);
    if (e->box)
        tell_thread(e, &p->path, step, t);
    else
        grove_insert_thread(e->grove, e->member, &p->path, step, t);
}

/* Others may wait to hear what happened on the way to our leaf. */
void portion_confirm(const struct portion_view *v)
{
    struct engine *e = v->engine;
    struct grove_path *path = &v->portion->path;
    bool right = true;
    if (path->executed < path->count)
        right = e->box ? tell_confirm(e, path, v->hb, path->count)
                       : grove_confirm(e->grove, e->member, path, v->hb, path->count);
    if (path->unsaid && v->runs >= UNSAID_RUNS)
        tell_unsaid(e, path);
    if (!right)
        e->incomplete = "an operation did not do what it was expected to; use one worker";
    if (e->grove && grove_full(e->grove))
        limit_reached(e->limits, LIMIT_MEMORY, engine_memory(e) >> 10);
}

void portion_place(const struct portion_view *v)
{
    struct portion *p = v->portion;
    if (v->engine->box && p->left) {
        tell_unsaid(v->engine, &p->path);
        tell_cut(v->engine, p->path.told, p->path.count);
        p->stale = true;
    }
    p->left = false;
}

/* ---- checkpoints ---- */

static void put_asleep(const struct portion_view *v, uint32_t step, struct work *w)
{
    uint32_t n = 0;
    const struct act *a = v->sleep ? sleep_at(v->sleep, step, &n) : NULL;
    work_put(w, n);
    for (uint32_t i = 0; i < n; i++)
        work_put_act(w, &a[i]);
}

static void get_asleep(const struct portion_view *v, uint32_t step, struct work *w)
{
    if (v->sleep)
        sleep_place(v->sleep, step);
    for (uint64_t n = work_get(w); n > 0 && !w->failed; n--) {
        struct act a = work_get_act(w);
        if (v->sleep)
            sleep_add(v->sleep, step, &a);
    }
}

static void put_step(const struct portion_view *v, uint32_t step, struct work *w)
{
    const struct trace *t = v->engine->trace;
    ensure(step < t->step_room);
    work_put(w, t->steps[step].pick);
    work_put(w, t->steps[step].branch);
    work_put_set(w, &v->enabled[step]);
    work_put(w, v->estimate->finished[step]);
    put_asleep(v, step, w);
    if (v->put_done)
        v->put_done(v->engine, step, w);
    v->put_list(v->engine, step, w);
}

static void get_step(const struct portion_view *v, uint32_t step, struct work *w)
{
    struct trace *t = v->engine->trace;
    ensure(step < t->step_room);
    struct step *s = &t->steps[step];
    s->pick = (uint16_t)work_get(w);
    s->branch = (uint16_t)work_get(w);
    s->event = 0;
    v->enabled[step] = work_get_set(w);
    estimate_set(v->estimate, step, (uint16_t)work_get(w));
    get_asleep(v, step, w);
    if (v->get_done)
        v->get_done(v->engine, step, w);
    v->get_list(v->engine, step, w);
}

int portion_save(const struct portion_view *v, struct work *out)
{
    uint32_t n = v->engine->trace->prefix;
    work_begin(out, WORK_ITEM);
    work_put_wide(out, portion_leaf(v));
    work_put(out, n);
    work_put(out, v->portion->base);
    for (uint32_t step = 0; step < n && !out->failed; step++)
        put_step(v, step, out);
    if (n && v->put_next)
        v->put_next(v->engine, out);
    return !out->failed;
}

/* Of the last execution what is on the way to the leaf is kept. */
static void take_path(const struct portion_view *v, uint32_t leaf)
{
    struct portion *p = v->portion;
    struct engine *e = v->engine;
    ensure(!e->trace->prefix || e->trace->prefix >= p->base);
    uint32_t common = grove_path(e->grove, &p->path, leaf);
    v->estimate->executions = v->estimate->samples = v->estimate->next_sample = 0;
    p->stale = p->left = false;
    if (leaf) /* otherwise a split that is not known to all yet */
        set_base(v, p->path.count);
    if (e->trace->prefix || !common)
        return;
    struct wakeup_step last = grove_step(e->grove, p->path.nodes[common - 1]);
    if (v->expect)
        v->expect(e, &last);
    trace_retain(e->trace, common, last.pick);
}

int portion_adopt(const struct portion_view *v, struct work *in)
{
    struct trace *t = v->engine->trace;
    if (work_open(in) != WORK_ITEM)
        return -1;
    uint64_t leaf = work_get(in), n = work_get(in), base = work_get(in);
    if (in->failed || n > t->step_room || base > t->step_room)
        return -1;
    set_base(v, (uint32_t)base);
    for (uint32_t step = 0; step < n && !in->failed; step++)
        get_step(v, step, in);
    if (n && v->get_next)
        v->get_next(v->engine, in);
    t->prefix = (uint32_t)n;
    t->known = 0;
    if (!in->failed && v->engine->grove)
        take_path(v, (uint32_t)leaf);
    return in->failed ? -1 : 0;
}

/* ---- giving part of it away ---- */

static struct wakeup_step taken(void *view, uint32_t step, bool *performed)
{
    const struct portion_view *v = view;
    const struct trace *t = v->engine->trace;
    const struct step *s = &t->steps[step];
    uint32_t k = v->hb->of_step[step];
    struct wakeup_step n = {.pick = s->pick, .branch = step_kind(s),
                            .act = {.thread = s->pick % EVENT_MAX_THREADS, .role = ROLE_NONE}};
    *performed = s->event < t->known && k != HB_NONE;
    if (*performed)
        n.act = v->hb->entries[k].act;
    else if (step + 1 == t->prefix && v->expected)
        n.act = *v->expected;
    return n;
}

static const struct act *asleep(void *view, uint32_t step, uint32_t *count)
{
    const struct portion_view *v = view;
    return v->elders ? v->elders(v->engine, step, count) : sleep_at(v->sleep, step, count);
}

/* At the shallowest step that has something to give. */
int portion_grow(const struct portion_view *v, void (*commit)(void *ctx, uint32_t leaf), void *ctx)
{
    struct engine *e = v->engine;
    struct portion *p = v->portion;
    uint32_t last = p->base, waiting = 0;
    ensure(e->grove != NULL);
    while (v->offer && last < e->trace->prefix && !(waiting = v->offer(e, last)))
        last++;
    if (!waiting)
        return 0;
    struct grove_split s = {.member = e->member, .path = &p->path, .trees = v->trees, .last = last,
                            .waiting = waiting, .taken = taken, .asleep = asleep, .ctx = (void *)v,
                            .commit = commit, .commit_ctx = ctx};
    if (!grove_has_room(e->grove, 0) || (e->box && !tell_split(e, &s)))
        return 0;
    p->stale = e->box != NULL;
    v->given(e, last);
    set_base(v, last + 1);
    if (!e->box)
        grove_split(e->grove, &s);
    wakeup_drop(v->trees, &waiting);
    return 1;
}

/* ---- leaves ---- */

uint32_t portion_leaf(const struct portion_view *v)
{
    const struct portion *p = v->portion;
    return !v->engine->grove ? 0 : p->stale ? 0 : v->engine->box ? p->path.told : p->path.leaf;
}

void portion_leave(const struct portion_view *v)
{
    v->portion->path.count = 0;
}

void portion_done(const struct portion_view *v)
{
    tell_done(v->engine, &v->portion->path, v->runs);
}

/* What all know now of the way to our leaf. It may have been left before that, while others were there. */
int portion_learn(const struct portion_view *v, struct work *in)
{
    struct portion *p = v->portion;
    if (work_open(in) != WORK_ANSWER)
        return -1;
    uint64_t leaf = work_get(in);
    if (in->failed)
        return -1;
    p->path.count = 0;
    grove_path(v->engine->grove, &p->path, (uint32_t)leaf);
    if (p->path.count > p->base)
        grove_cut(v->engine->grove, &p->path, p->base);
    p->stale = false;
    return 0;
}
