/* How it is known, from the machine code alone, that something is dead.
 *
 * The function is decoded from its beginning (found in .eh_frame). A pass forwards follows what the
 * registers hold, as far as that is an address in the function's own frame, whose place is known relative
 * to the base pointer (raddle cc keeps frame pointers). As long as no such address was stored, computed
 * with, or given to a function other than the compiler's hooks, nobody but the function's own
 * instructions can reach its frame, and those name the bytes they access. A pass backwards then collects,
 * for every place, the bytes that some path reads before it writes them: the usual live variables.
 * A function that is called keeps rbx, rbp and r12 to r15 and does not look at them (the ABI), and of its
 * caller's frame it sees the arguments that were pushed. When the function returns, its frame is gone,
 * and the registers that must be kept belong to its caller: they all matter.
 *
 * Whatever is not understood — an unknown instruction, an indirect jump that is no switch, a jump into
 * another function, a function with handlers for exceptions, a frame without base pointer, an address of
 * the frame that was given away — makes everything live from there on. tests/native/waiting.py overwrites
 * the dead bytes of waiting threads and compares what programs do with what they should. */
#include "rt/code/alike.h"
#include "rt/code/ends.h"
#include "rt/code/examine.h"
#include "rt/code/idle.h"

#define x code_examined
#define PLACES 512 /* asked for; a power of 2 */

static struct live_place {
    uintptr_t pc;
    intptr_t depth; /* base pointer - stack pointer; or RESULT */
    bool exact;     /* giving way matters */
    bool known;     /* or, of a result: it may be used */
    struct live live;
} *places;

void live_init(void)
{
    examine_init();
    places = rt_map(NULL, PLACES * sizeof *places, "what is known of the program's code");
}

/* ---- backwards: what is read before it is written ------------------------------------------------ */

static void add_frame(struct needs *n, int32_t at, uint32_t size, bool needed)
{
    for (int32_t k = at + LIVE_FRAME; size--; k++) {
        if (k < 0 || k >= LIVE_FRAME)
            continue;
        uint64_t bit = 1ull << (k & 63);
        n->frame[k >> 6] = needed ? n->frame[k >> 6] | bit : n->frame[k >> 6] & ~bit;
    }
}

static void all_frame(struct needs *n)
{
    rt_fill(n->frame, 0xff, sizeof n->frame);
}

static void add_needs(struct needs *n, const struct needs *more)
{
    for (unsigned r = 0; r < REGS; r++)
        n->registers[r] |= more->registers[r];
    for (unsigned k = 0; k < LIVE_FRAME / 64; k++)
        n->frame[k] |= more->frame[k];
    n->flags |= more->flags;
}

static const uint8_t kept[6] = {RBX, RBP, R12, R13, R14, R15};
static const uint8_t arguments[6] = {RDI, RSI, RDX, RCX, R8, R9};

/* Out of the function: its frame is gone, or else nothing is known. What it returns, or leaves for a part of
 * it that lies elsewhere, matters to others. */
static void leave(struct needs *n, int32_t sp)
{
    rt_fill(n->registers, 0xff, sizeof n->registers);
    if (sp != 8)
        all_frame(n);
}

/* What the call of a hook does with addresses in the frame; of others only what was pushed is read. */
static void call_needs(struct needs *n, const struct point *p)
{
    struct hook_use use = p->hook;
    for (unsigned k = 0; k < use.arguments; k++)
        if (!examine_is_fixed(&p->before, arguments[k]))
            n->registers[arguments[k]] = 0xff;
    if (!use.hook)
        add_needs(n, &x->pushed);
    for (unsigned k = 0; k < 2; k++)
        if (use.reads[k] && examine_is_address(p->before.value[k ? RSI : RDI]))
            add_frame(n, p->before.value[k ? RSI : RDI], use.reads[k], true);
}

static void operand_needs(struct needs *n, const struct point *p)
{
    const struct instruction *i = &p->is;
    int32_t at = examine_operand(&p->before, i);
    if (at != UNKNOWN && i->stores && !i->loads)
        add_frame(n, at, i->size, false);
    else if (at != UNKNOWN && i->loads)
        add_frame(n, at, i->size ? i->size : 16, true);
}

/* What was there before a call is gone after it; of a function of the program that is sure of its result
 * only. */
