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
 * Whatever is not understood — an unknown instruction, an indirect jump, a jump into another function, a
 * function with handlers for exceptions, a frame without base pointer, an address of the frame that was
 * given away — makes everything live from there on. tests/native/waiting.py overwrites the dead bytes of
 * waiting threads and compares what programs do with what they should. */
#include "rt/code/live.h"

#include "rt/code/decode.h"
#include "rt/code/function.h"

#define INSTRUCTIONS 4096
#define UNKNOWN INT32_MIN
#define PLACES 512 /* asked for; a power of 2 */

/* What is known when an instruction is reached. */
struct before {
    bool reached, escaped;
    int32_t value[REGS]; /* an address in the frame, relative to its base; or UNKNOWN */
};

struct needs {
    uint8_t registers[REGS];
    uint64_t frame[LIVE_FRAME / 64]; /* bit n: the byte at base - LIVE_FRAME + n */
};

struct point {
    uintptr_t at;
    bool known;
    enum hook hook; /* of calls: what is called */
    struct instruction is;
    struct before before;
    struct needs needs; /* when it is reached */
};

/* The function under examination. */
static struct examined {
    struct function f;
    uint32_t count;
    struct needs pushed; /* bytes written through the stack pointer: arguments of calls, perhaps */
    uint16_t point_at[FUNCTION_BYTES]; /* + 1; 0: no instruction begins there */
    struct point points[INSTRUCTIONS];
} *x;

static struct live_place {
    uintptr_t pc;
    intptr_t depth; /* base pointer - stack pointer */
    bool known;
    struct live live;
} *places;

void live_init(void)
{
    function_init();
    x = rt_map(NULL, sizeof *x, "what is known of a function");
    places = rt_map(NULL, PLACES * sizeof *places, "what is known of the program's code");
}

static struct point *point_at(uintptr_t at)
{
    uintptr_t offset = at - x->f.start;
    return offset < x->f.size && x->point_at[offset] ? &x->points[x->point_at[offset] - 1] : NULL;
}

static bool decode_function(void)
{
    x->count = 0;
    rt_fill(x->point_at, 0, sizeof x->point_at);
    for (uintptr_t at = x->f.start, end = at + x->f.size; at < end; x->count++) {
        if (x->count == INSTRUCTIONS)
            return false;
        struct point *p = &x->points[x->count];
        rt_fill(p, 0, sizeof *p);
        p->at = at;
        p->known = decode((const uint8_t *)at, (uint32_t)(end - at), &p->is);
        x->point_at[at - x->f.start] = (uint16_t)(x->count + 1);
        if (p->known && p->is.flow == FLOW_CALL)
            p->hook = function_hook(at, &p->is);
        if (!p->known) { /* what comes after it cannot be told */
            x->count++;
            return true;
        }
        at += p->is.length;
    }
    return true;
}

/* ---- forwards: where addresses of the frame are ------------------------------------------------- */

static bool is_exact(const struct instruction *i)
{
    return i->base < REGS && i->index == NO_REG && !i->elsewhere;
}

/* The memory operand, if it is in the frame at a known place; UNKNOWN otherwise. */
static int32_t frame_operand(const struct before *b, const struct instruction *i)
{
    if (!is_exact(i) || b->value[i->base] == UNKNOWN)
        return UNKNOWN;
    return b->value[i->base] + i->displacement;
}

/* Is the address computed from one in the frame, in a way that does not tell where it leads? */
static bool is_vague(const struct before *b, const struct instruction *i)
{
    return (i->index < REGS && (b->value[i->index] != UNKNOWN ||
                                (i->base < REGS && b->value[i->base] != UNKNOWN)));
}

static void forget(struct before *b, uint32_t registers)
{
    for (unsigned r = 0; r < REGS; r++)
        if (registers >> r & 1)
            b->value[r] = UNKNOWN;
}

static bool holds_address(const struct before *b, uint32_t registers)
{
    for (unsigned r = 0; r < REGS; r++)
        if (registers >> r & 1 && b->value[r] != UNKNOWN)
            return true;
    return false;
}

#define ARGUMENTS (1u << RDI | 1u << RSI | 1u << RDX | 1u << RCX | 3u << R8)
#define LOST_IN_CALLS (1u << RAX | 1u << RCX | 1u << RDX | 1u << RSI | 1u << RDI | 15u << R8)

static void after_call(struct before *b, const struct point *p)
{
    if (p->hook == HOOK_NONE && holds_address(b, ARGUMENTS))
        b->escaped = true;
    forget(b, LOST_IN_CALLS);
}

