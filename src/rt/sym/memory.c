/* Shadows of memory, byte by byte: a table from words of 8 bytes to cells. A cell keeps what each byte was
 * when its shadow was set: if it is another one now, somebody wrote it who was not rewritten, and the
 * shadow is void. The filter that the program looks at first has an entry for each word that has a cell
 * (and for others with the same hash). */
#include "rt/sym/sym.h"

#include "base/htable.h"
#include "rt/check/finding.h"
#include "rt/core/restart.h"

#include "rewrite/hooks.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define CELLS (1u << 19)

struct shadow_cell {
    uint64_t word;
    uint32_t shadow[8];
    uint8_t byte[8];
};

RT_EXPORT unsigned char raddle_sym_filter[SYM_FILTER];
static struct shadow_cell *cells; /* of this execution */
static struct htable cell_of; /* by the word */
RT_EXPORT uint32_t raddle_sym_cells;

void sym_memory_init(void)
{
    cells = rt_map(NULL, CELLS * sizeof *cells, "shadows");
    struct htable_entry *entries = rt_map(NULL, 2 * CELLS * sizeof *entries, "table of shadows");
    htable_init_in(&cell_of, entries, 2 * CELLS);
}

void sym_memory_reset(void)
{
    for (uint32_t i = 0; i < raddle_sym_cells; i++)
        raddle_sym_filter[cells[i].word & (SYM_FILTER - 1)] = 0;
    raddle_sym_cells = 0;
    htable_clear(&cell_of);
}

static struct shadow_cell *find(uint64_t word, bool make)
{
    struct htable_entry *e = htable_find(&cell_of, word);
    if (htable_has(&cell_of, e))
        return &cells[e->value];
    if (!make)
        return NULL;
    if (!htable_put(&cell_of, e, word, raddle_sym_cells)) {
        sym_no_room();
        return NULL;
    }
    struct shadow_cell *c = &cells[raddle_sym_cells++];
    *c = (struct shadow_cell){.word = word};
    raddle_sym_filter[word & (SYM_FILTER - 1)] = 1;
    return c;
}

static bool off(void)
{
    return !sym || !rt.active;
}

/* The shadow of a byte that has this value. */
static uint32_t get(uintptr_t at, uint8_t byte)
{
    const struct shadow_cell *c = find(at >> 3, false);
    return c && c->shadow[at & 7] && c->byte[at & 7] == byte ? c->shadow[at & 7] : 0;
}

static void set(uintptr_t at, uint32_t shadow, uint8_t byte)
{
    struct shadow_cell *c = find(at >> 3, shadow != 0);
    if (!c)
        return;
    c->shadow[at & 7] = shadow;
    c->byte[at & 7] = byte;
}

void sym_set_bytes(uintptr_t at, uint32_t size, uint32_t expression)
{
    for (uint32_t i = 0; i < size; i++)
        set(at + i, sym_shadow(expr_extract(&sym->solver.x, expression, 8 * i, 8)),
            *(const uint8_t *)(at + i));
}

RT_EXPORT uint32_t raddle_sym_load(uintptr_t at, uint32_t size, uint64_t value)
{
    uint32_t parts[8], any = 0, e;
    if (off())
        return 0;
    for (uint32_t i = 0; i < size; i++)
        any |= parts[i] = get(at + i, (uint8_t)(value >> 8 * i));
    if (!any)
        return 0;
    e = sym_operand(parts[0], value & 255, 8);
    for (uint32_t i = 1; i < size; i++)
        e = expr_concat(&sym->solver.x, sym_operand(parts[i], value >> 8 * i & 255, 8), e);
    return sym_shadow(e);
}

RT_EXPORT void raddle_sym_store(uintptr_t at, uint32_t size, uint32_t s, uint64_t value)
{
    if (off())
        return;
    if (!s) {
        for (uint32_t i = 0; i < size; i++)
            set(at + i, 0, 0);
        return;
    }
    s = sym_operand(s, value, 8 * size);
    for (uint32_t i = 0; i < size; i++)
        set(at + i, sym_shadow(expr_extract(&sym->solver.x, s, 8 * i, 8)), (uint8_t)(value >> 8 * i));
}

RT_EXPORT void raddle_sym_clear(uintptr_t at, uint64_t size)
{
    if (off() || !raddle_sym_cells)
        return;
    for (uint64_t i = 0; i < size; i++)
        set(at + i, 0, 0);
}

RT_EXPORT void raddle_sym_force_memory(uintptr_t at, uint64_t size)
{
    if (off() || !raddle_sym_cells)
        return;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t byte = *(const uint8_t *)(at + i);
        uint32_t s = get(at + i, byte);
        if (s)
            sym_concretise(s, byte, RT_PC());
    }
}

