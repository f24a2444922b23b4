/* The way to a finding: the parents of its state, and for each pair of neighbours the steps between
 * them, found by expanding the first again and comparing (by hash under hash compaction). */
#include "model/search_impl.h"

#include <stdlib.h>

static int is_state(const struct model_search *se, const uint8_t *bytes, int len, store_id id)
{
    int n;
    const uint8_t *want = store_state(&se->store, id, &n);
    if (!se->o.compact)
        return n == len && !memcmp(bytes, want, (size_t)len);
    uint64_t hash = store_hash(bytes, len);
    return !memcmp(&hash, want, 8);
}

/* Steps from g to the state id, appended; g becomes that state. */
static int follow(struct model_search *se, struct expander *x, struct gstate *g, store_id from,
                  store_id id, step_list *into)
{
    for (int full = 0; full < 2; full++) {
        const struct sleep_set *z = search_sleep_of(se, from);
        if (full)
            expand_full(x, g);
        else if (z)
            bsra_expand(x, g, z->entries, z->count);
        else
            expand(x, g);
        for (size_t i = 0; i < x->succs.count; i++) {
            const struct succ *s = &x->succs.items[i];
            if (!is_state(se, x->bytes.items + s->off, s->len, id))
                continue;
            for (uint32_t k = 0; k < s->nsteps; k++)
                vec_push(into, x->steps.items[s->steps + k]);
            g->len = s->len;
            memcpy(g->b, x->bytes.items + s->off, s->len);
            return 0;
        }
    }
    return -1;
}

void search_trace(struct model_search *se, const struct model_finding *f, step_list *into)
{
    VEC(store_id) path = {0};
    struct expander x;
    struct gstate g;
    for (store_id id = f->state; id; id = store_parent(&se->store, id))
        vec_push(&path, id);
    expand_open(&x, se->s, se->o.reduce);
    x.record = 1;
    g.len = sys_initial(se->s, g.b);
    for (size_t i = path.count; i-- > 1;)
        if (follow(se, &x, &g, path.items[i], path.items[i - 1], into))
            break; /* only possible when hash compaction mixed up two states */
    for (size_t i = 0; i < f->nsteps; i++)
        vec_push(into, f->steps[i]);
    expand_close(&x);
    vec_free(&path);
}
