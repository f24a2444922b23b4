/* The checks that the rewriter puts into a program, as functions that are always inlined: nothing but a
 * comparison while no input is involved. Compiled to bitcode when raddle is built (hooks.h). */
#include "rewrite/hooks.h"

/* The rewriter declares them where it uses them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define CHECK __attribute__((always_inline))
#define SELDOM(x) __builtin_expect(!!(x), 0)

static __attribute__((always_inline)) inline uint32_t marked(uintptr_t at, uintptr_t last)
{
    return raddle_sym_filter[at >> 3 & (SYM_FILTER - 1)] |
           raddle_sym_filter[last >> 3 & (SYM_FILTER - 1)];
}

CHECK uint32_t sym_binary(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b)
{
    return SELDOM(sa | sb) ? raddle_sym_binary(how, sa, a, sb, b) : 0;
}

CHECK void sym_overflow(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b)
{
    if (SELDOM(sa | sb))
        raddle_sym_overflow(how, sa, a, sb, b);
}

CHECK uint32_t sym_compare(uint32_t how, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b)
{
    return SELDOM(sa | sb) ? raddle_sym_compare(how, sa, a, sb, b) : 0;
}

CHECK uint32_t sym_cast(uint32_t how, uint32_t to, uint32_t sa)
{
    return SELDOM(sa) ? raddle_sym_cast(how, to, sa) : 0;
}

CHECK uint32_t sym_select(uint32_t width, uint32_t sc, uint64_t c, uint32_t sa, uint64_t a, uint32_t sb,
                          uint64_t b)
{
    return SELDOM(sc | sa | sb) ? raddle_sym_select(width, sc, c, sa, a, sb, b) : 0;
}

CHECK uint32_t sym_load(uintptr_t at, uint32_t size, uint64_t value)
{
    return SELDOM(marked(at, at + size - 1)) ? raddle_sym_load(at, size, value) : 0;
}

CHECK void sym_store(uintptr_t at, uint32_t size, uint32_t s, uint64_t value)
{
    if (SELDOM(s | marked(at, at + size - 1)))
        raddle_sym_store(at, size, s, value);
}

CHECK void sym_clear(uintptr_t at, uint64_t size)
{
    if (SELDOM(size > 8 || marked(at, at + size - 1)))
        raddle_sym_clear(at, size);
}

CHECK void sym_force_memory(uintptr_t at, uint64_t size)
{
    if (SELDOM(size > 8 || marked(at, at + size - 1)))
        raddle_sym_force_memory(at, size);
}

CHECK void sym_force(uint32_t s, uint64_t value)
{
    if (SELDOM(s))
        raddle_sym_force(s, value);
}

CHECK void sym_divisor(uint32_t how, uint32_t s, uint64_t value, uint32_t sa, uint64_t a)
{
    uint32_t fails = SELDOM(s | sa) ? raddle_sym_divisor(how, s, value, sa, a) : !value;
    /* Here, for the division itself may not be left: it is the program that fails, at its line. */
    if (SELDOM(fails))
        __asm__ volatile("xorl %%edx, %%edx\n\tdivl %%edx" ::: "eax", "edx", "cc");
}

CHECK uint32_t sym_address(uint32_t s, uintptr_t at, uint32_t sr, uintptr_t root, uint64_t object,
                           uint64_t size, uint32_t how)
{
    return SELDOM(s) ? raddle_sym_address(s, at, sr, root, object, size, how) : 0;
}

CHECK uint32_t sym_table(uint32_t table, uint32_t loaded, uint32_t s, uintptr_t at, uintptr_t root,
                         uint64_t object, uint32_t size, uint64_t value)
{
    return SELDOM(table) ? raddle_sym_table(s, at, root, object, size, value) : loaded;
}

CHECK uint32_t sym_offset(uint32_t s, uint64_t at, uint32_t si, uint64_t index, uint32_t width,
                          uint64_t stride)
{
    return SELDOM(si) ? raddle_sym_offset(s, at, si, index, width, stride) : s;
}

CHECK uint32_t sym_moved_by(uint32_t s, uint64_t by)
{
    return SELDOM(s) ? raddle_sym_moved_by(s, by) : 0;
}

CHECK void sym_branch(uint32_t s, uint64_t taken)
{
    if (SELDOM(s))
        raddle_sym_branch(s, taken);
}

CHECK void sym_switch(uint32_t s, uint64_t value, uint32_t count, const uint64_t *cases)
{
    if (SELDOM(s))
        raddle_sym_switch(s, value, count, cases);
}

CHECK uint32_t sym_enter(uintptr_t self)
{
    if (SELDOM(raddle_sym_callee == self)) {
        raddle_sym_callee = 0;
        return 1;
    }
    return 0;
}

CHECK uint32_t sym_param(uint32_t entered, uint32_t i)
{
    return SELDOM(entered) ? raddle_sym_args[i] : 0;
}

CHECK void sym_call(uintptr_t callee, uint32_t s0, uint32_t s1, uint32_t s2, uint32_t s3, uint32_t s4,
                    uint32_t s5, uint32_t s6, uint32_t s7)
{
    if (SELDOM(s0 | s1 | s2 | s3 | s4 | s5 | s6 | s7))
        raddle_sym_call(callee, s0, s1, s2, s3, s4, s5, s6, s7);
}

CHECK void sym_pointer(uintptr_t callee, uintptr_t at)
{
    if (SELDOM(raddle_sym_cells))
        raddle_sym_pointer(callee, at);
}

CHECK void sym_escape(uintptr_t callee, uint32_t s, uint64_t value)
{
    if (SELDOM(s) && raddle_sym_callee == callee)
        raddle_sym_escape(callee, s, value);
}

CHECK void sym_return(uintptr_t self, uint32_t s)
{
    if (SELDOM(s || raddle_sym_returned))
        raddle_sym_return(self, s);
}

CHECK uint32_t sym_result(uintptr_t callee)
{
    return SELDOM(raddle_sym_returned) ? raddle_sym_take_result(callee) : 0;
}

CHECK void sym_output(uint64_t to, uint32_t is_stream, uintptr_t at, uint32_t s, uint64_t size, uint32_t sn,
                      uint64_t n)
{
    if (SELDOM(raddle_sym_cells || s || sn))
        raddle_sym_output(to, is_stream, at, s, size, sn, n);
}

CHECK void sym_status(uint32_t s, uint64_t status)
{
    if (SELDOM(s))
        raddle_sym_status(s, status);
}

CHECK uint32_t sym_update(uint32_t op, uintptr_t at, uint32_t size, uint32_t s, uint64_t value,
                          uint64_t old)
{
    return SELDOM(s | marked(at, at + size - 1)) ? raddle_sym_update(op, at, size, s, value, old) : 0;
}

CHECK void sym_expect(uint32_t s)
{
    raddle_sym_expected = s;
}

CHECK uint32_t sym_exchange(uintptr_t at, uint32_t size, uint64_t expected, uint32_t sd, uint64_t desired,
                            uint64_t old)
{
    if (SELDOM(sd | marked(at, at + size - 1)))
        return raddle_sym_exchange(at, size, expected, sd, desired, old);
    return 0;
}

CHECK void sym_copy(uintptr_t to, uintptr_t from, uint64_t size)
{
    raddle_sym_copy(to, from, size);
}

CHECK void sym_fill(uintptr_t to, uint64_t size, uint32_t s, uint64_t value)
{
    raddle_sym_fill(to, size, s, value);
}

CHECK void sym_thread(uint32_t s)
{
    raddle_sym_thread(s);
}
