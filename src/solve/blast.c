/* See blast.h. Adders ripple, multiplication adds shifted copies, division is the restoring one, shifts
 * are a row of multiplexers for each bit of the distance. Operands that are constant make the gates
 * vanish. */
#include "solve/blast.h"

#define GATES (1u << 21)
#define XOR_BIT 0x80000000u
#define WIDEST 65

int blast_init(struct blast *b, struct exprs *x, struct arena *a)
{
    *b = (struct blast){.x = x, .bit_room = 1u << 23};
    b->bits = arena_alloc(a, b->bit_room * sizeof *b->bits);
    b->where = arena_alloc(a, x->room * sizeof *b->where);
    if (!b->bits || !b->where || htable_init(&b->gates, a, GATES))
        return -1;
    b->gates.arena = NULL; /* it does not grow */
    return cdcl_init(&b->sat, a, 1u << 21, 1u << 26);
}

/* ---- gates --------------------------------------------------------------------------------------- */

static uint32_t *find_gate(struct blast *b, uint32_t x, uint32_t y)
{
    uint64_t key = (uint64_t)x << 32 | y;
    struct htable_entry *e = htable_find(&b->gates, key);
    if (!htable_has(&b->gates, e) && !htable_put(&b->gates, e, key, 0)) {
        b->full = true;
        htable_clear(&b->gates);
        htable_put(&b->gates, e, key, 0);
    }
    return &e->value;
}

static void clause3(struct blast *b, uint32_t x, uint32_t y, uint32_t z)
{
    cdcl_clause(&b->sat, (uint32_t[]){x, y, z}, 3);
}

static uint32_t and_gate(struct blast *b, uint32_t x, uint32_t y)
{
    if (x == SAT_FALSE || y == SAT_FALSE || x == (y ^ 1))
        return SAT_FALSE;
    if (x == SAT_TRUE || x == y)
        return y;
    if (y == SAT_TRUE)
        return x;
    uint32_t *out = x < y ? find_gate(b, x, y) : find_gate(b, y, x);
    if (!*out) {
        *out = cdcl_var(&b->sat, false);
        cdcl_clause(&b->sat, (uint32_t[]){*out ^ 1, x}, 2);
        cdcl_clause(&b->sat, (uint32_t[]){*out ^ 1, y}, 2);
        clause3(b, *out, x ^ 1, y ^ 1);
    }
    return *out;
}

static uint32_t or_gate(struct blast *b, uint32_t x, uint32_t y)
{
    return and_gate(b, x ^ 1, y ^ 1) ^ 1;
}

static uint32_t xor_gate(struct blast *b, uint32_t x, uint32_t y)
{
    uint32_t flip = (x ^ y) & 1;
    x &= ~1u;
    y &= ~1u;
    if (x == y)
        return SAT_FALSE ^ flip;
    if (x == SAT_TRUE || y == SAT_TRUE)
        return (x == SAT_TRUE ? y : x) ^ 1 ^ flip;
    uint32_t *out = x < y ? find_gate(b, x | XOR_BIT, y) : find_gate(b, y | XOR_BIT, x);
    if (!*out) {
        uint32_t o = *out = cdcl_var(&b->sat, false);
        clause3(b, o ^ 1, x, y);
        clause3(b, o ^ 1, x ^ 1, y ^ 1);
        clause3(b, o, x ^ 1, y);
        clause3(b, o, x, y ^ 1);
    }
    return *out ^ flip;
}

/* Is one of them constant (which is one variable), or the same as another or its opposite? */
static bool is_special(uint32_t x, uint32_t y, uint32_t z)
{
    x |= 1;
    y |= 1;
    z |= 1;
    return x == y || x == z || y == z || x == SAT_FALSE || y == SAT_FALSE || z == SAT_FALSE;
}