RT_EXPORT void raddle_sym_output(uint64_t to, uint32_t is_stream, uintptr_t at, uint32_t s, uint64_t size,
                                 uint32_t sn, uint64_t n)
{
    int fd = is_stream ? fileno_unlocked((FILE *)to) : (int)to;
    if (off() || fd == STDOUT_FILENO || fd == STDERR_FILENO)
        return;
    if (s)
        sym_concretise(s, size, RT_PC());
    if (sn)
        sym_concretise(sn, n, RT_PC());
    raddle_sym_force_memory(at, size ? size * n : strlen((const char *)at) + 1);
}

RT_EXPORT void raddle_sym_put(int c)
{
}

#define LOOKED_AT 256

/* Does any of the bytes depend on an input? Only memory that was written is looked at. */
static bool depends(uintptr_t at, uintptr_t size)
{
    for (uintptr_t a = at; a < at + size; a++) {
        const struct shadow_cell *c = find(a >> 3, false);
        if (!c)
            a |= 7;
        else if (c->shadow[a & 7] && c->byte[a & 7] == *(const uint8_t *)a)
            return true;
    }
    return false;
}

/* What is there, or where that points to. The kernel is asked for it, since the pointer may be anything. */
static bool leads_to_inputs(uintptr_t at)
{
    uintptr_t words[LOOKED_AT / sizeof(uintptr_t)];
    struct iovec to = {words, sizeof words}, from = {(void *)(at & ~(uintptr_t)7), sizeof words};
    if (depends(at, LOOKED_AT))
        return true;
    long n = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &to, 1L, &from, 1L, 0L);
    for (long i = 0; i < n / (long)sizeof words[0]; i++)
        if (words[i] && depends(words[i], LOOKED_AT))
            return true;
    return false;
}

/* What is read there is not followed. */
RT_EXPORT void raddle_sym_pointer(uintptr_t callee, uintptr_t at)
{
    if (off() || restart_is_program(callee) || !leads_to_inputs(at))
        return;
    finding_incomplete("memory that depends on inputs was given to a function that was not built with "
                       "--symbolic");
    finding_warn(RT_PC(), "this function was not built with --symbolic: what it reads is not followed");
}

/* After the copy: the bytes are the same at both places, unless these overlap. */
static void copy_byte(uintptr_t to, uintptr_t from)
{
    uint8_t byte = *(const uint8_t *)to;
    set(to, get(from, byte), byte);
}

RT_EXPORT void raddle_sym_copy(uintptr_t to, uintptr_t from, uint64_t size)
{
    if (off() || !raddle_sym_cells || to == from)
        return;
    for (uint64_t i = 0; i < size; i++)
        if (to < from)
            copy_byte(to + i, from + i);
        else
            copy_byte(to + size - 1 - i, from + size - 1 - i);
}

RT_EXPORT void raddle_sym_fill(uintptr_t to, uint64_t size, uint32_t s, uint64_t value)
{
    if (off() || (!s && !raddle_sym_cells))
        return;
    uint32_t byte = s ? sym_shadow(expr_extract(&sym->solver.x, s, 0, 8)) : 0;
    for (uint64_t i = 0; i < size; i++)
        set(to + i, byte, (uint8_t)value);
}

/* ---- atomic operations, after they were performed ----------------------------------------------------- */

RT_EXPORT uint32_t raddle_sym_update(uint32_t op, uintptr_t at, uint32_t size, uint32_t s,
                                     uint64_t value, uint64_t old)
{
    static const uint8_t ops[] = {[SYM_PLUS] = OP_ADD, [SYM_MINUS] = OP_SUB, [SYM_BOTH] = OP_AND,
                                  [SYM_NOT_BOTH] = OP_AND, [SYM_EITHER] = OP_OR, [SYM_DIFFER] = OP_XOR};
    if (off())
        return 0;
    struct exprs *x = &sym->solver.x;
    unsigned width = 8 * size;
    uint32_t before = raddle_sym_load(at, size, old), after = sym_operand(s, value, width);
    if (op != SYM_SET)
        after = expr_binary(x, ops[op], sym_operand(before, old, width), after);
    if (op == SYM_NOT_BOTH)
        after = expr_not(x, after);
    uint64_t now = 0;
    rt_copy(&now, (const void *)at, size);
    raddle_sym_store(at, size, sym_shadow(after), now);
    return before;
}

RT_EXPORT uint32_t raddle_sym_exchange(uintptr_t at, uint32_t size, uint64_t expected, uint32_t sd,
                                       uint64_t desired, uint64_t old)
{
    if (off())
        return 0;
    uint32_t before = raddle_sym_load(at, size, old);
    if (old == expected)
        raddle_sym_store(at, size, sd, desired);
    return before;
}
