/* Why a thread that returns from one call need not be told apart from one that returns from another.
 *
 * Compilers copy code: of `while (look()) pause();` they make `if (look()) do pause(); while (look());`, and
 * a programmer may write that, too. Two instructions are *alike* if they do the same (the same bytes but for
 * where a jump leads and for addresses that are relative to the instruction, which must come to the same),
 * and whatever follows the one is alike to what follows the other in the same place; a branch is like one
 * with the opposite condition that leads to the same the other way round. Instructions that make no
 * difference are passed over (idle.c has the argument for that). This is the coarsest bisimulation, found by
 * refinement (Hopcroft's minimal automaton, in its simple form): after as many steps as there are
 * instructions, those not told apart cannot be. From the same registers and memory alike instructions do the
 * same for ever, and only the return addresses of the calls they make differ, which programs do not look at.
 * So a state of a thread is the same in all of them; which registers and bytes belong to it, live.c says.
 *
 * A compiler puts an address that a loop needs into a register before it, but not before the copy of its
 * first round. So a register which always holds the same number at a place (examine.c) is not part of the
 * state there, and reading it is as if the number stood in the instruction. */
#include "rt/code/alike.h"

#include "rt/code/idle.h"

#define x code_examined
#define NOWHERE UINT16_MAX

static uint64_t mix(uint64_t h, uint64_t more)
{
    h = (h ^ more) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* Where the displacement is among the bytes of an instruction with an address relative to itself; 0: that
 * is not clear. */
static uint32_t displacement_at(const struct point *p)
{
    uint32_t found = 0;
    for (uint32_t k = 2; k + 4 <= p->is.length; k++) {
        int32_t number;
        rt_copy(&number, (const uint8_t *)p->at + k, sizeof number);
        if (number == p->is.displacement && found)
            return 0;
        if (number == p->is.displacement)
            found = k;
    }
    return found;
}

static uint64_t bytes_of(const struct point *p)
{
    const uint8_t *bytes = (const uint8_t *)p->at;
    uint32_t skip = p->is.base == RIP ? displacement_at(p) : p->is.length;
    uint64_t h = skip ? p->is.length : p->at;
    for (uint32_t k = 0; k < p->is.length; k++)
        if (k - skip >= 4)
            h = mix(h, bytes[k]);
    return p->is.base == RIP ? mix(h, p->at + p->is.length + (uintptr_t)(intptr_t)p->is.displacement) : h;
}

/* The numbers that it reads from registers, where these are always the same. */
static uint64_t with_numbers(uint64_t h, const struct point *p)
{
    static const uint8_t arguments[6] = {RDI, RSI, RDX, RCX, R8, R9};
    bool call = p->is.flow == FLOW_CALL;
    for (unsigned r = 0; r < REGS; r++)
        if (p->is.reads[r] && examine_is_fixed(&p->before, r))
            h = mix(h + r, p->before.number[r]);
    for (unsigned k = 0; call && k < p->hook.arguments; k++)
        if (examine_is_fixed(&p->before, arguments[k]))
            h = mix(h + k, p->before.number[arguments[k]]);
    return h;
}

/* A move of a whole register to or from memory at a place that is always the same. */
static bool moves_at(const struct point *p, uint64_t *address)
{
    const struct instruction *i = &p->is;
    const struct sum *s = &i->sum;
    bool rip = i->base == RIP;
    *address = (uintptr_t)(intptr_t)i->displacement;
    if (s->kind != SUM_MOVE || s->to == s->by || (s->to != OPERAND && s->by != OPERAND) || i->elsewhere ||
        i->index != NO_REG || !(rip || examine_is_fixed(&p->before, i->base)))
        return false;
    *address += rip ? p->at + i->length : p->before.number[i->base];
    return true;
}

static uint64_t move_deed(const struct point *p, uint64_t address)
{
    const struct sum *s = &p->is.sum;
    uint64_t what = (uint64_t)s->to << 16 | (uint64_t)s->by << 8 | s->width, h = mix(mix(6, what), address);
    if (examine_is_fixed(&p->before, s->by))
        return mix(h, p->before.number[s->by]);
    return mix(h, s->by == NUMBER ? (uint64_t)(int64_t)s->number : 0);
}

/* What it does itself. */
static uint64_t deed(const struct point *p)
{
    uint8_t reg;
    uint64_t number;
    if (!p->known || p->is.flow == FLOW_TABLE) /* like no other */
        return mix(1, p->at);
    if (p->is.flow == FLOW_BRANCH)
        return mix(2, p->is.condition >> 1);
    if (examine_sets(p, &reg, &number))
        return mix(mix(3, reg), number);
    if (moves_at(p, &number))
        return move_deed(p, number);
    bool direct = (p->is.flow == FLOW_JUMP || p->is.flow == FLOW_CALL) && p->is.target;
    return with_numbers(direct ? mix(4 + p->is.flow, p->is.target) : bytes_of(p), p);
}

static uint16_t index_of(const struct point *p)
{
    const struct point *to = p ? idle_leads_to(p) : NULL;
    return to ? (uint16_t)(to - x->points) : NOWHERE;
}

/* Of a branch: where it leads if its condition, without its last bit, holds, and if not. */
static void find_successors(const struct point *p, uint16_t to[2])
{
    const struct point *next = p + 1 < x->points + x->count ? p + 1 : NULL;
    bool branch = p->is.flow == FLOW_BRANCH, other = branch && p->is.condition & 1;
    to[0] = to[1] = NOWHERE;
    if (p->known && examine_goes_on(&p->is))
        to[!other && branch] = index_of(next);
    if (p->known && branch)
        to[other] = index_of(examine_point(p->is.target));
}

/* What is not known of where it leads makes it like no other. */
static uint64_t class_of(uint16_t to, const uint64_t *classes, const struct point *p, bool leads)
{
    return to != NOWHERE ? classes[to] : leads ? p->at : 0;
}

void alike_classify(void)
{
    static uint64_t news[INSTRUCTIONS], deeds[INSTRUCTIONS];
    static uint16_t to[INSTRUCTIONS][2];
    uint32_t n = x->count;
    x->classified = n <= ALIKE_MOST;
    for (uint32_t i = 0; x->classified && i < n; i++) {
        find_successors(&x->points[i], to[i]);
        x->class[i] = deeds[i] = deed(&x->points[i]);
    }
    for (uint32_t round = 0; x->classified && round < n; round++) {
        for (uint32_t i = 0; i < n; i++) {
            const struct point *p = &x->points[i];
            bool on = p->known && examine_goes_on(&p->is), branch = p->known && p->is.flow == FLOW_BRANCH;
            news[i] = mix(mix(deeds[i], class_of(to[i][0], x->class, p, on)),
                          class_of(to[i][1], x->class, p, branch));
        }
        rt_copy(x->class, news, n * sizeof *news);
    }
}

static bool is_like(const struct point *p, const struct point *call)
{
    return p == call || (x->classified && p->known && p->before.reached && p->is.flow == FLOW_CALL &&
                         x->class[p - x->points] == x->class[call - x->points]);
}

const struct point *alike_next(const struct point *call, const struct point *last)
{
    for (const struct point *p = last + 1; p < x->points + x->count; p++)
        if (is_like(p, call))
            return p;
    return NULL;
}

const struct point *alike_first(const struct point *call)
{
    return alike_next(call, x->points - 1);
}