static uint32_t written(const struct instruction *i)
{
    uint32_t set = 0;
    for (unsigned r = 0; r < REGS; r++)
        set |= (uint32_t)(i->writes[r] != 0) << r;
    return set;
}

static void after(struct before *b, const struct point *p)
{
    const struct instruction *i = &p->is;
    int32_t to = i->to < REGS ? b->value[i->to] : UNKNOWN, sp = b->value[RSP];
    switch ((enum effect)i->effect) {
    case EFFECT_MOVE:
        b->value[i->to] = b->value[i->from];
        return;
    case EFFECT_LEA:
        b->escaped |= is_vague(b, i);
        b->value[i->to] = i->writes[i->to] && frame_operand(b, i) != UNKNOWN ? frame_operand(b, i) : UNKNOWN;
        return;
    case EFFECT_ADD:
        b->value[i->to] = to == UNKNOWN ? UNKNOWN : to + i->number;
        return;
    case EFFECT_PUSH:
        b->escaped |= i->from < REGS && b->value[i->from] != UNKNOWN;
        b->value[RSP] = sp == UNKNOWN ? UNKNOWN : sp - 8;
        return;
    case EFFECT_POP:
        b->value[RSP] = sp == UNKNOWN ? UNKNOWN : sp + 8;
        b->value[i->to] = UNKNOWN;
        return;
    case EFFECT_LEAVE:
        b->value[RSP] = b->value[RBP] == UNKNOWN ? UNKNOWN : b->value[RBP] + 8;
        b->value[RBP] = UNKNOWN;
        return;
    case EFFECT_OTHER:
        break;
    }
    if (i->flow == FLOW_CALL) {
        after_call(b, p);
        return;
    }
    b->escaped |= !i->compares && holds_address(b, i->data);
    forget(b, written(i));
}

/* Returns whether that is news for the point. */
static bool reach(struct point *p, const struct before *b)
{
    struct before *old = &p->before;
    if (!old->reached) {
        *old = *b;
        return true;
    }
    bool news = b->escaped && !old->escaped;
    old->escaped |= b->escaped;
    for (unsigned r = 0; r < REGS; r++) {
        if (old->value[r] == b->value[r])
            continue;
        /* an address that is not followed any more may be anywhere */
        news |= old->value[r] != UNKNOWN || !old->escaped;
        old->value[r] = UNKNOWN;
        old->escaped = true;
    }
    return news;
}

static bool goes_on(const struct instruction *i)
{
    return i->flow == FLOW_ON || i->flow == FLOW_BRANCH || i->flow == FLOW_CALL;
}

static bool jumps(const struct instruction *i)
{
    return i->flow == FLOW_BRANCH || i->flow == FLOW_JUMP;
}

static void pass_forwards(void)
{
    struct before b = {.reached = true};
    forget(&b, UINT32_MAX);
    b.value[RSP] = 8; /* where the return address is, once the caller's base is pushed */
    reach(&x->points[0], &b);
    for (bool news = true; news;) {
        news = false;
        for (struct point *p = x->points; p < x->points + x->count; p++) {
            if (!p->before.reached || !p->known)
                continue;
            b = p->before;
            after(&b, p);
            struct point *target = jumps(&p->is) ? point_at(p->is.target) : NULL;
            if (goes_on(&p->is) && p + 1 < x->points + x->count)
                news |= reach(p + 1, &b);
            if (target)
                news |= reach(target, &b) && target <= p;
        }
    }
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
}

static const uint8_t kept[6] = {RBX, RBP, R12, R13, R14, R15};

static void all_kept(struct needs *n)
{
    for (unsigned k = 0; k < 6; k++)
        n->registers[kept[k]] = 0xff;
}

/* Out of the function: its frame is gone, or else nothing is known. */
static void leave(struct needs *n, int32_t sp)
{
    all_kept(n);
    if (sp != 8)
        all_frame(n);
}

/* What the call of a hook does with addresses in the frame; of others only what was pushed is read. */
static void call_needs(struct needs *n, const struct point *p)
{
    struct hook_use use = function_hook_use(p->hook);
    if (!use.hook)
        add_needs(n, &x->pushed);
    for (unsigned k = 0; k < 2; k++)
        if (use.reads[k] && p->before.value[k ? RSI : RDI] != UNKNOWN)
            add_frame(n, p->before.value[k ? RSI : RDI], use.reads[k], true);
}

