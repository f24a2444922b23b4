/* Values that are made concrete are decided bit by bit (settled.c). Engines stop where the bits that could
 * be otherwise allow more values than --concretise; but 1, 2, 4, … 2048 are only twelve. So then they are
 * counted: the solver is asked for one that was not there yet until there is none, or too many. */
#include "rt/sym/sym.h"

#include "rt/check/finding.h"
#include "rt/core/sched.h"

#define KNOWN 256

static struct {
    uint64_t key;
    bool too_many;
} known[KNOWN];

/* The bits of one value, or of values one after the other at the same place: from *first to the result. */
static uint32_t bits_around(uint32_t i, uint32_t *first)
{
    const struct sym_condition *c = sym->path;
    uint32_t end = i + 1;
    for (*first = i; *first > 0 && c[*first - 1].bit && c[*first - 1].pc == c[i].pc &&
                     c[*first - 1].step + 1 == c[*first].step;)
        --*first;
    while (end < sym->path_count && c[end].bit && c[end].pc == c[i].pc &&
           c[end].step == c[end - 1].step + 1)
        end++;
    return end;
}

/* That one of the bits is not what it is with the inputs of the trial; 0: no room. */
static uint32_t differs(uint32_t first, uint32_t end)
{
    struct exprs *x = &sym->solver.x;
    uint32_t any = expr_const(x, 0, 1);
    for (uint32_t k = first; any && k < end; k++) {
        uint32_t bit = sym->path[k].expression;
        bool set = expr_eval(x, bit, sym->trial, sym->byte_count);
        any = expr_binary(x, OP_OR, any, set ? expr_not(x, bit) : bit);
    }
    return any;
}

static bool count_values(uint32_t first, uint32_t end)
{
    uint32_t most = rt.shared->config.concretise, n = first;
    if (first + most > SYM_CONDITIONS)
        return true;
    rt_copy(sym->trial, sym->bytes, sym->byte_count);
    rt_copy(sym->own, sym->held, first * sizeof *sym->own);
    for (uint32_t values = 1; values <= most; values++) {
        uint32_t other = differs(first, end);
        enum answer a = sym_shadow(other) ? sym_ask(sym->own, n, other, sym->trial) : ANSWER_UNKNOWN;
        if (a != ANSWER_YES)
            return a != ANSWER_NO;
        sym->own[n++] = other;
    }
    return true;
}

static bool too_many(uint32_t i)
{
    uint32_t first, end = bits_around(i, &first);
    uint64_t key = sym->path[i].pc;
    for (uint32_t k = 0; k < first; k++)
        key = (key ^ sym->held[k]) * 0x9e3779b97f4a7c15u + (key >> 29);
    if (known[key % KNOWN].key != key) {
        known[key % KNOWN].too_many = count_values(first, end);
        known[key % KNOWN].key = key;
    }
    return known[key % KNOWN].too_many;
}

bool sym_too_many_values(uint32_t i)
{
    if (i < sym->path_count && !too_many(i))
        return false;
    finding_incomplete("a value that depends on an input was made concrete: more than %u values "
                       "(--concretise)", rt.shared->config.concretise);
    if (i < sym->path_count)
        finding_warn(sym->path[i].pc, "a value that depends on an input is made concrete here; not all "
                                      "of its values were tried");
    return true;
}

bool sym_made_concrete(uint32_t condition)
{
    uint32_t other = expr_not(&sym->solver.x, condition), i = 0;
    while (i < sym->path_count && sym->path[i].expression != condition && sym->path[i].expression != other)
        i++;
    return sym_too_many_values(i);
}
