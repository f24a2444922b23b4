/* See portion.h and, for the formats, trace/work.h. All of it happens between two executions: the
 * next one follows the first trace->prefix steps; the last of these, and a step whose choices are not
 * all taken, has not performed anything yet. */
#include "explore/share/portion.h"

#include "base/ensure.h"


enum { OUT_ROOM = 64 << 20 }; /* at most */

int portion_init(struct portion *p, struct engine *e)
{
    p->limits = e->limits;
    p->out.room = engine_memory(e) < OUT_ROOM ? engine_memory(e) : OUT_ROOM;
    p->out.bytes = arena_alloc(e->arena, p->out.room);
    return p->out.bytes ? 0 : -1;
}

/* ---- steps ---- */

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

static void put_step(const struct engine *e, const struct portion_view *v, uint32_t step,
                     struct work *w)
{
    ensure(step < e->trace->step_room);
    work_put(w, e->trace->steps[step].pick);
    work_put(w, e->trace->steps[step].branch);
    work_put_set(w, &v->enabled[step]);
    work_put(w, v->estimate ? v->estimate->finished[step] : 0);
    put_asleep(v, step, w);
    if (v->put_done)
        v->put_done(e, step, w);
    else
        work_put(w, 0);
}

static void get_step(struct engine *e, const struct portion_view *v, uint32_t step, struct work *w)
{
    ensure(step < e->trace->step_room);
    struct step *s = &e->trace->steps[step];
    s->pick = (uint16_t)work_get(w);
    s->branch = (uint16_t)work_get(w);
    s->event = 0;
    v->enabled[step] = work_get_set(w);
    uint64_t finished = work_get(w);
    if (v->estimate)
        estimate_set(v->estimate, step, (uint16_t)finished);
    get_asleep(v, step, w);
    if (v->get_done)
        v->get_done(e, step, w);
    else
        for (uint64_t n = work_get(w); n > 0 && !w->failed; n--)
            work_get_act(w);
}

/* ---- what belongs to frames ---- */

/* No room for an addition: it is left out, and the search is not complete. */
static void end_addition(struct portion *p, uint64_t length)
{
    p->waiting += !p->out.failed;
    if (!p->out.failed)
        return;
    limit_reached(p->limits, LIMIT_SHARING, p->out.room >> 10);
    p->out.length = length;
    p->out.failed = false;
}

static void begin_addition(struct portion *p, uint32_t step, bool by_thread, uint32_t items)
{
    work_put(&p->out, step);
    work_put(&p->out, by_thread);
    work_put(&p->out, items);
}

/* Of each other thread the number of items before item i that it cannot do without: the last of them
 * needs those before it. */
static void put_before(struct work *w, const struct happens *h, const struct reversal *r, uint32_t i)
{
    ensure(i < r->count);
    uint16_t seen[EVENT_MAX_THREADS] = {0}, needed[EVENT_MAX_THREADS] = {0};
    uint64_t count = 0;
    for (uint32_t k = 0; k < i; k++) {
        uint16_t t = r->items[k].act.thread;
        seen[t]++;
        if (rev_precedes(r, h, k, i)) {
            count += needed[t] == 0;
            needed[t] = seen[t];
        }
    }
    work_put(w, count);
    for (uint32_t t = 0; count > 0; t++)
        if (needed[t]) {
            work_put(w, t);
            work_put(w, needed[t]);
            count--;
        }
}

void portion_add(struct portion *p, const struct happens *h, const struct reversal *r,
                 uint32_t step, bool by_thread)
{
    ensure(step < p->base);
    uint64_t length = p->out.length;
    begin_addition(p, step, by_thread, r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        work_put_act(&p->out, &r->items[i].act);
        work_put(&p->out, r->items[i].pick);
        work_put(&p->out, r->items[i].branch);
        put_before(&p->out, h, r, i);
    }
    end_addition(p, length);
}

void portion_add_thread(struct portion *p, uint32_t step, int thread)
{
    ensure(step < p->base);
    ensure(thread >= 0 && thread < EVENT_MAX_THREADS);
    struct act a = {.thread = (uint16_t)thread};
    uint64_t length = p->out.length;
    begin_addition(p, step, true, 1);
    work_put_act(&p->out, &a);
    work_put(&p->out, (uint64_t)thread);
    work_put(&p->out, 0);
    work_put(&p->out, 0);
    end_addition(p, length);
}

/* ---- splitting ---- */

/* What the step taken performed, if it has. */
static bool performed(const struct engine *e, const struct portion_view *v, uint32_t step,
                      struct act *a)
{
    *a = (struct act){.thread = e->trace->steps[step].pick % EVENT_MAX_THREADS,
                      .role = ROLE_NONE};
    if (!v->hb)
        return true;
    if (e->trace->steps[step].event >= e->trace->known || v->hb->of_step[step] == HB_NONE)
        return false;
    *a = v->hb->entries[v->hb->of_step[step]].act;
    return true;
}

static void split_step(struct engine *e, const struct portion_view *v, uint32_t step,
                       struct work *out)
{
    struct act act;
    put_step(e, v, step, out);
    work_put(out, performed(e, v, step, &act));
    work_put_act(out, &act);
}

/* The shallowest step that has something to give. */
static uint32_t step_to_split(const struct engine *e, const struct portion_view *v)
{
    uint32_t step = v->portion->base;
    while (step < e->trace->prefix && !v->waits(e, step))
        step++;
    return step;
}

