/* Addresses that depend on inputs. The object is known if the rewriter saw it (a global variable, a local
 * one) or if the pointer that the index was added to lies in a block of the heap; then "can this be
 * outside of it?" is a branch. A pointer that may be to one block or another becomes concrete first. What
 * is read inside of a small object is one expression over all of it, as long as no other thread could
 * write there; otherwise the address becomes concrete. */
#include "rt/sym/sym.h"

#include "rt/check/finding.h"
#include "rt/check/heap.h"
#include "rt/core/sched.h"
#include "rt/posix/thread.h"

#include "rewrite/hooks.h"

#define TABLE_MOST 1024u /* entries */

struct extent {
    uintptr_t start;
    uint64_t size;
};

static bool off(void)
{
    return !sym || !rt.active;
}

static bool find_object(uintptr_t root, uint64_t size, struct extent *o)
{
    *o = (struct extent){root, size};
    return size || heap_extent(root, &o->start, &o->size);
}

static __attribute__((noreturn)) void outside(const struct extent *o, uintptr_t at, uint64_t size,
                                              bool write, uint64_t pc)
{
    struct finding *f;
    heap_check(at, size, write, pc);
    f = finding_new(FINDING_BOUNDS, pc, o->start,
                    "out of bounds: %s of %lu byte%s at offset %ld of an object of %lu byte%s",
                    write ? "write" : "read", size, size == 1 ? "" : "s", (long)(at - o->start), o->size,
                    o->size == 1 ? "" : "s");
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
    __builtin_unreachable();
}

static void check_bounds(const struct extent *o, uint32_t s, uintptr_t at, uint64_t size, bool write,
                         uint64_t pc)
{
    struct exprs *x = &sym->solver.x;
    bool fits = size <= o->size, is_inside = fits && at - o->start <= o->size - size;
    uint32_t offset = expr_binary(x, OP_SUB, s, expr_const(x, o->start, 64));
    uint32_t most = expr_const(x, fits ? o->size - size : 0, 64);
    uint32_t inside = fits && offset && most ? expr_not(x, expr_binary(x, OP_ULT, most, offset)) : 0;
    if (inside && sym_shadow(inside) && !sym_settled(s))
        sym_decide(inside, is_inside, pc);
    if (!is_inside)
        outside(o, at, size, write, pc);
}

/* ---- a read as one expression ----------------------------------------------------------------- */

/* How many of its lowest bits are 0 for certain? */
static unsigned zeros(const struct exprs *x, uint32_t e, int depth)
{
    const struct expr *n = expr_at(x, e);
    unsigned a, b;
    if (n->op == OP_CONST)
        return n->value ? (unsigned)__builtin_ctzll(n->value) : n->width;
    if (depth == 0)
        return 0;
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_OR:
    case OP_XOR:
        a = zeros(x, n->a, depth - 1);
        b = zeros(x, n->b, depth - 1);
        return a < b ? a : b;
    case OP_MUL:
        a = zeros(x, n->a, depth - 1) + zeros(x, n->b, depth - 1);
        return a < n->width ? a : n->width;
    case OP_SHL:
        if (expr_at(x, n->b)->op != OP_CONST || expr_at(x, n->b)->value >= n->width)
            return 0;
        a = zeros(x, n->a, depth - 1) + (unsigned)expr_at(x, n->b)->value;
        return a < n->width ? a : n->width;
    case OP_ZEXT:
    case OP_SEXT:
        return zeros(x, n->a, depth - 1);
    case OP_CONCAT:
        b = zeros(x, n->b, depth - 1);
        return b < expr_at(x, n->b)->width ? b : b + zeros(x, n->a, depth - 1);
    default:
        return 0;
    }
}

struct sym_table {
    uintptr_t first;       /* where entry 0 is */
    unsigned step, count;  /* log2 of the distance of entries */
    uint32_t size;         /* bytes of an entry */
    uint32_t which;        /* expression of its number */
};

static bool make_table(const struct extent *o, uint32_t s, uintptr_t at, uint32_t size, struct sym_table *t)
{
    struct exprs *x = &sym->solver.x;
    uint32_t offset = expr_binary(x, OP_SUB, s, expr_const(x, o->start, 64));
    if (!offset || size > o->size)
        return false;
    t->step = zeros(x, offset, 24);
    t->step = t->step > 12 ? 12 : t->step;
    uint64_t rest = (at - o->start) & ((1ull << t->step) - 1), count;
    if (rest > o->size - size)
        return false;
    count = ((o->size - size - rest) >> t->step) + 1;
    t->count = (unsigned)count;
    t->first = o->start + rest;
    t->size = size;
    offset = expr_binary(x, OP_SUB, s, expr_const(x, t->first, 64));
    t->which = offset ? expr_binary(x, OP_LSHR, offset, expr_const(x, t->step, 64)) : 0;
    return t->which && count <= TABLE_MOST;
}

