/* The solver against two things that share no code with it: evaluation of random expressions over all
 * inputs, and Z3. A random expression is a tree; it is evaluated as it stands, built as an expression
 * (simplified), and given to Z3 as it stands. Questions come in the order of a depth-first search over
 * the branches of a program, because answers depend on what was asked before. */
#include "solve/solver.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <z3.h>

struct tree {
    enum expr_op op;
    unsigned width, low;
    uint64_t value;
    struct tree *a, *b, *c;
};

static struct rng rng;
static struct tree trees[4096];
static unsigned tree_count;
static unsigned input_bytes;

static unsigned below(unsigned n)
{
    return (unsigned)(rng_next(&rng) % n);
}

static struct tree *make(struct tree t)
{
    trees[tree_count] = t;
    return &trees[tree_count++];
}

static struct tree *grow(unsigned width, unsigned depth);

/* Bytes of input put together, cut or widened to the width. */
static struct tree *leaf(unsigned width)
{
    if (below(3) == 0)
        return make((struct tree){.op = OP_CONST, .width = width,
                                  .value = (below(2) ? below(4) : rng_next(&rng)) & expr_ones(width)});
    struct tree *t = make((struct tree){.op = OP_INPUT, .width = 8, .value = below(input_bytes)});
    while (t->width < width && t->width + 8 <= 64 && below(4))
        t = make((struct tree){.op = OP_CONCAT, .width = t->width + 8, .b = t,
                               .a = make((struct tree){.op = OP_INPUT, .width = 8,
                                                       .value = below(input_bytes)})});
    if (t->width > width)
        return make((struct tree){.op = OP_EXTRACT, .width = width, .a = t,
                                  .low = below(t->width - width + 1)});
    if (t->width < width)
        return make((struct tree){.op = below(2) ? OP_ZEXT : OP_SEXT, .width = width, .a = t});
    return t;
}

static struct tree *compare(unsigned depth)
{
    static const unsigned widths[] = {1, 7, 8, 16, 32, 64};
    unsigned width = widths[below(6)];
    return make((struct tree){.op = OP_EQ + below(3), .width = 1, .a = grow(width, depth - 1),
                              .b = grow(width, depth - 1)});
}

static struct tree *resized(unsigned width, unsigned depth)
{
    unsigned other = 1 + below(64);
    if (other < width)
        return make((struct tree){.op = below(2) ? OP_ZEXT : OP_SEXT, .width = width,
                                  .a = grow(other, depth - 1)});
    return make((struct tree){.op = OP_EXTRACT, .width = width, .a = grow(other, depth - 1),
                              .low = below(other - width + 1)});
}

static struct tree *grow(unsigned width, unsigned depth)
{
    if (depth == 0 || below(6) == 0)
        return leaf(width);
    if (width == 1 && below(3))
        return compare(depth);
    switch (below(8)) {
    case 0:
        return resized(width, depth);
    case 1:
        return make((struct tree){.op = OP_ITE, .width = width, .a = grow(1, depth - 1),
                                  .b = grow(width, depth - 1), .c = grow(width, depth - 1)});
    case 2:
        if (width > 1) {
            unsigned cut = 1 + below(width - 1);
            return make((struct tree){.op = OP_CONCAT, .width = width, .a = grow(width - cut, depth - 1),
                                      .b = grow(cut, depth - 1)});
        } /* fall through */
    default:
        return make((struct tree){.op = OP_AND + below(OP_SREM - OP_AND + 1), .width = width,
                                  .a = grow(width, depth - 1), .b = grow(width, depth - 1)});
    }
}

/* ---- the three meanings of a tree ------------------------------------------------------------------ */

static uint64_t meaning(const struct tree *t, const uint8_t *bytes)
{
    switch (t->op) {
    case OP_CONST:
        return t->value;
    case OP_INPUT:
        return bytes[t->value];
    case OP_ZEXT:
        return meaning(t->a, bytes);
    case OP_SEXT: {
        uint64_t v = meaning(t->a, bytes), sign = 1ull << (t->a->width - 1);
        return ((v ^ sign) - sign) & expr_ones(t->width);
    }
    case OP_EXTRACT:
        return meaning(t->a, bytes) >> t->low & expr_ones(t->width);
    case OP_CONCAT:
        return meaning(t->a, bytes) << t->b->width | meaning(t->b, bytes);
    case OP_ITE:
        return meaning(t->a, bytes) ? meaning(t->b, bytes) : meaning(t->c, bytes);
    default:
        return expr_compute(t->op, meaning(t->a, bytes), meaning(t->b, bytes), t->a->width);
    }
}