/* What has not happened yet will be confirmed: the last step, and those it is a choice of. */
static void expect_confirmation(const struct engine *e, const struct portion_view *v)
{
    struct portion *p = v->portion;
    struct act act;
    p->confirm = !performed(e, v, p->base - 1, &act);
    p->confirm_from = p->base - 1;
    while (p->confirm_from > 0 && e->trace->steps[p->confirm_from].branch)
        p->confirm_from--;
}

static void set_base(const struct portion_view *v, uint32_t base)
{
    v->portion->base = base;
    if (v->estimate)
        v->estimate->base = base;
}

int portion_split(struct engine *e, const struct portion_view *v, struct work *out)
{
    struct portion *p = v->portion;
    uint32_t last = step_to_split(e, v);
    if (last >= e->trace->prefix || !p->spare)
        return 0;
    work_begin(out, WORK_SPLIT);
    work_put(out, p->frame);
    work_put(out, p->branch);
    work_put(out, p->spare);
    work_put(out, p->base);
    work_put(out, last);
    for (uint32_t step = p->base; step <= last && !out->failed; step++)
        split_step(e, v, step, out);
    v->put_list(e, last, out);
    if (out->failed)
        return 0;
    p->frame = p->spare;
    p->branch = 0;
    p->spare = 0;
    set_base(v, last + 1);
    expect_confirmation(e, v);
    return 1;
}

/* ---- items ---- */

/* Nothing is expected, nothing to follow. */
static void put_no_next(struct work *out)
{
    struct act none = {0};
    work_put(out, 0);
    work_put_act(out, &none);
    work_put(out, 0);
}

int portion_save(struct engine *e, const struct portion_view *v, struct work *out)
{
    struct portion *p = v->portion;
    uint32_t n = e->trace->prefix;
    work_begin(out, WORK_ITEM);
    work_put_wide(out, (uint32_t)p->frame);
    work_put(out, p->branch);
    work_put(out, p->spare);
    work_put(out, p->confirm);
    work_put(out, p->confirm_from);
    work_put(out, n);
    work_put(out, p->base);
    for (uint32_t step = 0; step < n && !out->failed; step++) {
        put_step(e, v, step, out);
        v->put_list(e, step, out);
    }
    if (v->put_next)
        v->put_next(e, out);
    else
        put_no_next(out);
    return !out->failed;
}

int portion_adopt(struct engine *e, const struct portion_view *v, struct work *in)
{
    struct portion *p = v->portion;
    struct trace *t = e->trace;
    if (work_open(in) != WORK_ITEM)
        return -1;
    p->frame = work_get(in);
    p->branch = (uint32_t)work_get(in);
    p->spare = work_get(in);
    p->confirm = work_get(in);
    p->confirm_from = (uint32_t)work_get(in);
    uint64_t n = work_get(in), base = work_get(in);
    if (in->failed || n > t->step_room || base > t->step_room || p->confirm_from > base)
        return -1;
    set_base(v, (uint32_t)base);
    p->out.length = p->waiting = 0;
    for (uint32_t step = 0; step < n && !in->failed; step++) {
        get_step(e, v, step, in);
        if (v->get_list)
            v->get_list(e, step, in);
        else
            work_skip_list(in);
    }
    if (v->get_next) {
        v->get_next(e, in);
    } else {
        work_get(in);
        work_get_act(in);
        work_skip_list(in);
    }
    t->prefix = (uint32_t)n;
    t->known = 0;
    return in->failed ? -1 : 0;
}

/* ---- after an execution ---- */

static void put_confirmation(struct engine *e, const struct portion_view *v, uint32_t step,
                             struct work *out)
{
    ensure(step < v->portion->base);
    struct act a = {.thread = e->trace->steps[step].pick % EVENT_MAX_THREADS, .role = ROLE_NONE};
    if (v->hb && v->hb->of_step[step] != HB_NONE)
        a = v->hb->entries[v->hb->of_step[step]].act;
    work_put(out, step);
    work_put_act(out, &a);
    work_put_set(out, &v->enabled[step]);
    put_asleep(v, step, out);
}

int portion_report(struct engine *e, const struct portion_view *v, int done, struct work *out)
{
    struct portion *p = v->portion;
    if (!p->waiting && !p->confirm && !done)
        return 0;
    work_begin(out, WORK_REPORT);
    work_put(out, p->frame);
    work_put(out, p->branch);
    work_put(out, (uint64_t)done);
    work_put(out, p->base);
    uint32_t from = p->confirm && p->confirm_from < p->base ? p->confirm_from : p->base;
    work_put(out, p->base - from);
    for (uint32_t step = from; step < p->base; step++)
        put_confirmation(e, v, step, out);
    if (p->out.length + 16 > out->room - out->length) { /* nobody will hear of these */
        limit_reached(p->limits, LIMIT_SHARING, out->room >> 10);
        p->waiting = p->out.length = 0;
    }
    work_put(out, p->waiting);
    for (uint64_t i = 0; i < p->out.length; i++)
        out->bytes[out->length++] = p->out.bytes[i];
    ensure(!out->failed && out->length < out->room);
    p->confirm = false;
    p->waiting = p->out.length = 0;
    return 1;
}

int portion_learn(struct engine *e, const struct portion_view *v, struct work *in)
{
    struct portion *p = v->portion;
    if (work_open(in) != WORK_ANSWER)
        return -1;
    p->spare = work_get(in);
    p->frame = work_get(in);
    p->branch = (uint32_t)work_get(in);
    for (uint64_t n = work_get(in); n > 0 && !in->failed; n--) {
        uint64_t step = work_get(in);
        if (step >= p->base)
            return -1;
        if (v->get_list)
            v->get_list(e, (uint32_t)step, in);
        else
            work_skip_list(in);
    }
    return in->failed ? -1 : 0;
}
