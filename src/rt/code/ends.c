/* Why such a loop ends.
 *
 * Its round is one straight line of instructions: all of them are performed in every round, and the branch
 * decides by comparing two values of `width` bits. What a round does to the registers and to the words
 * of the frame is followed as far as it is a copy or a sum with a constant: each value is then what some
 * place held when the round began, plus a constant. If one of the values compared is a place to which each
 * round adds an odd constant, and the other one stays the same, then the first takes all 2^width values in
 * turn, one of which takes the way out: the two being equal, or not, or the first being at least or at most
 * the other, is so for some value; that it is greater, or less, only if the other is a constant and not the
 * greatest, or least. (Of an unrolled loop the constant is a multiple of a power of two; it ends if it
 * counts to zero from such a multiple.) */
#include "rt/code/ends.h"

#define x code_examined
#define SLOTS 16

enum { FROM_PLACE, CONSTANT, COMPUTED, UNCLEAR };

struct value {
    uint8_t kind, place, width;
    uint64_t plus;     /* what it is more than the place held; or the constant */
    uint32_t computed; /* from what these places held, in a way that is not followed */
};

/* Places are the registers, then these words of the frame. */
static struct round {
    struct value now[REGS + SLOTS];
    int32_t at[SLOTS];
    uint8_t size[SLOTS], slots;
    bool lost; /* something was written to the frame, it is not known which of its words */
    /* What was compared last: */
    enum { NOTHING, TWO_VALUES, WITHOUT_CARRY, WITH_ZERO } compared;
    struct value left, right;
    uint8_t width;
} round;

static struct value unclear(void)
{
    return (struct value){.kind = UNCLEAR};
}

static void begin(void)
{
    round.slots = 0;
    round.lost = false;
    round.compared = NOTHING;
    for (uint8_t r = 0; r < REGS; r++)
        round.now[r] = (struct value){FROM_PLACE, r, 8, 0, 0};
}

/* The word of the frame as a place; -1: it is none that can be followed. */
static int slot(const struct point *p, uint8_t width)
{
    int32_t at = examine_operand(&p->before, &p->is);
    if (at == UNKNOWN || p->is.size != width || round.lost)
        return -1;
    for (uint8_t k = 0; k < round.slots; k++)
        if (round.at[k] == at && round.size[k] == width)
            return REGS + k;
        else if (round.at[k] < at + width && at < round.at[k] + round.size[k])
            return -1;
    if (round.slots == SLOTS)
        return -1;
    round.at[round.slots] = at;
    round.size[round.slots] = width;
    uint8_t place = (uint8_t)(REGS + round.slots++);
    round.now[place] = (struct value){FROM_PLACE, place, width, 0, 0};
    return place;
}

static int place_of(const struct point *p, uint8_t operand, uint8_t width)
{
    return operand < REGS ? operand : operand == OPERAND ? slot(p, width) : -1;
}

static struct value value_of(const struct point *p, uint8_t operand, uint8_t width)
{
    if (operand == NUMBER)
        return (struct value){CONSTANT, 0, width, (uint64_t)(int64_t)p->is.sum.number, 0};
    int place = place_of(p, operand, width);
    struct value v = place < 0 ? unclear() : round.now[place];
    if (v.kind == UNCLEAR || v.width < width)
        return unclear();
    v.width = width;
    return v;
}

static void compare(const struct point *p, unsigned how, struct value left, struct value right)
{
    round.compared = how;
    round.left = left;
    round.right = right;
    round.width = p->is.sum.width;
}

static void lose_frame(void)
{
    round.lost = true;
    for (uint8_t k = 0; k < round.slots; k++)
        round.now[REGS + k] = unclear();
}

static void forget_written(const struct point *p)
{
    for (unsigned r = 0; r < REGS; r++)
        if (p->is.writes[r])
            round.now[r] = unclear();
    if (p->is.stores)
        lose_frame();
}

static void put(const struct point *p, struct value v)
{
    int place = place_of(p, p->is.sum.to, p->is.sum.width);
    if (place < 0)
        forget_written(p);
    else
        round.now[place] = v;
}

static struct value sum(struct value a, struct value b, bool minus)
{
    if (a.kind > CONSTANT || b.kind != CONSTANT)
        return unclear();
    a.plus += minus ? -b.plus : b.plus;
    return a;
}