static uint32_t built(struct exprs *x, const struct tree *t)
{
    switch (t->op) {
    case OP_CONST:
        return expr_const(x, t->value, t->width);
    case OP_INPUT:
        return expr_input(x, (uint32_t)t->value);
    case OP_ZEXT:
    case OP_SEXT:
        return expr_extend(x, built(x, t->a), t->width, t->op == OP_SEXT);
    case OP_EXTRACT:
        return expr_extract(x, built(x, t->a), t->low, t->width);
    case OP_CONCAT:
        return expr_concat(x, built(x, t->a), built(x, t->b));
    case OP_ITE:
        return expr_ite(x, built(x, t->a), built(x, t->b), built(x, t->c));
    default:
        return expr_binary(x, t->op, built(x, t->a), built(x, t->b));
    }
}

static Z3_context z3;
static Z3_ast z3_inputs[16];

static Z3_ast bit(Z3_ast condition)
{
    Z3_sort one = Z3_mk_bv_sort(z3, 1);
    return Z3_mk_ite(z3, condition, Z3_mk_unsigned_int64(z3, 1, one), Z3_mk_unsigned_int64(z3, 0, one));
}

static Z3_ast truth(Z3_ast b)
{
    return Z3_mk_eq(z3, b, Z3_mk_unsigned_int64(z3, 1, Z3_mk_bv_sort(z3, 1)));
}

static Z3_ast in_z3(const struct tree *t)
{
    typedef Z3_ast (*pair_fn)(Z3_context, Z3_ast, Z3_ast);
    static const pair_fn pairs[EXPR_OPS] = {
        [OP_AND] = Z3_mk_bvand, [OP_OR] = Z3_mk_bvor, [OP_XOR] = Z3_mk_bvxor, [OP_SHL] = Z3_mk_bvshl,
        [OP_LSHR] = Z3_mk_bvlshr, [OP_ASHR] = Z3_mk_bvashr, [OP_ADD] = Z3_mk_bvadd,
        [OP_SUB] = Z3_mk_bvsub, [OP_MUL] = Z3_mk_bvmul, [OP_UDIV] = Z3_mk_bvudiv,
        [OP_UREM] = Z3_mk_bvurem, [OP_SDIV] = Z3_mk_bvsdiv, [OP_SREM] = Z3_mk_bvsrem,
        [OP_CONCAT] = Z3_mk_concat};
    switch (t->op) {
    case OP_CONST:
        return Z3_mk_unsigned_int64(z3, t->value, Z3_mk_bv_sort(z3, t->width));
    case OP_INPUT:
        return z3_inputs[t->value];
    case OP_ZEXT:
        return Z3_mk_zero_ext(z3, t->width - t->a->width, in_z3(t->a));
    case OP_SEXT:
        return Z3_mk_sign_ext(z3, t->width - t->a->width, in_z3(t->a));
    case OP_EXTRACT:
        return Z3_mk_extract(z3, t->low + t->width - 1, t->low, in_z3(t->a));
    case OP_ITE:
        return Z3_mk_ite(z3, truth(in_z3(t->a)), in_z3(t->b), in_z3(t->c));
    case OP_EQ:
        return bit(Z3_mk_eq(z3, in_z3(t->a), in_z3(t->b)));
    case OP_ULT:
        return bit(Z3_mk_bvult(z3, in_z3(t->a), in_z3(t->b)));
    case OP_SLT:
        return bit(Z3_mk_bvslt(z3, in_z3(t->a), in_z3(t->b)));
    default:
        return pairs[t->op](z3, in_z3(t->a), in_z3(t->b));
    }
}

/* ---- fixtures --------------------------------------------------------------------------------------- */

static struct solver solver;