static uint32_t mux(struct blast *b, uint32_t c, uint32_t yes, uint32_t no)
{
    if (yes == no)
        return yes;
    if (is_special(c, yes, no))
        return or_gate(b, and_gate(b, c, yes), and_gate(b, c ^ 1, no));
    uint32_t o = cdcl_var(&b->sat, false);
    clause3(b, c ^ 1, yes ^ 1, o);
    clause3(b, c ^ 1, yes, o ^ 1);
    clause3(b, c, no ^ 1, o);
    clause3(b, c, no, o ^ 1);
    clause3(b, yes ^ 1, no ^ 1, o); /* these two follow, but not by propagation */
    clause3(b, yes, no, o ^ 1);
    return o;
}

/* Are at least two of them true? */
static uint32_t majority(struct blast *b, uint32_t x, uint32_t y, uint32_t z)
{
    if (is_special(x, y, z))
        return or_gate(b, and_gate(b, x, y), and_gate(b, or_gate(b, x, y), z));
    uint32_t o = cdcl_var(&b->sat, false);
    clause3(b, x ^ 1, y ^ 1, o);
    clause3(b, x ^ 1, z ^ 1, o);
    clause3(b, y ^ 1, z ^ 1, o);
    clause3(b, x, y, o ^ 1);
    clause3(b, x, z, o ^ 1);
    clause3(b, y, z, o ^ 1);
    return o;
}

/* ---- words ---------------------------------------------------------------------------------------- */

/* out = x + y + carry, w bits; returns the carry out. */
static uint32_t add(struct blast *b, uint32_t *out, const uint32_t *x, const uint32_t *y, unsigned w,
                    uint32_t carry)
{
    for (unsigned i = 0; i < w; i++) {
        uint32_t next = majority(b, x[i], y[i], carry);
        out[i] = xor_gate(b, xor_gate(b, x[i], y[i]), carry);
        carry = next;
    }
    return carry;
}

static void negated(uint32_t *out, const uint32_t *x, unsigned w)
{
    for (unsigned i = 0; i < w; i++)
        out[i] = x[i] ^ 1;
}

/* Returns x >= y (the carry of x - y). */
static uint32_t subtract(struct blast *b, uint32_t *out, const uint32_t *x, const uint32_t *y, unsigned w)
{
    uint32_t not_y[WIDEST];
    negated(not_y, y, w);
    return add(b, out, x, not_y, w, SAT_TRUE);
}

static void multiply(struct blast *b, uint32_t *out, const uint32_t *x, const uint32_t *y, unsigned w)
{
    uint32_t row[WIDEST];
    for (unsigned i = 0; i < w; i++)
        out[i] = and_gate(b, x[i], y[0]);
    for (unsigned k = 1; k < w; k++) {
        if (y[k] == SAT_FALSE)
            continue;
        for (unsigned i = k; i < w; i++)
            row[i - k] = and_gate(b, x[i - k], y[k]);
        add(b, out + k, out + k, row, w - k, SAT_FALSE);
    }
}

static void choose(struct blast *b, uint32_t *out, uint32_t c, const uint32_t *yes, const uint32_t *no,
                   unsigned w)
{
    for (unsigned i = 0; i < w; i++)
        out[i] = mux(b, c, yes[i], no[i]);
}

/* Unsigned. By zero: the quotient is all ones, the rest is x, as SMT-LIB has it. */
static void divide(struct blast *b, uint32_t *quotient, uint32_t *rest, const uint32_t *x,
                   const uint32_t *y, unsigned w)
{
    uint32_t r[WIDEST], d[WIDEST], less[WIDEST];
    for (unsigned i = 0; i <= w; i++) {
        r[i] = SAT_FALSE;
        d[i] = i < w ? y[i] : SAT_FALSE;
    }
    for (unsigned i = w; i-- > 0;) {
        for (unsigned k = w; k > 0; k--)
            r[k] = r[k - 1];
        r[0] = x[i];
        quotient[i] = subtract(b, less, r, d, w + 1);
        choose(b, r, quotient[i], less, r, w + 1);
    }
    for (unsigned i = 0; i < w; i++)
        rest[i] = r[i];
}