static void add(const struct point *p)
{
    const struct sum *s = &p->is.sum;
    struct value to = value_of(p, s->to, s->width), by = value_of(p, s->by, s->width);
    struct value result = sum(to, by, s->kind == SUM_SUB);
    static const struct value zero = {.kind = CONSTANT, .width = 8};
    if (s->kind == SUM_ADD)
        compare(p, WITH_ZERO, result, zero);
    else
        compare(p, s->keeps_carry ? WITHOUT_CARRY : TWO_VALUES, to, by);
    put(p, result);
}

/* From what the values come of. */
static struct value mixed(struct value a, struct value b)
{
    struct value v = {.kind = COMPUTED, .width = 8, .computed = a.computed | b.computed};
    v.computed |= a.kind == FROM_PLACE ? 1u << a.place : 0;
    v.computed |= b.kind == FROM_PLACE ? 1u << b.place : 0;
    return a.kind == UNCLEAR || b.kind == UNCLEAR ? unclear() : v;
}

/* An instruction that computes one register from others. */
static void compute(const struct point *p)
{
    const struct instruction *i = &p->is;
    struct value v = {.kind = COMPUTED, .width = 8};
    unsigned to = REGS, count = 0;
    for (unsigned r = 0; r < REGS; r++) {
        bool in_part = i->writes[r] && i->writes[r] != 0xff;
        v = i->reads[r] || in_part ? mixed(v, round.now[r]) : v;
        count += i->writes[r] != 0;
        to = i->writes[r] ? r : to;
    }
    forget_written(p);
    if (i->computes && i->flags != FLAGS_READ && !i->loads && !i->stores && count == 1)
        round.now[to] = v;
}

static void perform(const struct point *p)
{
    const struct sum *s = &p->is.sum;
    struct value constant = {CONSTANT, 0, s->width, (uint64_t)(int64_t)p->is.displacement, 0};
    switch ((enum sum_kind)s->kind) {
    case SUM_MOVE:
        put(p, value_of(p, s->by, s->width));
        return;
    case SUM_LEA:
        put(p, sum(value_of(p, s->by, s->width), constant, false));
        return;
    case SUM_ADD:
    case SUM_SUB:
        add(p);
        return;
    case SUM_COMPARE:
        compare(p, TWO_VALUES, value_of(p, s->to, s->width), value_of(p, s->by, s->width));
        return;
    case SUM_TEST:
        constant.plus = 0;
        compare(p, s->to == s->by ? TWO_VALUES : NOTHING, value_of(p, s->to, s->width), constant);
        return;
    case SUM_AND:
    case SUM_OTHER:
        break;
    }
    if (p->is.flags != FLAGS_KEPT)
        round.compared = NOTHING;
    compute(p);
}

/* A call that gives way. */
static void call(const struct point *p)
{
    static const uint8_t lost[] = {RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11};
    for (unsigned k = 0; k < sizeof lost; k++)
        round.now[lost[k]] = unclear();
    if (p->hook.reads[0])
        lose_frame();
    round.compared = NOTHING;
}

/* The next instruction of a straight line; NULL: none is known. */
static const struct point *after(const struct point *p)
{
    if (p->is.flow == FLOW_JUMP)
        return examine_point(p->is.target);
    return p + 1 < x->points + x->count ? p + 1 : NULL;
}

/* From there straight back to the branch? */
static bool goes_round(const struct point *p, const struct point *branch)
{
    begin();
    for (uint32_t steps = 0; p && steps < x->count; steps++) {
        if (p == branch)
            return true;
        if (!p->known || p->matters || p->is.flow == FLOW_BRANCH)
            return false;
        if (p->is.flow == FLOW_CALL)
            call(p);
        else if (p->is.flow != FLOW_JUMP)
            perform(p);
        p = after(p);
    }
    return false;
}

static uint64_t cut(uint64_t n, uint8_t width)
{
    return width == 8 ? n : n & 0xffffffffu;
}

/* Does each round add an odd number to it? */
static bool counts(const struct value *v)
{
    const struct value *after = &round.now[v->place];
    return v->kind == FROM_PLACE && after->kind == FROM_PLACE && after->place == v->place &&
           after->width >= round.width && after->plus % 2;
}

static bool place_stays(uint8_t place, uint8_t width)
{
    const struct value *after = &round.now[place];
    return after->kind == FROM_PLACE && after->place == place && after->width >= width &&
           !cut(after->plus, width);
}

static bool stays(const struct value *v)
{
    if (v->kind != COMPUTED)
        return v->kind == CONSTANT || (v->kind == FROM_PLACE && place_stays(v->place, round.width));
    for (uint8_t k = 0; k < REGS + SLOTS; k++)
        if (v->computed >> k & 1 && !place_stays(k, k < REGS ? 8 : round.size[k - REGS]))
            return false;
    return true;
}