static void fresh_solver(void)
{
    static struct arena arena = {.size = 8ull << 30};
    if (arena.base)
        munmap(arena.base, arena.size);
    arena.base = mmap(NULL, arena.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(arena.base != MAP_FAILED);
    arena.used = 0;
    assert_int_equal(solver_init(&solver, &arena, 256ull << 20), 0);
}

static void fresh_trees(uint64_t seed, unsigned bytes)
{
    rng_seed(&rng, seed);
    tree_count = 0;
    input_bytes = bytes;
}

static void any_input(uint8_t *bytes)
{
    for (unsigned i = 0; i < input_bytes; i++)
        bytes[i] = (uint8_t)(below(3) ? rng_next(&rng) : below(3) - 1);
}

/* ---- tests ------------------------------------------------------------------------------------------ */

static void test_simplification_keeps_the_value(void **state)
{
    static const unsigned widths[] = {1, 8, 13, 16, 32, 33, 64};
    uint8_t bytes[EXPR_INPUTS] = {0};
    fresh_solver();
    for (unsigned seed = 0; seed < 20000; seed++) {
        fresh_trees(seed, 4);
        struct tree *t = grow(widths[below(7)], 1 + below(4));
        uint32_t e = built(&solver.x, t);
        assert_int_equal(expr_at(&solver.x, e)->width, t->width);
        for (int i = 0; i < 20; i++) {
            any_input(bytes);
            uint64_t expected = meaning(t, bytes);
            if (expr_eval(&solver.x, e, bytes, input_bytes) != expected)
                fail_msg("seed %u: a value was changed by simplification", seed);
        }
    }
}

/* No multiplication and division of wide inputs with each other: nobody solves these quickly. */
static bool is_hard(const struct tree *t)
{
    if (!t)
        return false;
    if (t->op >= OP_MUL && t->op <= OP_SREM && t->width > 16)
        return true;
    return is_hard(t->a) || is_hard(t->b) || is_hard(t->c);
}

/* All paths of a "program" of n conditions, asked for as a search would. */
struct program {
    const struct tree *conditions[8];
    unsigned n;
    unsigned char seen[256]; /* by outcomes */
};

static void search(struct program *p, uint32_t *path, unsigned depth, uint8_t *bytes, unsigned outcomes)
{
    if (depth == p->n) {
        p->seen[outcomes]++;
        return;
    }
    uint32_t e = built(&solver.x, p->conditions[depth]);
    bool taken = meaning(p->conditions[depth], bytes);
    for (int side = 0; side < 2; side++, taken = !taken) {
        uint8_t other[EXPR_INPUTS] = {0};
        uint32_t condition = taken ? e : expr_not(&solver.x, e);
        memcpy(other, bytes, input_bytes);
        enum answer a = solver_ask(&solver, path, depth, condition, other);
        assert_int_not_equal(a, ANSWER_UNKNOWN);
        if (a == ANSWER_NO)
            assert_memory_equal(other, bytes, input_bytes);
        if (side == 0)
            assert_int_equal(a, ANSWER_YES);
        if (a == ANSWER_NO)
            continue;
        path[depth] = condition;
        for (unsigned i = 0; i <= depth; i++)
            assert_true(expr_eval(&solver.x, path[i], other, EXPR_INPUTS));
        search(p, path, depth + 1, other, outcomes | (unsigned)taken << depth);
    }
}

static void test_paths_are_those_of_all_inputs(void **state)
{
    fresh_solver();
    for (unsigned seed = 0; seed < 30; seed++) {
        struct program p = {.n = 0};
        unsigned char expected[256] = {0};
        uint32_t path[8];
        uint8_t bytes[EXPR_INPUTS] = {0};
        fresh_trees(seed, 2);
        while (p.n < 5) {
            p.conditions[p.n] = compare(3);
            p.n += !is_hard(p.conditions[p.n]);
        }
        for (unsigned v = 0; v < 65536; v++) {
            unsigned outcomes = 0;
            bytes[0] = (uint8_t)v;
            bytes[1] = (uint8_t)(v >> 8);
            for (unsigned i = 0; i < p.n; i++)
                outcomes |= (unsigned)meaning(p.conditions[i], bytes) << i;
            expected[outcomes] = 1;
        }
        bytes[0] = bytes[1] = 0;
        search(&p, path, 0, bytes, 0);
        if (memcmp(p.seen, expected, sizeof expected))
            fail_msg("seed %u: the paths found are not those of the inputs", seed);
    }
    assert_int_equal(solver.stats.wrong, 0);
    assert_true(solver.stats.by_bytes && solver.stats.by_trying && solver.stats.by_sat);
    /* Asked again, as under another schedule, it is known. */
    uint64_t solved = solver.stats.by_sat;
    struct program p = {.n = 0};
    uint32_t path[8];
    uint8_t bytes[EXPR_INPUTS] = {0};
    fresh_trees(0, 2);
    while (p.n < 5) {
        p.conditions[p.n] = compare(3);
        p.n += !is_hard(p.conditions[p.n]);
    }
    search(&p, path, 0, bytes, 0);
    assert_int_equal(solver.stats.by_sat, solved);
}

static bool z3_says(const struct tree *const *conditions, unsigned n)
{
    Z3_solver s = Z3_mk_solver(z3);
    Z3_solver_inc_ref(z3, s);
    for (unsigned i = 0; i < n; i++)
        Z3_solver_assert(z3, s, truth(in_z3(conditions[i])));
    Z3_lbool r = Z3_solver_check(z3, s);
    assert_int_not_equal(r, Z3_L_UNDEF);
    Z3_solver_dec_ref(z3, s);
    return r == Z3_L_TRUE;
}

static void begin_z3(void)
{
    Z3_config config = Z3_mk_config();
    z3 = Z3_mk_context(config);
    for (unsigned i = 0; i < 16; i++)
        z3_inputs[i] = Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)i), Z3_mk_bv_sort(z3, 8));
    Z3_del_config(config);
}