static uint32_t less(struct blast *b, const uint32_t *x, const uint32_t *y, unsigned w, bool is_signed)
{
    uint32_t below = SAT_FALSE;
    for (unsigned i = 0; i < w; i++) {
        bool top = is_signed && i == w - 1; /* there a one is below */
        below = top ? majority(b, x[i], y[i] ^ 1, below) : majority(b, x[i] ^ 1, y[i], below);
    }
    return below;
}

static void must_equal(struct blast *b, uint32_t x, uint32_t y)
{
    cdcl_clause(&b->sat, (uint32_t[]){x, y ^ 1}, 2);
    cdcl_clause(&b->sat, (uint32_t[]){x ^ 1, y}, 2);
}

/* By a constant other than zero: the quotient and the rest are what they must be, quotient * y + rest = x
 * without a carry and rest < y, which takes few gates. */
static void divide_by(struct blast *b, uint32_t *quotient, uint32_t *rest, const uint32_t *x,
                      const uint32_t *y, uint64_t value, unsigned w)
{
    uint32_t product[WIDEST], most[WIDEST];
    uint64_t largest = expr_ones(w) / value;
    for (unsigned i = 0; i < w; i++) {
        most[i] = largest >> i & 1 ? SAT_TRUE : SAT_FALSE;
        quotient[i] = largest >> i ? cdcl_var(&b->sat, false) : SAT_FALSE;
        rest[i] = value >> i ? cdcl_var(&b->sat, false) : SAT_FALSE;
    }
    uint32_t too_large = less(b, most, quotient, w, false), fits = less(b, rest, y, w, false);
    multiply(b, product, quotient, y, w);
    uint32_t carry = add(b, product, product, rest, w, SAT_FALSE);
    must_equal(b, too_large, SAT_FALSE);
    must_equal(b, fits, SAT_TRUE);
    must_equal(b, carry, SAT_FALSE);
    for (unsigned i = 0; i < w; i++)
        must_equal(b, product[i], x[i]);
}

/* Is it a constant, and which? */
static bool is_constant(const uint32_t *x, unsigned w, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < w; i++) {
        if (x[i] != SAT_TRUE && x[i] != SAT_FALSE)
            return false;
        *value |= (uint64_t)(x[i] == SAT_TRUE) << i;
    }
    return true;
}

/* out = negative ? -x : x */
static void negate_if(struct blast *b, uint32_t *out, uint32_t negative, const uint32_t *x, unsigned w)
{
    uint32_t carry = negative;
    for (unsigned i = 0; i < w; i++) {
        uint32_t bit = xor_gate(b, x[i], negative);
        out[i] = xor_gate(b, bit, carry);
        carry = and_gate(b, bit, carry);
    }
}

static void division(struct blast *b, enum expr_op op, uint32_t *out, const uint32_t *x,
                     const uint32_t *y, unsigned w)
{
    uint32_t quotient[WIDEST], rest[WIDEST], ux[WIDEST], uy[WIDEST];
    bool is_signed = op == OP_SDIV || op == OP_SREM, wants_rest = op == OP_UREM || op == OP_SREM;
    uint32_t minus_x = is_signed ? x[w - 1] : SAT_FALSE, minus_y = is_signed ? y[w - 1] : SAT_FALSE;
    negate_if(b, ux, minus_x, x, w);
    negate_if(b, uy, minus_y, y, w);
    uint64_t value;
    if (is_constant(uy, w, &value) && value)
        divide_by(b, quotient, rest, ux, uy, value, w);
    else
        divide(b, quotient, rest, ux, uy, w);
    if (wants_rest)
        negate_if(b, out, minus_x, rest, w);
    else
        negate_if(b, out, xor_gate(b, minus_x, minus_y), quotient, w);
}

