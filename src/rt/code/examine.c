/* The pass forwards: where addresses of the function's frame are. See live.c for what it is good for. */
#include "rt/code/examine.h"

struct examined *code_examined;
#define x code_examined

void examine_init(void)
{
    function_init();
    x = rt_map(NULL, sizeof *x, "what is known of a function");
}

struct point *examine_point(uintptr_t at)
{
    uintptr_t offset = at - x->f.start;
    return offset < x->f.size && x->point_at[offset] ? &x->points[x->point_at[offset] - 1] : NULL;
}

/* ---- tables of jumps --------------------------------------------------------------------------------
 * A switch becomes lea table, base; movslq (base,index,4), to; add base, to; jmp *to: what is in the table
 * is relative to it. How many entries there are is not asked: what follows them is taken for entries as long
 * as it leads to instructions of this function. */

#define MOST_ENTRIES 64

static bool is_table(const struct point *jump)
{
    if (jump - x->points < 3)
        return false;
    const struct instruction *lea = &jump[-3].is, *load = &jump[-2].is, *add = &jump[-1].is;
    uint8_t to = jump->is.from;
    return lea->effect == EFFECT_LEA && lea->base == RIP && load->loads && load->size == 4 &&
           load->base == lea->to && load->index < REGS && load->scale == 2 && !load->displacement &&
           !load->elsewhere &&
           load->writes[to] == 0xff && load->sum.kind == SUM_OTHER && load->computes &&
           lea->to != to && add->sum.kind == SUM_ADD && add->sum.width == 8 && add->sum.to == to &&
           add->sum.by == lea->to;
}

static struct point *entry(const struct point *jump, uint32_t k)
{
    const struct point *lea = jump - 3;
    uintptr_t table = lea->at + lea->is.length + (uintptr_t)(intptr_t)lea->is.displacement;
    return k < MOST_ENTRIES ? examine_point(table + (uintptr_t)(intptr_t)((const int32_t *)table)[k]) : NULL;
}

struct point *examine_target(const struct point *p, uint32_t k)
{
    if (p->is.flow == FLOW_TABLE)
        return entry(p, k);
    return k ? NULL : examine_point(p->is.target);
}

/* Does a jump lead between the instructions that look into a table? */
static bool is_entered(const struct point *jump)
{
    for (const struct point *p = x->points; p < x->points + x->count; p++) {
        const struct point *to = NULL;
        for (uint32_t k = 0; p->known && examine_jumps(&p->is) && (to = examine_target(p, k)); k++)
            if (to > jump - 3 && to <= jump)
                return true;
    }
    return false;
}