static void operand_needs(struct needs *n, const struct point *p)
{
    const struct instruction *i = &p->is;
    int32_t at = frame_operand(&p->before, i);
    if (at != UNKNOWN && i->stores && !i->loads)
        add_frame(n, at, i->size, false);
    else if (at != UNKNOWN && i->loads)
        add_frame(n, at, i->size ? i->size : 16, true);
    else if (i->loads && is_vague(&p->before, i))
        all_frame(n);
}

/* From what is needed after the instruction to what is needed before it. */
static void needs_before(struct needs *n, const struct point *p)
{
    const struct instruction *i = &p->is;
    int32_t sp = p->before.value[RSP];
    if (i->effect == EFFECT_PUSH && sp != UNKNOWN)
        add_frame(n, sp - 8, 8, false);
    for (unsigned r = 0; r < REGS; r++)
        n->registers[r] &= (uint8_t)~i->writes[r];
    operand_needs(n, p);
    for (unsigned r = 0; r < REGS; r++)
        n->registers[r] |= i->reads[r];
    if (i->effect == EFFECT_POP && sp != UNKNOWN)
        add_frame(n, sp, 8, true);
    if (i->flow == FLOW_CALL)
        call_needs(n, p);
    if (p->before.escaped || sp == UNKNOWN)
        all_frame(n);
}

static struct needs needs_of(const struct point *p)
{
    struct needs n = {{0}, {0}};
    if (!p->known) {
        all_frame(&n);
        all_kept(&n);
        return n;
    }
    if (goes_on(&p->is) && p + 1 < x->points + x->count)
        add_needs(&n, &p[1].needs);
    else if (goes_on(&p->is) && p->is.flow != FLOW_CALL) /* a call that does not return may be the last */
        leave(&n, UNKNOWN);
    if (jumps(&p->is) && point_at(p->is.target))
        add_needs(&n, &point_at(p->is.target)->needs);
    else if (jumps(&p->is) || p->is.flow == FLOW_RETURN)
        leave(&n, p->before.value[RSP]);
    needs_before(&n, p);
    return n;
}

static void note_pushed(void)
{
    x->pushed = (struct needs){{0}, {0}};
    for (const struct point *p = x->points; p < x->points + x->count; p++) {
        int32_t sp = p->before.value[RSP];
        if (!p->before.reached || sp == UNKNOWN)
            continue;
        if (p->is.effect == EFFECT_PUSH)
            add_frame(&x->pushed, sp - 8, 8, true);
        if (p->is.stores && p->is.base == RSP)
            add_frame(&x->pushed, sp + p->is.displacement, p->is.size ? p->is.size : 16, true);
    }
}

static void pass_backwards(void)
{
    note_pushed();
    for (bool news = true; news;) {
        news = false;
        for (struct point *p = x->points + x->count; p-- > x->points;) {
            if (!p->before.reached)
                continue;
            struct needs n = needs_of(p);
            news |= !rt_same(&n, &p->needs, sizeof n);
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

static bool examine(struct live_place *p)
{
    if (!function_find(p->pc, &x->f) || !decode_function())
        return false;
    pass_forwards();
    const struct point *at = point_at(p->pc);
    if (!at || !at->before.reached || at->before.value[RBP] != 0 || at->before.value[RSP] != -p->depth)
        return false;
    pass_backwards();
    for (unsigned k = 0; k < 6; k++)
        p->live.registers[k] = spread(at->needs.registers[kept[k]]);
    p->live.registers[1] = UINT64_MAX;
    p->live.words = (uint32_t)(p->depth / 8);
    for (uint32_t k = 0; k < p->live.words; k++) {
        uint32_t first = LIVE_FRAME / 8 - p->live.words + k;
        p->live.memory[k] = spread((uint8_t)(at->needs.frame[first / 8] >> 8 * (first % 8)));
    }
    return true;
}

const struct live *live_at(uintptr_t pc, uintptr_t sp, uintptr_t base)
{
    intptr_t depth = (intptr_t)(base - sp);
    if (depth < 0 || depth > LIVE_FRAME || depth % 8 || pc - rt.program_start >= rt.program_size)
        return NULL;
    uint32_t i = (uint32_t)((pc ^ (uintptr_t)depth << 20) * 0x9e3779b97f4a7c15u >> 55);
    for (uint32_t tries = 0; tries < 8; tries++, i = (i + 1) % PLACES) {
        struct live_place *p = &places[i];
        if (p->pc == pc && p->depth == depth)
            return p->known ? &p->live : NULL;
        if (!p->pc) {
            p->pc = pc;
            p->depth = depth;
            p->known = examine(p);
            return p->known ? &p->live : NULL;
        }
    }
    return NULL;
}