static void lost_in_call(struct needs *n, bool local)
{
    static const uint8_t lost[] = {RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11};
    for (unsigned k = 0; k < (local ? 1 : sizeof lost); k++)
        n->registers[lost[k]] = 0;
}

/* From what is needed after the instruction to what is needed before it. */
static void needs_before(struct needs *n, const struct point *p)
{
    const struct instruction *i = &p->is;
    int32_t sp = p->before.value[RSP];
    if (i->effect == EFFECT_PUSH && examine_is_address(sp))
        add_frame(n, sp - 8, 8, false);
    for (unsigned r = 0; r < REGS; r++)
        n->registers[r] &= (uint8_t)~i->writes[r];
    if (i->flow == FLOW_CALL)
        lost_in_call(n, p->hook.local);
    n->flags = i->flags == FLAGS_READ ? i->flow != FLOW_CALL : n->flags * (i->flags != FLAGS_SET);
    operand_needs(n, p);
    for (unsigned r = 0; r < REGS; r++)
        n->registers[r] |= examine_is_fixed(&p->before, r) ? 0 : i->reads[r];
    if (i->effect == EFFECT_POP && examine_is_address(sp))
        add_frame(n, sp, 8, true);
    if (i->flow == FLOW_CALL)
        call_needs(n, p);
    if (p->escapes || !examine_is_address(sp))
        all_frame(n);
}

/* Idle as far as is known yet; whether a branch is depends on all between it and where its ways meet. */
static bool is_idle(struct point *p, const struct needs *after)
{
    if (p->is.flow == FLOW_BRANCH)
        p->matters |= !p->merges;
    else if (p->is.flow != FLOW_JUMP)
        p->matters |= !idle_instruction(p, after);
    return !p->matters;
}

static struct needs needs_of(struct point *p)
{
    struct needs n = {{0}, {0}, 0};
    if (!p->known) {
        leave(&n, UNKNOWN);
        return n;
    }
    if (examine_goes_on(&p->is) && p + 1 < x->points + x->count)
        add_needs(&n, &p[1].needs);
    else if (examine_goes_on(&p->is) && p->is.flow != FLOW_CALL) /* abort() may come last */
        leave(&n, UNKNOWN);
    const struct point *target;
    for (uint32_t k = 0; examine_jumps(&p->is) && (target = examine_target(p, k)); k++)
        add_needs(&n, &target->needs);
    if (p->is.flow == FLOW_RETURN || (examine_jumps(&p->is) && !examine_target(p, 0)))
        leave(&n, p->before.value[RSP]);
    if (!is_idle(p, &n))
        needs_before(&n, p);
    return n;
}

/* A compiler makes room for 8 bytes by pushing rax as it is when the function is entered: that is not an
 * argument, and holds whatever ran before. NULL: it does not. */
static const struct point *pushes_nothing(void)
{
    for (const struct point *p = x->points; p < x->points + x->count; p++) {
        if (p->known && p->is.effect == EFFECT_PUSH && p->is.reads[RAX])
            return p;
        if (!p->known || p->is.flow != FLOW_ON || p->is.writes[RAX] || p->is.reads[RAX])
            return NULL;
    }
    return NULL;
}

static void note_pushed(void)
{
    x->pushed = (struct needs){{0}, {0}, 0};
    const struct point *room = pushes_nothing();
    for (const struct point *p = x->points; p < x->points + x->count; p++) {
        int32_t sp = p->before.value[RSP];
        if (p == room)
            continue;
        if (!p->before.reached || !examine_is_address(sp))
            continue;
        if (p->is.effect == EFFECT_PUSH)
            add_frame(&x->pushed, sp - 8, 8, true);
        if (p->is.stores && p->is.base == RSP)
            add_frame(&x->pushed, sp + p->is.displacement, p->is.size ? p->is.size : 16, true);
    }
}

static void pass_backwards(bool exact)
{
    note_pushed();
    idle_begin(exact);
    for (bool news = true; news;) {
        news = false;
        idle_branches();
        for (struct point *p = x->points + x->count; p-- > x->points;) {
            if (!p->before.reached)
                continue;
            bool mattered = p->matters;
            struct needs n = needs_of(p);
            news |= mattered != p->matters || !rt_same(&n, &p->needs, sizeof n);
            p->needs = n;
        }
    }
}