static void shift(struct blast *b, enum expr_op op, uint32_t *out, const uint32_t *x, const uint32_t *y,
                  unsigned w)
{
    uint32_t fill = op == OP_ASHR ? x[w - 1] : SAT_FALSE, moved[WIDEST], far = SAT_FALSE;
    unsigned k = 0;
    for (unsigned i = 0; i < w; i++)
        out[i] = x[i];
    for (; k < w && 1u << k < w; k++) {
        unsigned by = 1u << k;
        for (unsigned i = 0; i < w; i++)
            if (op == OP_SHL)
                moved[i] = i >= by ? out[i - by] : SAT_FALSE;
            else
                moved[i] = i + by < w ? out[i + by] : fill;
        choose(b, out, y[k], moved, out, w);
    }
    for (; k < w; k++)
        far = or_gate(b, far, y[k]);
    for (unsigned i = 0; i < w; i++)
        out[i] = mux(b, far, fill, out[i]);
}

static uint32_t equal(struct blast *b, const uint32_t *x, const uint32_t *y, unsigned w)
{
    uint32_t all = SAT_TRUE;
    for (unsigned i = 0; i < w; i++)
        all = and_gate(b, all, xor_gate(b, x[i], y[i]) ^ 1);
    return all;
}

/* ---- expressions ----------------------------------------------------------------------------------- */

static void gates_of_pair(struct blast *b, const struct expr *n, uint32_t *out)
{
    const uint32_t *x = b->bits + b->where[n->a], *y = b->bits + b->where[n->b];
    unsigned w = b->x->nodes[n->a].width;
    switch (n->op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        for (unsigned i = 0; i < w; i++)
            out[i] = n->op == OP_AND  ? and_gate(b, x[i], y[i])
                     : n->op == OP_OR ? or_gate(b, x[i], y[i])
                                      : xor_gate(b, x[i], y[i]);
        break;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        shift(b, n->op, out, x, y, w);
        break;
    case OP_ADD:
        add(b, out, x, y, w, SAT_FALSE);
        break;
    case OP_SUB:
        subtract(b, out, x, y, w);
        break;
    case OP_MUL:
        multiply(b, out, x, y, w);
        break;
    case OP_EQ:
        out[0] = equal(b, x, y, w);
        break;
    case OP_ULT:
    case OP_SLT:
        out[0] = less(b, x, y, w, n->op == OP_SLT);
        break;
    default:
        division(b, n->op, out, x, y, w);
    }
}

static void leaf_bits(struct blast *b, const struct expr *n, uint32_t *out, const uint8_t *bytes)
{
    for (unsigned i = 0; i < n->width; i++)
        if (n->op == OP_CONST)
            out[i] = n->value >> i & 1 ? SAT_TRUE : SAT_FALSE;
        else
            out[i] = cdcl_input(&b->sat, bytes[n->a] >> i & 1);
}

static void gates_of(struct blast *b, uint32_t e, const uint8_t *bytes)
{
    const struct expr *n = &b->x->nodes[e];
    uint32_t *out = b->bits + b->bit_count;
    const uint32_t *x = b->bits + b->where[n->a];
    unsigned below = b->x->nodes[n->a].width;
    b->where[e] = b->bit_count;
    b->bit_count += n->width;
    switch (n->op) {
    case OP_CONST:
    case OP_INPUT:
        leaf_bits(b, n, out, bytes);
        break;
    case OP_ZEXT:
    case OP_SEXT:
        for (unsigned i = 0; i < n->width; i++)
            out[i] = i < below ? x[i] : n->op == OP_SEXT ? x[below - 1] : SAT_FALSE;
        break;
    case OP_EXTRACT:
        for (unsigned i = 0; i < n->width; i++)
            out[i] = x[i + n->c];
        break;
    case OP_CONCAT:
        below = b->x->nodes[n->b].width;
        for (unsigned i = 0; i < n->width; i++)
            out[i] = i < below ? b->bits[b->where[n->b] + i] : x[i - below];
        break;
    case OP_ITE:
        choose(b, out, x[0], b->bits + b->where[n->b], b->bits + b->where[n->c], n->width);
        break;
    default:
        gates_of_pair(b, n, out);
    }
}