static void test_answers_are_those_of_z3(void **state)
{
    unsigned yes = 0, no = 0;
    fresh_solver();
    begin_z3();
    for (unsigned seed = 0; seed < 60; seed++) {
        const struct tree *asked[6];
        uint32_t path[6];
        uint8_t bytes[EXPR_INPUTS] = {0};
        unsigned n = 0;
        fresh_trees(1000000 + seed, 10);
        for (unsigned tries = 0; n < 5 && tries < 40; tries++) {
            struct tree *t = compare(3);
            if (is_hard(t))
                continue;
            uint8_t other[EXPR_INPUTS];
            memcpy(other, bytes, sizeof other);
            asked[n] = t;
            path[n] = built(&solver.x, t);
            enum answer a = solver_ask(&solver, path, n, path[n], other);
            if (a != (z3_says(asked, n + 1) ? ANSWER_YES : ANSWER_NO))
                fail_msg("seed %u: answer %d, and Z3 says otherwise", seed, a);
            yes += a == ANSWER_YES;
            no += a == ANSWER_NO;
            if (a == ANSWER_YES) {
                n++;
                memcpy(bytes, other, sizeof bytes);
                for (unsigned i = 0; i < n; i++)
                    assert_int_equal(meaning(asked[i], bytes), 1);
            }
        }
    }
    Z3_del_context(z3);
    print_message("# %u can hold, %u cannot\n", yes, no);
    assert_true(yes > 200 && no > 30);
}

/* x * y == c over 8 bits each, widened: solutions exist for products only. */
static void test_factors(void **state)
{
    fresh_solver();
    for (unsigned product = 1; product < 400; product += 7) {
        struct exprs *x = &solver.x;
        uint8_t bytes[EXPR_INPUTS] = {0};
        uint32_t a = expr_extend(x, expr_input(x, 0), 32, false);
        uint32_t b = expr_extend(x, expr_input(x, 1), 32, false);
        uint32_t one = expr_const(x, 1, 32);
        uint32_t path[] = {expr_binary(x, OP_ULT, one, a), expr_binary(x, OP_ULT, one, b)};
        bytes[0] = bytes[1] = 2;
        enum answer r = solver_ask(&solver, path, 2,
                                   expr_binary(x, OP_EQ, expr_binary(x, OP_MUL, a, b),
                                               expr_const(x, product, 32)), bytes);
        bool composite = false;
        for (unsigned i = 2; i < 256; i++)
            composite |= product % i == 0 && product / i > 1 && product / i < 256;
        assert_int_equal(r, composite ? ANSWER_YES : ANSWER_NO);
        if (composite)
            assert_int_equal(bytes[0] * bytes[1], product);
    }
}

/* The budget is one of conflicts; what it does not suffice for is unknown, not wrong. */
static void test_budget_is_kept(void **state)
{
    fresh_solver();
    struct exprs *x = &solver.x;
    uint8_t bytes[EXPR_INPUTS] = {0};
    uint32_t a = expr_input(x, 0), b = expr_input(x, 4);
    for (uint32_t i = 1; i < 4; i++) {
        a = expr_concat(x, expr_input(x, i), a);
        b = expr_concat(x, expr_input(x, 4 + i), b);
    }
    uint32_t one = expr_const(x, 1, 64), wide_a = expr_extend(x, a, 64, false);
    uint32_t wide_b = expr_extend(x, b, 64, false);
    uint32_t path[] = {expr_binary(x, OP_ULT, one, wide_a), expr_binary(x, OP_ULT, one, wide_b)};
    bytes[0] = bytes[4] = 2;
    solver.budget = 50;
    /* A product of two primes near 2^31. */
    uint32_t goal = expr_binary(x, OP_EQ, expr_binary(x, OP_MUL, wide_a, wide_b),
                                expr_const(x, 2147483647ull * 2147483629ull, 64));
    assert_int_equal(solver_ask(&solver, path, 2, goal, bytes), ANSWER_UNKNOWN);
    assert_int_equal(solver.stats.unknown, 1);
}

static void test_no_room_is_told(void **state)
{
    struct arena small = {.size = 1 << 20};
    struct exprs x;
    small.base = calloc(1, small.size);
    assert_int_equal(exprs_init(&x, &small, 100), 0);
    for (unsigned i = 0; i < 200; i++)
        expr_const(&x, i, 32);
    assert_true(exprs_full(&x));
    assert_int_equal(expr_const(&x, 1000, 32), 0);
    assert_int_not_equal(expr_const(&x, 5, 32), 0);
    assert_int_equal(exprs_init(&x, &small, 1 << 20), -1);
    free(small.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simplification_keeps_the_value),
        cmocka_unit_test(test_paths_are_those_of_all_inputs),
        cmocka_unit_test(test_answers_are_those_of_z3),
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_budget_is_kept),
        cmocka_unit_test(test_no_room_is_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
