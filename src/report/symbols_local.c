/* Variables of functions: where they lie in a frame whose registers are known. A location that is a place on
 * the stack is told relative to the frame pointer, the stack pointer or the frame's own base; a register has
 * the address that recordings tell it at (trace/story.h). */
#include "report/symbols_impl.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 64

/* The scopes with the address, outermost first. A function can lie in the entry of another one whose code it
 * is not part of: a lambda. */
static int walk(Dwarf_Die *parent, Dwarf_Addr at, Dwarf_Die *path, int depth)
{
    Dwarf_Die die;
    if (depth == DEEPEST || dwarf_child(parent, &die))
        return depth;
    do {
        int tag = dwarf_tag(&die), found = depth;
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) {
            int here = dwarf_haspc(&die, at) > 0;
            if (here)
                path[depth] = die;
            if (here || tag != DW_TAG_inlined_subroutine)
                found = walk(&die, at, path, depth + here);
        } else if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
            found = walk(&die, at, path, depth);
        }
        if (found > depth)
            return found;
    } while (!dwarf_siblingof(&die, &die));
    return depth;
}

static int walk_scopes(Dwarf_Die *cu, Dwarf_Addr at, Dwarf_Die **out)
{
    Dwarf_Die path[DEEPEST];
    int n = walk(cu, at, path, 0);
    *out = mem_alloc((size_t)(n + 1) * sizeof **out);
    for (int i = 0; i < n; i++)
        (*out)[i] = path[n - 1 - i];
    return n;
}

static int has_function(Dwarf_Die *scopes, int n)
{
    for (int i = 0; i < n; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            return 1;
    return 0;
}

static int find_scopes(struct symbols *s, uint64_t pc, Dwarf_Die **out, Dwarf_Addr *bias)
{
    Dwarf_Addr at = pc ? pc - 1 : 0;
    Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, at) : NULL;
    Dwarf_Die *cu = m ? symbols_unit(m, at, bias) : NULL, *scopes = NULL;
    /* The scopes around an inlined function are those of its definition; what it is inlined into are those
     * around its entry in the debug information. */
    int n = cu && dwarf_getscopes(cu, at - *bias, &scopes) > 0 ? dwarf_getscopes_die(scopes, out) : 0;
    free(scopes);
    if (!cu || (n > 0 && has_function(*out, n)))
        return n > 0 ? n : 0;
    if (n > 0)
        free(*out);
    return walk_scopes(cu, at - *bias, out);
}

const struct scopes *symbols_scopes(struct symbols *s, uint64_t pc)
{
    if (!s->scopes)
        s->scopes = mem_alloc(SYMBOLS_PLACES * sizeof *s->scopes);
    struct scopes **at = &s->scopes[symbols_hash(pc)];
    while (*at && (*at)->pc != pc)
        at = &(*at)->next;
    if (!*at) {
        *at = mem_alloc(sizeof **at);
        (*at)->pc = pc;
        (*at)->count = find_scopes(s, pc, &(*at)->items, &(*at)->bias);
    }
    return *at;
}

void symbols_scopes_free(struct symbols *s)
{
    for (int i = 0; s->scopes && i < SYMBOLS_PLACES; i++)
        for (struct scopes *k = s->scopes[i], *next; k; k = next) {
            next = k->next;
            free(k->items);
            free(k);
        }
    free(s->scopes);
}

/* The value of the frame base of a function; 0 if it is not known. */
static uint64_t frame_base(Dwarf_Die *function, const struct story_frame *f)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr(function, DW_AT_frame_base, &a) || dwarf_getlocation(&a, &ops, &n) || n != 1)
        return 0;
    if (ops[0].atom == DW_OP_reg6)
        return f->base;
    if (ops[0].atom == DW_OP_reg7)
        return f->sp;
    return ops[0].atom == DW_OP_call_frame_cfa ? f->base + 16 : 0;
}

/* Where a variable is: 0: not in memory, NOWHERE: the compiler does not say. */
#define NOWHERE (~0ull)

static uint64_t variable_place(Dwarf_Die *variable, const struct story_frame *f, uint64_t base, Dwarf_Addr pc)
{
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t n;
    if (!dwarf_attr(variable, DW_AT_location, &a) || dwarf_getlocation_addr(&a, pc, &ops, &n, 1) != 1)
        return NOWHERE;
    if (n != 1) /* a value is told, which may be an old one: optimised code */
        return ops[n - 1].atom == DW_OP_stack_value ? NOWHERE : 0;
    if (ops[0].atom >= DW_OP_reg0 && ops[0].atom < DW_OP_reg0 + STORY_REGISTERS)
        return STORY_REGISTERS_AT + 8 * (uint64_t)(ops[0].atom - DW_OP_reg0);
    switch (ops[0].atom) {
    case DW_OP_fbreg:
        return base ? base + ops[0].number : 0;
    case DW_OP_breg6:
        return f->base + ops[0].number;
    case DW_OP_breg7:
        return f->sp + ops[0].number;
    default:
        return 0;
    }
}

/* Calls `found` for every variable on the stack that is visible at the frame's place, until it returns 1. */
struct visible {
    const char *name;
    uint64_t address, size;
    Dwarf_Die type;
};