static void read_model(const struct blast *b, const uint32_t *list, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *n = &b->x->nodes[list[i]];
        if (n->op != OP_INPUT)
            continue;
        unsigned byte = 0;
        for (unsigned k = 0; k < 8; k++)
            byte |= (unsigned)cdcl_is_true(&b->sat, b->bits[b->where[list[i]] + k]) << k;
        bytes[n->a] = (uint8_t)byte;
    }
}

/* ---- a question ------------------------------------------------------------------------------------ */

/* How many rows of gates a product or shift is made of: a constant has fewer ones than bits. */
static unsigned rows_of(const struct blast *b, uint32_t e)
{
    const struct expr *n = &b->x->nodes[e];
    return n->op == OP_CONST ? (unsigned)__builtin_popcountll(n->value) : n->width;
}

/* About as many as the expression needs at most. */
static uint32_t most_gates(const struct blast *b, const struct expr *n)
{
    unsigned w = n->op == OP_EQ || n->op == OP_ULT || n->op == OP_SLT ? b->x->nodes[n->a].width : n->width;
    switch (n->op) {
    case OP_MUL:
        return 6 * w * rows_of(b, n->b);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM:
        return b->x->nodes[n->b].op == OP_CONST ? 40 * w + 6 * w * rows_of(b, n->b) : 10 * w * (w + 1);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return 3 * w * 8 + w;
    default:
        return 5 * w;
    }
}

static uint32_t room_for_gates(const struct blast *b)
{
    uint64_t most = 512;
    uint32_t room = 1024;
    for (uint32_t i = 0; i < b->listed; i++)
        most += most_gates(b, &b->x->nodes[b->list[i]]);
    while (room < 2 * most && room < GATES)
        room *= 2;
    return room;
}

/* In a table of that size. false: some room does not suffice. */
static bool make_gates(struct blast *b, const uint8_t *bytes, uint32_t room)
{
    cdcl_reset(&b->sat);
    b->gates.mask = room - 1;
    htable_clear(&b->gates);
    b->bit_count = 0;
    b->full = false;
    for (uint32_t i = 0; i < b->listed; i++) {
        if (b->bit_room - b->bit_count < 64)
            return false;
        gates_of(b, b->list[i], bytes);
        if (b->full || b->sat.full)
            return false;
    }
    return true;
}

/* Only as much of the table as the question should need is used: what fits into a cache is much faster. */
bool blast_state(struct blast *b, const uint32_t *conditions, uint32_t n, const uint8_t *bytes)
{
    b->listed = expr_walk(b->x, conditions, n, &b->list);
    if (!make_gates(b, bytes, room_for_gates(b)) && !(b->full && make_gates(b, bytes, GATES)))
        return false;
    for (uint32_t i = 0; i < n; i++)
        cdcl_clause(&b->sat, &b->bits[b->where[conditions[i]]], 1);
    return true;
}

bool blast_input(const struct blast *b, uint32_t byte, unsigned bit, uint32_t *literal)
{
    for (uint32_t i = 0; i < b->listed; i++) {
        const struct expr *n = &b->x->nodes[b->list[i]];
        if (n->op == OP_INPUT && n->a == byte) {
            *literal = b->bits[b->where[b->list[i]] + bit];
            return true;
        }
    }
    return false;
}

enum answer blast_solve(struct blast *b, const uint32_t *conditions, uint32_t n, uint8_t *bytes,
                        uint64_t budget)
{
    if (!blast_state(b, conditions, n, bytes))
        return ANSWER_UNKNOWN;
    enum answer answer = cdcl_solve(&b->sat, budget);
    if (answer == ANSWER_YES)
        read_model(b, b->list, b->listed, bytes);
    return answer;
}
