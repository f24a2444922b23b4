/* Why a counter of rounds need not matter.
 *
 * An instruction is *idle* if it only computes (decode.h), from registers and the function's own frame,
 * and nothing that it writes is needed afterwards; so is a call that only gives way, or that tells the
 * runtime of an access to a variable on the stack that nobody else can reach. A branch is idle if both its
 * ways lead, over idle instructions alone and in a bounded number of them, to the same instruction. Two
 * states of a thread before the same instruction that agree in everything needed there then come to the
 * same next instruction that is not idle, and agree in what is needed there: which idle ones they pass
 * nobody sees, and the other reads nothing but what is needed. So they behave the same for ever.
 * (Compilers eliminate dead code so, Cytron and others, TOPLAS 1991; of a loop on an idle path it is to be
 * proved that it ends, ends.c.)
 *
 * What is needed depends on what is idle and the other way round: both begin with nothing and grow until
 * they agree (live.c). How long a thread sleeps makes no difference to others: time is its own. */
#include "rt/code/idle.h"

#include "rt/code/ends.h"

#define x code_examined

static bool follows(const struct point *p)
{
    return p + 1 < x->points + x->count;
}

static bool in_frame(int32_t at, uint32_t size)
{
    return at != UNKNOWN && size && at >= -LIVE_FRAME && at + (int32_t)size <= 0;
}

/* Clang leaves the load of an atomic variable there after the call that has done it: the same bytes again. */
static bool is_left_over(const struct point *p)
{
    const struct instruction *i = &p->is;
    bool after_load = p > x->points && !p->entered && p[-1].known && p[-1].is.flow == FLOW_CALL &&
                      p[-1].hook.loads == i->size;
    return after_load && i->sum.kind == SUM_MOVE && i->loads && !i->stores && i->base != RSP &&
           i->base != RBP;
}

/* Its memory operand is read without fail, or written, in the function's own frame. */
static bool stays_at_home(const struct point *p)
{
    const struct instruction *i = &p->is;
    return (!i->loads && !i->stores) || is_left_over(p) || in_frame(examine_operand(&p->before, i), i->size);
}

static bool frame_needed(const struct needs *n, int32_t at, uint32_t size)
{
    for (uint32_t k = (uint32_t)(at + LIVE_FRAME); size--; k++)
        if (n->frame[k >> 6] >> (k & 63) & 1)
            return true;
    return false;
}

static bool writes_needed(const struct point *p, const struct needs *after)
{
    const struct instruction *i = &p->is;
    if (i->writes[RSP] | i->writes[RBP] || (after->flags && i->flags >= FLAGS_CHANGED))
        return true;
    for (unsigned r = 0; r < REGS; r++)
        if (i->writes[r] & after->registers[r])
            return true;
    return i->stores && frame_needed(after, examine_operand(&p->before, i), i->size);
}

/* It gives way, or tells of an access to the function's own frame. */
static bool idle_call(const struct point *p, const struct needs *after)
{
    if (!p->hook.gives_way && !(p->hook.tells && in_frame(p->before.value[RDI], 1) && !p->escapes))
        return false;
    for (unsigned r = 0; r < REGS; r++)
        if (p->hook.spoils >> r & 1 && after->registers[r])
            return false;
    return true;
}

bool idle_instruction(const struct point *p, const struct needs *after)
{
    const struct instruction *i = &p->is;
    if (i->flow == FLOW_CALL)
        return idle_call(p, after);
    return i->flow == FLOW_ON && i->computes && stays_at_home(p) && !writes_needed(p, after);
}

const struct point *idle_leads_to(const struct point *p)
{
    for (uint32_t steps = 0; p && !p->matters && steps < x->count; steps++) {
        if (p->is.flow == FLOW_BRANCH && !p->merges)
            return p;
        if (p->is.flow == FLOW_BRANCH)
            p = p->merges;
        else if (p->is.flow == FLOW_JUMP)
            p = examine_point(p->is.target);
        else
            p = follows(p) ? p + 1 : NULL;
    }
    return p && p->matters ? p : NULL;
}

/* Where both ways of the branch come to, at last; NULL: to different places, or that is not known. */
static const struct point *meeting_point(const struct point *branch)
{
    const struct point *target = examine_point(branch->is.target);
    const struct point *one = target ? idle_leads_to(target) : NULL, *other = idle_leads_to(branch + 1);
    if (one == branch || other == branch) { /* a loop */
        const struct point *out = ends_at(branch);
        one = other = out ? idle_leads_to(out) : NULL;
    }
    return one == other && one != branch ? one : NULL;
}

void idle_begin(bool exact)
{
    static const struct needs none;
    for (struct point *p = x->points; p < x->points + x->count; p++) {
        p->hook.gives_way &= !exact || p->hook.pauses;
        p->hook.tells &= !exact;
        bool moves = p->is.flow == FLOW_BRANCH || (p->is.flow == FLOW_JUMP && examine_point(p->is.target));
        p->matters = !p->known || !(moves || idle_instruction(p, &none));
    }
}

void idle_branches(void)
{
    for (struct point *p = x->points; p < x->points + x->count; p++)
        p->merges = NULL;
    for (bool news = true; news;) {
        news = false;
        for (struct point *p = x->points + x->count; p-- > x->points;) {
            if (!p->known || !p->before.reached || p->is.flow != FLOW_BRANCH || p->matters || p->merges ||
                !follows(p))
                continue;
            p->merges = meeting_point(p);
            news |= p->merges != NULL;
        }
    }
}
