/* Optimal DPOR in several workers (explore/share/portion.h), and its checkpoints. */
#include "explore/dpor/optimal_impl.h"

#include "base/ensure.h"

static uint32_t offer(struct engine *e, uint32_t step)
{
    return ((const struct optimal *)e->state)->wakeup.of_step[step];
}

static void given(struct engine *e, uint32_t step)
{
    ((struct optimal *)e->state)->wakeup.of_step[step] = 0;
}

static void expect(struct engine *e, const struct wakeup_step *n)
{
    optimal_follow(e->state, n);
}

static void put_tree(const struct engine *e, uint32_t step, struct work *w)
{
    ensure(step < e->trace->step_room);
    const struct wakeup *trees = &((const struct optimal *)e->state)->wakeup;
    wakeup_put(trees, trees->of_step[step], w);
}

static void get_tree(struct engine *e, uint32_t step, struct work *w)
{
    ensure(step < e->trace->step_room);
    struct wakeup *trees = &((struct optimal *)e->state)->wakeup;
    wakeup_get(trees, &trees->of_step[step], w);
}

static void put_next(const struct engine *e, struct work *w)
{
    const struct optimal *o = e->state;
    work_put(w, o->expecting);
    work_put_act(w, &o->expected);
    wakeup_put(&o->wakeup, o->cursor, w);
}

static void get_next(struct engine *e, struct work *w)
{
    struct optimal *o = e->state;
    o->expecting = work_get(w);
    o->expected = work_get_act(w);
    wakeup_get(&o->wakeup, &o->cursor, w);
}

struct portion_view optimal_portion(struct engine *e)
{
    struct optimal *o = e->state;
    return (struct portion_view){.engine = e, .portion = &o->portion, .hb = &o->hb, .sleep = &o->sleep,
                                 .estimate = &o->estimate, .enabled = o->enabled,
                                 .runs = o->estimate.executions,
                                 .expected = o->expecting ? &o->expected : NULL, .trees = &o->wakeup,
                                 .offer = offer, .given = given, .expect = expect, .put_list = put_tree,
                                 .get_list = get_tree, .put_next = put_next, .get_next = get_next};
}

void optimal_leave_path(struct engine *e, uint32_t step)
{
    struct portion_view v = optimal_portion(e);
    portion_cut(&v, step);
}

void optimal_tell_path(struct engine *e)
{
    struct portion_view v = optimal_portion(e);
    portion_confirm(&v);
}

void optimal_tell_place(struct engine *e)
{
    struct portion_view v = optimal_portion(e);
    portion_place(&v);
}

int optimal_save(struct engine *e, struct work *out)
{
    struct portion_view v = optimal_portion(e);
    return portion_save(&v, out);
}

int optimal_adopt(struct engine *e, struct work *in)
{
    struct optimal *o = e->state;
    struct portion_view v = optimal_portion(e);
    o->expecting = false;
    wakeup_drop(&o->wakeup, &o->cursor);
    return portion_adopt(&v, in);
}

bool optimal_put_choice(struct engine *e, uint32_t step, int values)
{
    struct optimal *o = e->state;
    struct grove_path *path = &o->portion.path;
    if (!e->box)
        return grove_put_choice(e->grove, e->member, path, step, values, e->usual);
    if (!grove_foresee_choice(e->grove, path, step))
        return false;
    tell_choice(e, path->told, step, values);
    o->portion.stale = true;
    return true;
}