static uint32_t entry(const struct sym_table *t, unsigned k)
{
    uintptr_t at = t->first + ((uintptr_t)k << t->step);
    uint64_t value = 0;
    rt_copy(&value, (const void *)at, t->size);
    return sym_operand(raddle_sym_load(at, t->size, value), value, 8 * t->size);
}

/* The entries from k on, 2^bits of them: a tree, not a chain. */
static uint32_t choose_entry(const struct sym_table *t, unsigned k, unsigned bits)
{
    struct exprs *x = &sym->solver.x;
    if (!bits)
        return entry(t, k);
    unsigned half = 1u << (bits - 1);
    uint32_t low = choose_entry(t, k, bits - 1);
    if (k + half >= t->count)
        return low;
    uint32_t high = choose_entry(t, k + half, bits - 1), bit = expr_extract(x, t->which, bits - 1, 1);
    return low && high && bit ? expr_ite(x, bit, high, low) : 0;
}

/* Nobody else can write what is read: then the entries are what they are whichever is read. */
static bool nobody_writes(uint32_t how)
{
    return how & SYM_PRIVATE ||
           (thread_alone() && !rt.shared->racy_count && rt.shared->config.granularity == 0);
}

/* A root that is in this block for certain, whatever the inputs? */
static bool stays_inside(uint32_t sr, const struct extent *o)
{
    struct exprs *x = &sym->solver.x;
    uint32_t offset = expr_binary(x, OP_SUB, sr, expr_const(x, o->start, 64));
    uint32_t size = expr_const(x, o->size, 64);
    return offset && size && sym_always(expr_binary(x, OP_ULT, offset, size));
}

RT_EXPORT uint32_t raddle_sym_address(uint32_t s, uintptr_t at, uint32_t sr, uintptr_t root,
                                      uint64_t object, uint64_t size, uint32_t how)
{
    struct extent o;
    struct sym_table t;
    uint64_t pc = RT_PC();
    if (off())
        return 0;
    bool known = find_object(root, object, &o);
    if (sr && !sym->given && !(known && stays_inside(sr, &o)))
        sym_concretise(sr, root, pc);
    if (known && size) /* no byte is used: anywhere */
        check_bounds(&o, s, at, size, how & SYM_WRITE, pc);
    if (sym->given)
        return 0;
    if (known && how & SYM_READ && nobody_writes(how) && make_table(&o, s, at, (uint32_t)size, &t))
        return 1;
    sym_concretise(s, at, pc);
    return 0;
}

RT_EXPORT uint32_t raddle_sym_table(uint32_t s, uintptr_t at, uintptr_t root, uint64_t object,
                                    uint32_t size, uint64_t value)
{
    struct extent o;
    struct sym_table t;
    unsigned bits = 0;
    if (off() || !find_object(root, object, &o) || !make_table(&o, s, at, size, &t))
        return 0;
    while (1u << bits < t.count)
        bits++;
    uint32_t e = choose_entry(&t, 0, bits);
    if (e && expr_eval(&sym->solver.x, e, sym->bytes, sym->byte_count) != value) {
        finding_incomplete("a table that is read with an input as index was not followed exactly");
        return 0;
    }
    return sym_shadow(e);
}

/* base + (index expression - index) * stride + what is concrete of it. */
RT_EXPORT uint32_t raddle_sym_offset(uint32_t s, uint64_t at, uint32_t si, uint64_t index, uint32_t width,
                                     uint64_t stride)
{
    struct exprs *x = &sym->solver.x;
    if (off())
        return 0;
    uint32_t wide = expr_extend(x, sym_operand(si, index, width), 64, true);
    uint32_t part = wide ? expr_binary(x, OP_MUL, wide, expr_const(x, stride, 64)) : 0;
    if (!part)
        return sym_shadow(0);
    if (!s)
        return sym_shadow(expr_binary(x, OP_ADD, part, expr_const(x, at - index * stride, 64)));
    uint32_t rest = expr_binary(x, OP_SUB, s, expr_const(x, index * stride, 64));
    return sym_shadow(rest ? expr_binary(x, OP_ADD, rest, part) : 0);
}

RT_EXPORT uint32_t raddle_sym_moved_by(uint32_t s, uint64_t by)
{
    struct exprs *x = &sym->solver.x;
    return off() ? 0 : sym_shadow(expr_binary(x, OP_ADD, s, expr_const(x, by, 64)));
}