static int each_local(struct symbols *s, const struct story_frame *f,
                      int (*found)(const struct visible *l, void *arg), void *arg)
{
    const struct scopes *around = symbols_scopes(s, f->pc);
    Dwarf_Die *scopes = around->items, child;
    Dwarf_Attribute a;
    Dwarf_Word size;
    int n = around->count, done = 0, last = 0;
    while (last < n && dwarf_tag(&scopes[last]) != DW_TAG_subprogram)
        last++;
    uint64_t base = last < n ? frame_base(&scopes[last], f) : 0;
    for (int i = 0; i <= last && i < n && !done; i++) {
        if (dwarf_child(&scopes[i], &child))
            continue;
        do {
            int tag = dwarf_tag(&child);
            if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
                continue;
            struct visible l = {.name = dwarf_diename(&child),
                              .address = variable_place(&child, f, base, f->pc - 1 - around->bias)};
            if (!l.name || !l.address ||
                !dwarf_formref_die(dwarf_attr_integrate(&child, DW_AT_type, &a), &l.type) ||
                dwarf_aggregate_size(&l.type, &size))
                continue;
            l.size = size;
            done = found(&l, arg);
        } while (!done && !dwarf_siblingof(&child, &child));
    }
    return done;
}

struct local_at {
    uint64_t address;
    uint32_t size;
    struct sbuf name;
    const char *lost; /* one of that size that the compiler gives no place */
    int lost_count;
};

static int name_local(const struct visible *l, void *arg)
{
    struct local_at *w = arg;
    if (l->address == NOWHERE && (l->size == w->size || !w->size)) {
        w->lost = l->name;
        w->lost_count++;
    }
    if (l->address == NOWHERE || w->address < l->address || w->address - l->address >= l->size)
        return 0;
    sbuf_puts(&w->name, l->name);
    size_t length = w->name.len;
    if (symbols_inside(&w->name, l->type, w->address - l->address, w->size) && w->address != l->address) {
        w->name.s[w->name.len = length] = 0;
        sbuf_printf(&w->name, "+%llu", (unsigned long long)(w->address - l->address));
    }
    return 1;
}

char *symbols_local(struct symbols *s, const struct story_frame *f, uint64_t address, uint32_t size)
{
    struct local_at w = {.address = address, .size = size};
    each_local(s, f, name_local, &w);
    if (!w.name.s && w.lost_count == 1) /* optimised code: it can only be this one */
        sbuf_puts(&w.name, w.lost);
    return w.name.s;
}

struct local_called {
    const char *name;
    size_t length;
    struct symbols_value *out;
    int lost; /* there is one, but nothing says where */
};

static int find_local(const struct visible *l, void *arg)
{
    struct local_called *w = arg;
    if (strlen(l->name) != w->length || strncmp(l->name, w->name, w->length))
        return 0;
    w->lost |= l->address == NOWHERE;
    if (l->address == NOWHERE)
        return 0;
    w->out->address = l->address;
    w->out->type = l->type;
    return 1;
}

/* ---- what an expression of the program speaks of ---- */

static int is_pointer(int tag)
{
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

/* Scalars only: what is shown is one value. */
static int is_scalar(struct symbols_value *v)
{
    Dwarf_Die type = v->type;
    Dwarf_Word size;
    int opaque = 0;
    if (symbols_peel(&type, &opaque) || opaque || dwarf_aggregate_size(&type, &size) || size > 8)
        return 0;
    int tag = dwarf_tag(&type);
    v->size = (uint32_t)size;
    return tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type || is_pointer(tag);
}

/* Follows a pointer: the value of v is where it goes on. */
static int follow(struct symbols_value *v, symbols_read *read, void *arg)
{
    Dwarf_Die type = v->type;
    Dwarf_Attribute a;
    int opaque = 0;
    uint64_t target;
    if (symbols_peel(&type, &opaque) || !is_pointer(dwarf_tag(&type)) || !read(arg, v->address, 8, &target) ||
        !dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &a), &v->type))
        return 0;
    v->address = target;
    return 1;
}

static int start(struct symbols *s, const struct story_frame *f, const char *name, size_t length,
                 struct symbols_value *out, int *lost)
{
    struct local_called w = {name, length, out, 0};
    int local = f && each_local(s, f, find_local, &w);
    *lost = !local && w.lost;
    if (local || w.lost)
        return local;
    symbols_variable_at(s, 0); /* they are gathered now */
    for (size_t i = 0; i < s->variables.count; i++) {
        const struct variable *v = &s->variables.items[i];
        if (strlen(v->name) == length && !strncmp(v->name, name, length)) {
            out->address = v->address - v->offset;
            out->type = v->type;
            return 1;
        }
    }
    return 0;
}

static size_t word(const char *p)
{
    return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

size_t symbols_operand(struct symbols *s, const struct story_frame *f, const char *text, symbols_read *read,
                       void *arg, struct symbols_operand *found)
{
    struct symbols_value value = {0}, *out = &value;
    size_t n = word(text);
    int lost = 0, known = start(s, f, text, n, out, &lost), reference = 0;
    const char *p = text + n;
    for (;;) {
        Dwarf_Die type = out->type;
        int opaque = 0;
        size_t k = 0;
        if (known && !symbols_peel(&type, &opaque) && dwarf_tag(&type) == DW_TAG_reference_type &&
            !reference++)
            known = follow(out, read, arg);
        if (p[0] == '-' && p[1] == '>' && (k = word(p + 2))) {
            known = known && follow(out, read, arg);
            p += 2;
        } else if (p[0] == '.' && (k = word(p + 1))) {
            p += 1;
        } else if (p[0] == '[' && (k = strspn(p + 1, "0123456789")) && p[k + 1] == ']') {
            known = known && !symbols_element(&out->type, strtoull(p + 1, NULL, 10), &out->address);
            p += k + 2;
            continue;
        } else {
            break;
        }
        known = known && !symbols_member(&out->type, p, k, &out->address);
        p += k;
    }
    known = known && is_scalar(out);
    *found = (struct symbols_operand){out->address, out->size, known, lost};
    return (size_t)(p - text);
}
