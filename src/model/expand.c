/* Generate_RG's inner loop (figure 2.2), and what the reductions share. */
#include "model/expand.h"

#include "model/gen.h"
#include "model/store.h"

#include <stdlib.h>
#include <string.h>

void expand_open(struct expander *x, const struct sys *s, enum reduce reduce)
{
    *x = (struct expander){.run = {.s = s}, .reduce = reduce};
    x->executed = mem_alloc((size_t)s->ntrans + 1);
}

void expand_close(struct expander *x)
{
    vec_free(&x->bytes);
    vec_free(&x->succs);
    vec_free(&x->steps);
    vec_free(&x->sleeps);
    vec_free(&x->faults);
    vec_free(&x->tmp);
    free(x->executed);
}

void expand_reset(struct expander *x)
{
    x->bytes.count = x->succs.count = x->steps.count = x->sleeps.count = x->faults.count = 0;
    x->reduced = x->enabled = x->too_many = 0;
    x->busy[0] = x->busy[1] = 0;
    x->run.fault.kind = FAULT_NONE;
}

static uint32_t keep_steps(struct expander *x, const struct model_step *steps, size_t n)
{
    uint32_t at = (uint32_t)x->steps.count;
    for (size_t i = 0; i < n; i++)
        vec_push(&x->steps, steps[i]);
    return at;
}

void expand_add(struct expander *x, const struct gstate *g, int trans, const struct model_step *steps,
                size_t nsteps)
{
    struct succ s = {
        .off = (uint32_t)x->bytes.count, .len = (uint16_t)g->len, .trans = (int16_t)trans};
    vec_reserve(&x->bytes, x->bytes.count + (size_t)g->len + STORE_SLACK);
    memcpy(x->bytes.items + x->bytes.count, g->b, (size_t)g->len);
    x->bytes.count += (size_t)g->len;
    if (x->record) {
        s.steps = keep_steps(x, steps, nsteps);
        s.nsteps = (uint32_t)nsteps;
    }
    vec_push(&x->succs, s);
}

void expand_fault(struct expander *x, const struct model_step *steps, size_t nsteps)
{
    struct fault_at f = {x->run.fault, keep_steps(x, steps, nsteps), (uint32_t)nsteps};
    vec_push(&x->faults, f);
    x->run.fault.kind = FAULT_NONE;
}

void expand_step(struct expander *x, const struct gstate *g, struct model_step st)
{
    struct gstate *w = &x->work;
    w->len = g->len;
    memcpy(w->b, g->b, (size_t)g->len);
    int proc = x->run.s->trans[st.trans].proc;
    x->busy[proc >> 6] |= 1ull << (proc & 63);
    x->enabled = 1;
    step_exec(&x->run, w, st);
    if (x->run.fault.kind) {
        expand_fault(x, &st, 1);
        return;
    }
    x->executed[st.trans] = 1;
    if (st.other >= 0) {
        proc = x->run.s->trans[st.other].proc;
        x->busy[proc >> 6] |= 1ull << (proc & 63);
        x->executed[st.other] = 1;
    }
    expand_add(x, w, st.trans, &st, 1);
}

void expand_full(struct expander *x, const struct gstate *g)
{
    expand_reset(x);
    if (x->code && !x->record) {
        gen_expand(x, g);
        return;
    }
    x->tmp.count = 0;
    step_all(&x->run, g, &x->tmp);
    if (x->run.fault.kind)
        expand_fault(x, NULL, 0); /* in a guard */
    for (size_t i = 0; i < x->tmp.count; i++)
        expand_step(x, g, x->tmp.items[i]);
}

void expand(struct expander *x, const struct gstate *g)
{
    if (x->reduce == REDUCE_NONE)
        expand_full(x, g);
    else if (x->reduce == REDUCE_POR)
        por_expand(x, g);
    else
        bsra_expand(x, g, NULL, 0);
}
