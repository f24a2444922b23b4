/* Inputs that an engine asks for before it runs something: see struct engine. The inputs at hand are changed
 * from one wish to the next, so that those that were fulfilled stay so. */
#include "rt/sym/sym.h"

/* The wish as a condition; 0: no room for it. */
static uint32_t condition_of(const struct wish *w)
{
    return w->side ? w->condition : expr_not(&sym->solver.x, w->condition);
}

static bool fulfil(const struct wish *w, uint32_t *held)
{
    uint32_t e = condition_of(w);
    if (!e || *held == SYM_CONDITIONS) {
        sym_no_room();
        return false;
    }
    if (!expr_eval(&sym->solver.x, e, sym->bytes, sym->byte_count)) {
        rt_copy(sym->trial, sym->bytes, sym->byte_count);
        if (sym_ask(sym->held, *held, e, sym->trial) != ANSWER_YES)
            return false;
        rt_copy(sym->bytes, sym->trial, sym->byte_count);
    }
    sym->held[(*held)++] = e;
    return true;
}

bool sym_suit(const struct wish *wishes, uint32_t count, uint32_t must, uint8_t *holds)
{
    uint32_t held = sym_ranges(sym->held);
    for (uint32_t i = 0; i < count; i++) {
        holds[i] = fulfil(&wishes[i], &held);
        if (!holds[i] && i < must)
            return false;
    }
    return true;
}
