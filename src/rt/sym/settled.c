/* Values that are concrete. What a thread has made concrete once is so for the rest of the execution, and so
 * is what is computed from it: no more branches for these. Like all that decides whether there is a branch
 * this follows from the thread's own past alone, so that it is the same in every interleaving. */
#include "rt/sym/sym.h"

#include "rt/core/sched.h"
#include "rt/posix/thread.h"

#define SETTLED (1u << 16)
#define DEPTH 4 /* of operations on what is settled */

static struct htable settled; /* thread and expression, of this execution */

void sym_settled_init(void)
{
    struct htable_entry *entries = rt_map(NULL, SETTLED * sizeof *entries, "values made concrete");
    htable_init_in(&settled, entries, SETTLED);
}

void sym_settled_reset(void)
{
    htable_clear(&settled);
    sym->before_threads = SYM_NO_STEP;
}

static uint64_t key_of(uint32_t expression)
{
    return (uint64_t)(uint32_t)rt.current << 32 | expression;
}

static bool is_settled(uint32_t expression, int depth)
{
    uint32_t operands[3];
    const struct expr *n = expr_at(&sym->solver.x, expression);
    if (n->op == OP_CONST || htable_has(&settled, htable_find(&settled, key_of(expression))))
        return true;
    if (n->op == OP_INPUT || !depth)
        return false;
    for (unsigned i = expr_operands(n, operands); i-- > 0;)
        if (!is_settled(operands[i], depth - 1))
            return false;
    return true;
}

bool sym_settled(uint32_t expression)
{
    return settled.count && is_settled(expression, DEPTH);
}

/* Bit by bit; each that the conditions so far leave open is a branch. sym_end() leaves out what would be too
 * much: the upper ones, so that of a size or a number of rounds the small values are tried. */
void sym_concretise(uint32_t expression, uint64_t value, uint64_t pc)
{
    if (!sym_explores() || sym_settled(expression))
        return;
    unsigned width = expr_at(&sym->solver.x, expression)->width;
    for (unsigned i = 0; i < width; i++) {
        uint32_t bit = expr_extract(&sym->solver.x, expression, i, 1);
        if (!sym_shadow(bit))
            continue;
        rt.engine.symbolic.bit = true;
        sym_decide(bit, value >> i & 1, pc);
        rt.engine.symbolic.bit = false;
        sym->path[sym->path_count - 1].bit = true;
    }
    if (!htable_put(&settled, htable_find(&settled, key_of(expression)), key_of(expression), 0))
        sym_no_room();
}

/* The conditions of this thread's past: its own, those from before there were threads, and the ranges of
 * inputs. */
static uint32_t own_past(void)
{
    uint32_t n = sym_ranges(sym->own);
    bool alone = thread_alone();
    for (uint32_t i = 0; i < sym->path_count; i++)
        if (alone || i < sym->before_threads || sym->path[i].thread == rt.current)
            sym->own[n++] = sym->held[i];
    return n;
}

bool sym_always(uint32_t expression)
{
    uint32_t other = sym_shadow(expression) ? expr_not(&sym->solver.x, expression) : 0;
    if (!other)
        return expression && expr_at(&sym->solver.x, expression)->value;
    rt_copy(sym->trial, sym->bytes, sym->byte_count);
    return sym_ask(sym->own, own_past(), other, sym->trial) == ANSWER_NO;
}