/* Conditions as they are encoded, of numbers without a sign first. */
enum {
    BELOW = 2, NOT_BELOW, EQUAL, UNEQUAL, NOT_ABOVE, ABOVE, NEGATIVE, POSITIVE,
    LESS = 12, NOT_LESS, NOT_GREATER, GREATER
};

/* Is there a value of the one that counts with which the condition holds, whatever the other one is? */
static bool can_hold(unsigned condition, const struct value *other, bool left_counts)
{
    uint64_t top = 1ull << (8 * round.width - 1), all = cut(UINT64_MAX, round.width);
    uint64_t n = cut(other->plus, round.width);
    bool constant = other->kind == CONSTANT;
    switch (condition) {
    case EQUAL:
    case UNEQUAL:
    case NOT_BELOW:
    case NOT_ABOVE:
    case NOT_LESS:
    case NOT_GREATER:
        return true;
    case BELOW:
        return constant && n != (left_counts ? 0 : all);
    case ABOVE:
        return constant && n != (left_counts ? all : 0);
    case LESS:
        return constant && n != (left_counts ? top : top - 1);
    case GREATER:
        return constant && n != (left_counts ? top - 1 : top);
    default:
        return false;
    }
}

static bool comes_to(unsigned condition)
{
    bool left = counts(&round.left) && stays(&round.right);
    bool right = counts(&round.right) && stays(&round.left);
    bool equality = condition == EQUAL || condition == UNEQUAL;
    if (left == right || round.compared == NOTHING)
        return false;
    if (round.compared == WITH_ZERO)
        return equality || condition == NEGATIVE || condition == POSITIVE;
    if (round.compared == WITHOUT_CARRY && condition <= ABOVE && !equality)
        return false;
    return can_hold(condition, left ? &round.right : &round.left, left);
}

/* Does the thread come to `to` only from the instruction before it, from `from` on? */
static bool is_straight(const struct point *from, const struct point *to, const struct point *but)
{
    for (const struct point *p = from; p < to; p++)
        if (!p->known || p->is.flow != FLOW_ON)
            return false;
    for (const struct point *p = x->points; p < x->points + x->count; p++) {
        bool jumps = p->known && p != but && examine_jumps(&p->is);
        const struct point *target;
        for (uint32_t k = 0; jumps && (target = examine_target(p, k)); k++)
            if (target > from && target <= to)
                return false;
    }
    return true;
}

/* The instruction before the loop that set the register to a multiple of the step; NULL: none. */
static const struct point *set_before(const struct point *head, uint8_t place, uint64_t step)
{
    const struct point *p = head;
    while (p > x->points && place < REGS) {
        const struct sum *s = &(--p)->is.sum;
        if (!p->is.writes[place])
            continue;
        bool multiple = s->kind == SUM_AND && s->by == NUMBER && !((uint64_t)(int64_t)s->number % step);
        return multiple && s->to == place && s->width >= round.width ? p : NULL;
    }
    return NULL;
}

/* Unrolled: each round adds a multiple of a power of two, and zero is a multiple of it, as is what it
 * begins with. */
static bool counts_in_steps(const struct point *branch, const struct point *head)
{
    uint64_t plus = round.now[round.left.place].plus, step = plus & -plus;
    struct value after = round.now[round.left.place];
    if (round.compared != WITH_ZERO || branch->is.condition != UNEQUAL || step < 2 || head > branch ||
        round.left.kind != FROM_PLACE || after.kind != FROM_PLACE || after.place != round.left.place ||
        after.width < round.width || round.left.plus != plus)
        return false;
    const struct point *set = set_before(head, after.place, step);
    return set && is_straight(set, branch, branch);
}

const struct point *ends_at(const struct point *branch)
{
    const struct point *taken = examine_point(branch->is.target), *next = branch + 1;
    if (!taken || next >= x->points + x->count)
        return NULL;
    if (goes_round(taken, branch))
        return comes_to(branch->is.condition ^ 1u) || counts_in_steps(branch, taken) ? next : NULL;
    if (goes_round(next, branch))
        return comes_to(branch->is.condition) ? taken : NULL;
    return NULL;
}

bool ends_has(const struct point *branch, uintptr_t pc)
{
    const struct point *out = ends_at(branch), *next = branch + 1, *p = branch;
    for (uint32_t steps = 0; out && p && steps < x->count; steps++) {
        if (pc - p->at < p->is.length)
            return true;
        p = p != branch ? after(p) : steps ? NULL : out == next ? examine_point(p->is.target) : next;
    }
    return false;
}