/* ---- answers ------------------------------------------------------------------------------------ */

static uint64_t spread(uint8_t bits)
{
    uint64_t bytes = 0;
    for (unsigned k = 0; k < 8; k++)
        bytes |= (uint64_t)(bits >> k & 1 ? 0xff : 0) << 8 * k;
    return bytes;
}

static uintptr_t returns_to(const struct point *call)
{
    return call->at + call->is.length;
}

static bool examine(struct live_place *p)
{
    if (!examine_function(p->pc))
        return false;
    const struct point *at = examine_call_before(p->pc); /* what the call itself reads matters */
    if (!at || !at->before.reached || at->before.value[RBP] != 0 || at->before.value[RSP] != -p->depth)
        return false;
    pass_backwards(p->exact);
    for (unsigned k = 0; k < 6; k++)
        p->live.registers[k] = spread(at->needs.registers[kept[k]]);
    p->live.registers[1] = UINT64_MAX;
    alike_classify();
    p->live.place = returns_to(alike_first(at));
    p->live.words = (uint32_t)(p->depth / 8);
    for (uint32_t k = 0; k < p->live.words; k++) {
        uint32_t first = LIVE_FRAME / 8 - p->live.words + k;
        p->live.memory[k] = spread((uint8_t)(at->needs.frame[first / 8] >> 8 * (first % 8)));
    }
    return true;
}

static bool examine_result(struct live_place *p)
{
    if (!examine_function(p->pc))
        return true;
    const struct point *call = examine_call_before(p->pc), *end = x->points + x->count;
    if (!call || !call->before.reached || call + 1 == end)
        return true;
    pass_backwards(false);
    return call[1].needs.registers[RAX];
}

#define RESULT INTPTR_MIN /* instead of a depth: is the result of the call used? */

/* What is known of a place, examined when it is asked for first; NULL: there is no room. */
static const struct live_place *place_at(uintptr_t pc, intptr_t depth, bool exact)
{
    uint32_t i = (uint32_t)((pc ^ (uintptr_t)depth << 20) * 0x9e3779b97f4a7c15u >> 55);
    for (uint32_t tries = 0; tries < 8; tries++, i = (i + 1) % PLACES) {
        struct live_place *p = &places[i];
        if (p->pc == pc && p->depth == depth && p->exact == exact)
            return p;
        if (!p->pc) {
            p->pc = pc;
            p->depth = depth;
            p->exact = exact;
            p->known = depth == RESULT ? examine_result(p) : examine(p);
            return p;
        }
    }
    return NULL;
}

static bool in_program(uintptr_t pc)
{
    return pc - rt.program_start < rt.program_size;
}

static const struct live *live(uintptr_t pc, uintptr_t sp, uintptr_t base, bool exact)
{
    intptr_t depth = (intptr_t)(base - sp);
    if (depth < 0 || depth > LIVE_FRAME || depth % 8 || !in_program(pc))
        return NULL;
    const struct live_place *p = place_at(pc, depth, exact);
    return p && p->known ? &p->live : NULL;
}

const struct live *live_at(uintptr_t pc, uintptr_t sp, uintptr_t base)
{
    return live(pc, sp, base, false);
}

const struct live *live_exactly_at(uintptr_t pc, uintptr_t sp, uintptr_t base)
{
    return live(pc, sp, base, true);
}

uint32_t live_alike(uintptr_t pc, uint64_t *out, uint32_t room)
{
    const struct point *call = in_program(pc) && examine_function(pc) ? examine_call_before(pc) : NULL;
    uint32_t n = 0;
    if (!call || !call->before.reached)
        return 0;
    pass_backwards(false);
    alike_classify();
    for (const struct point *p = alike_first(call); p && n < room; p = alike_next(call, p))
        out[n++] = returns_to(p);
    return n;
}

bool live_result(uintptr_t pc)
{
    const struct live_place *p = in_program(pc) ? place_at(pc, RESULT, false) : NULL;
    return !p || p->known;
}

bool live_ends(uintptr_t pc)
{
    if (!in_program(pc) || !examine_function(pc))
        return false;
    pass_backwards(false);
    for (const struct point *p = x->points; p < x->points + x->count; p++)
        if (p->known && p->before.reached && p->is.flow == FLOW_BRANCH && ends_has(p, pc))
            return true;
    return false;
}