static bool tables_are_known(void)
{
    for (const struct point *p = x->points; p < x->points + x->count; p++)
        if (p->known && p->is.flow == FLOW_TABLE && (!entry(p, 0) || is_entered(p)))
            return false;
    return true;
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
        p->known &= p->is.flow != FLOW_TABLE || is_table(p);
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

static bool is_exact(const struct instruction *i)
{
    return i->base < REGS && i->index == NO_REG && !i->elsewhere;
}

int32_t examine_operand(const struct before *b, const struct instruction *i)
{
    if (!is_exact(i) || !examine_is_address(b->value[i->base]))
        return UNKNOWN;
    return b->value[i->base] + i->displacement;
}

/* Is the address computed from one in the frame, in a way that does not tell where it leads? */
static bool is_vague(const struct before *b, const struct instruction *i)
{
    if (i->index < REGS && b->value[i->index] != UNKNOWN)
        return true;
    return i->base < REGS && (i->index < REGS ? b->value[i->base] != UNKNOWN : b->value[i->base] == MAYBE);
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

/* The word of the frame that is exactly these bytes. */
static int32_t *word_at(struct before *b, int32_t at, uint32_t size)
{
    int32_t k = at + LIVE_FRAME;
    return size == 8 && k >= 0 && k % 8 == 0 && k / 8 < WORDS ? &b->stored[k / 8] : NULL;
}

/* Are there addresses among these bytes of the frame? */
static bool has_address(const struct before *b, int32_t at, uint32_t size)
{
    for (int32_t k = at + LIVE_FRAME, end = k + (int32_t)size; k < end; k++)
        if (k >= 0 && k / 8 < WORDS && b->stored[k / 8] != UNKNOWN)
            return true;
    return false;
}

/* Something that is no address is written there. Of an address that it covers in part the rest stays. */
static void overwrite(struct before *b, int32_t at, uint32_t size)
{
    int32_t first = at + LIVE_FRAME, end = first + (int32_t)size;
    for (int32_t k = first < 0 ? 0 : first / 8; k < WORDS && 8 * k < end; k++)
        b->stored[k] = b->stored[k] == UNKNOWN || (8 * k >= first && 8 * k + 8 <= end) ? UNKNOWN : MAYBE;
}

static void store_word(struct before *b, int32_t at, int32_t value)
{
    int32_t *word = word_at(b, at, 8);
    overwrite(b, at, 8);
    if (word)
        *word = value;
    else
        b->escaped |= value != UNKNOWN;
}

static int32_t load_word(struct before *b, int32_t at)
{
    const int32_t *word = word_at(b, at, 8);
    if (word)
        return *word;
    b->escaped |= has_address(b, at, 8);
    return UNKNOWN;
}

#define ARGUMENTS (1u << RDI | 1u << RSI | 1u << RDX | 1u << RCX | 3u << R8)
#define LOST_IN_CALLS (1u << RAX | 1u << RCX | 1u << RDX | 1u << RSI | 1u << RDI | 15u << R8)

static void after_call(struct before *b, const struct point *p)
{
    struct hook_use use = p->hook;
    if (!use.hook)
        b->escaped |= holds_address(b, ARGUMENTS);
    for (unsigned k = 0; k < 2; k++) { /* it may write there, too */
        int32_t at = b->value[k ? RSI : RDI];
        if (use.reads[k] && at != UNKNOWN)
            b->escaped |= at == MAYBE || has_address(b, at, use.reads[k]);
    }
    forget(b, LOST_IN_CALLS);
}

static uint32_t written(const struct instruction *i)
{
    uint32_t set = 0;
    for (unsigned r = 0; r < REGS; r++)
        set |= (uint32_t)(i->writes[r] != 0) << r;
    return set;
}

/* mov between a whole register and a word of the frame */
static bool after_word_move(struct before *b, const struct instruction *i)
{
    int32_t at = examine_operand(b, i);
    if (at == UNKNOWN || i->size != 8 || i->loads == i->stores || i->from >= REGS)
        return false;
    if (i->stores)
        store_word(b, at, b->value[i->from]);
    else
        b->value[i->from] = load_word(b, at);
    return true;
}

/* Any other instruction: what it computes is no address that is followed. */
static void after_other(struct before *b, const struct instruction *i)
{
    int32_t at = examine_operand(b, i);
    if (at != UNKNOWN && i->loads)
        b->escaped |= has_address(b, at, i->size ? i->size : 16);
    if (at != UNKNOWN && i->stores)
        overwrite(b, at, i->size);
    b->escaped |= (i->loads || i->stores) && is_vague(b, i);
    b->escaped |= !i->compares && holds_address(b, i->data);
    forget(b, written(i));
}

/* ---- registers that hold the same number whenever a place is reached ------------------------------- */

static bool names_address(const struct instruction *i)
{
    return i->effect == EFFECT_LEA && i->base == RIP && i->index == NO_REG && !i->elsewhere;
}

bool examine_sets(const struct point *p, uint8_t *reg, uint64_t *number)
{
    const struct instruction *i = &p->is;
    const struct sum *s = &i->sum;
    if (names_address(i)) {
        *reg = i->to;
        *number = p->at + i->length + (uintptr_t)(intptr_t)i->displacement;
        return true;
    }
    bool moves = i->flow == FLOW_ON && s->kind == SUM_MOVE && s->to < REGS && s->width >= 4;
    if (!moves || !(s->by == NUMBER || examine_is_fixed(&p->before, s->by)))
        return false;
    uint64_t n = s->by == NUMBER ? (uint64_t)(int64_t)s->number : p->before.number[s->by];
    *reg = s->to;
    *number = s->width == 4 ? (uint32_t)n : n;
    return true;
}

static void after_numbers(struct before *b, const struct point *p)
{
    uint8_t reg;
    uint64_t number;
    bool sets = examine_sets(p, &reg, &number);
    b->fixed &= (uint16_t)~(p->is.flow == FLOW_CALL ? LOST_IN_CALLS : written(&p->is));
    if (!sets)
        return;
    b->fixed |= (uint16_t)(1u << reg);
    b->number[reg] = number;
}

static bool join_numbers(struct before *old, const struct before *new)
{
    uint16_t was = old->fixed;
    old->fixed &= new->fixed;
    for (unsigned r = 0; r < REGS; r++)
        if (old->number[r] != new->number[r])
            old->fixed &= (uint16_t)~(1u << r);
    return old->fixed != was;
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
        b->value[i->to] = examine_operand(b, i);
        return;
    case EFFECT_ADD:
        b->value[i->to] = examine_is_address(to) ? to + i->number : to;
        return;
    case EFFECT_PUSH:
        b->value[RSP] = examine_is_address(sp) ? sp - 8 : sp;
        store_word(b, b->value[RSP], i->from < REGS ? b->value[i->from] : UNKNOWN);
        return;
    case EFFECT_POP:
        b->value[RSP] = examine_is_address(sp) ? sp + 8 : sp;
        b->value[i->to] = load_word(b, sp);
        return;
    case EFFECT_LEAVE:
        b->value[RSP] = examine_is_address(b->value[RBP]) ? b->value[RBP] + 8 : MAYBE;
        b->value[RBP] = UNKNOWN;
        return;
    case EFFECT_OTHER:
        break;
    }
    if (i->flow == FLOW_CALL)
        after_call(b, p);
    else if (!after_word_move(b, i))
        after_other(b, i);
}

/* Returns whether that is news. */
static bool join(int32_t *old, const int32_t *new, uint32_t n)
{
    bool news = false;
    for (uint32_t k = 0; k < n; k++) {
        if (old[k] == new[k] || old[k] == MAYBE)
            continue;
        old[k] = MAYBE;
        news = true;
    }
    return news;
}

static bool reach(struct point *p, const struct before *b)
{
    struct before *old = &p->before;
    if (!old->reached) {
        *old = *b;
        return true;
    }
    bool news = b->escaped && !old->escaped;
    old->escaped |= b->escaped;
    news |= join(old->value, b->value, REGS);
    news |= join(old->stored, b->stored, WORDS);
    news |= join_numbers(old, b);
    return news;
}

static void pass_forwards(void)
{
    struct before b = {.reached = true};
    forget(&b, UINT32_MAX);
    for (unsigned k = 0; k < WORDS; k++)
        b.stored[k] = UNKNOWN;
    b.value[RSP] = 8; /* where the return address is, once the caller's base is pushed */
    reach(&x->points[0], &b);
    for (bool news = true; news;) {
        news = false;
        for (struct point *p = x->points; p < x->points + x->count; p++) {
            if (!p->before.reached || !p->known)
                continue;
            b = p->before;
            after(&b, p);
            after_numbers(&b, p);
            b.escaped |= !examine_is_address(b.value[RSP]) && examine_goes_on(&p->is);
            p->escapes = b.escaped;
            if (examine_goes_on(&p->is) && p + 1 < x->points + x->count)
                news |= reach(p + 1, &b);
            struct point *target;
            for (uint32_t k = 0; examine_jumps(&p->is) && (target = examine_target(p, k)); k++)
                news |= reach(target, &b) && target <= p;
        }
    }
}

static void note_entries(void)
{
    struct point *to = NULL;
    for (const struct point *p = x->points; p < x->points + x->count; p++)
        for (uint32_t k = 0; p->known && examine_jumps(&p->is) && (to = examine_target(p, k)); k++)
            to->entered = true;
}

const struct point *examine_call_before(uintptr_t pc)
{
    for (const struct point *p = x->points; p < x->points + x->count; p++)
        if (p->known && p->is.flow == FLOW_CALL && p->at + p->is.length == pc)
            return p;
    return NULL;
}

bool examine_function(uintptr_t pc)
{
    if (!function_find(pc, &x->f) || !decode_function() || !tables_are_known())
        return false;
    note_entries();
    pass_forwards();
    return true;
}
