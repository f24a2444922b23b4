/* Global variables, and what lies in a variable. Those of all modules are gathered once, at the first
 * question, into an array sorted by address; the member at an offset is found by walking the variable's
 * type. Members of library classes (std::mutex, …) are called by the name of the whole. */
#include "report/symbols_impl.h"

#include <stdlib.h>
#include <string.h>

int symbols_peel(Dwarf_Die *type, int *opaque)
{
    Dwarf_Attribute a;
    for (;;) {
        int tag = dwarf_tag(type);
        const char *name = dwarf_diename(type);
        if (tag == DW_TAG_typedef && name &&
            (!strncmp(name, "pthread_", 8) || !strcmp(name, "sem_t") || !strcmp(name, "mtx_t") ||
             !strcmp(name, "cnd_t") || !strncmp(name, "raddle_", 7)))
            *opaque = 1;
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
            tag != DW_TAG_atomic_type)
            return 0;
        if (!dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &a), type))
            return -1;
    }
}

/* Where a variable lies: one address, or one for each part (DW_OP_piece) if the compiler took it apart. */
static int address_of(Dwarf_Attribute *a, Dwarf_Op *op, Dwarf_Addr bias, uint64_t *out)
{
    Dwarf_Attribute value;
    Dwarf_Addr address;
    if (op->atom == DW_OP_addr) {
        *out = op->number + bias;
        return 0;
    }
    if (op->atom != DW_OP_addrx || dwarf_getlocation_attr(a, op, &value) ||
        dwarf_formaddr(&value, &address))
        return -1;
    *out = address + bias;
    return 0;
}

static void gather_parts(struct symbols *s, struct variable v, Dwarf_Attribute *a, Dwarf_Addr bias)
{
    Dwarf_Op *ops;
    size_t n;
    uint64_t whole = v.size;
    if (dwarf_getlocation(a, &ops, &n))
        return;
    if (n == 1 && !address_of(a, &ops[0], bias, &v.address)) {
        vec_push(&s->variables, v);
        return;
    }
    for (size_t i = 0; i < n && v.offset < whole; i++) {
        if (ops[i].atom != DW_OP_piece)
            continue;
        v.size = ops[i].number;
        if (i && !address_of(a, &ops[i - 1], bias, &v.address))
            vec_push(&s->variables, v);
        v.offset += v.size;
    }
}

static void gather_variable(struct symbols *s, Dwarf_Die *die, Dwarf_Addr bias)
{
    struct variable v = {0};
    Dwarf_Attribute a;
    Dwarf_Word size;
    v.name = dwarf_diename(die);
    if (!v.name) {
        Dwarf_Die origin;
        if (dwarf_formref_die(dwarf_attr(die, DW_AT_specification, &a), &origin))
            v.name = dwarf_diename(&origin);
    }
    v.typed = dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &a), &v.type) != NULL;
    if (!v.name || !v.typed || dwarf_aggregate_size(&v.type, &size) || !dwarf_attr(die, DW_AT_location, &a))
        return;
    v.size = size;
    gather_parts(s, v, &a, bias);
}

static void gather_children(struct symbols *s, Dwarf_Die *parent, Dwarf_Addr bias)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable)
            gather_variable(s, &die, bias);
        else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace)
            gather_children(s, &die, bias); /* static variables of functions */
    } while (!dwarf_siblingof(&die, &die));
}

static int by_address(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void gather(struct symbols *s)
{
    Dwarf_Die *cu = NULL;
    Dwarf_Addr bias;
    s->gathered = 1;
    while (s->dwfl && (cu = dwfl_nextcu(s->dwfl, cu, &bias)))
        gather_children(s, cu, bias);
    if (s->variables.count)
        qsort(s->variables.items, s->variables.count, sizeof s->variables.items[0], by_address);
}

/* -1 for a static member, which is no part of the objects. */
static int member_offset(Dwarf_Die *member, uint64_t *out)
{
    Dwarf_Attribute a;
    Dwarf_Word value = 0;
    if (dwarf_hasattr(member, DW_AT_external) || dwarf_hasattr(member, DW_AT_declaration))
        return -1;
    if (dwarf_attr(member, DW_AT_data_member_location, &a) && dwarf_formudata(&a, &value))
        return -1;
    *out = value;
    return 0;
}

/* The member that an access of `size` bytes at the offset means: of a union the one of that size. */
static int find_part(Dwarf_Die *type, uint64_t offset, uint32_t size, Dwarf_Die *found, Dwarf_Die *its,
                     uint64_t *start)
{
    Dwarf_Die member, other;
    Dwarf_Attribute a;
    int best = 0;
    if (dwarf_child(type, &member))
        return 0;
    do {
        uint64_t at;
        Dwarf_Word length;
        int tag = dwarf_tag(&member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || member_offset(&member, &at) ||
            !dwarf_formref_die(dwarf_attr_integrate(&member, DW_AT_type, &a), &other) ||
            dwarf_aggregate_size(&other, &length) || offset < at || offset >= at + length)
            continue;
        int fits = 1 + (size > 1 && offset == at && length == size);
        if (fits <= best)
            continue;
        best = fits;
        *found = member;
        *its = other;
        *start = at;
    } while (!dwarf_siblingof(&member, &member));
    return best;
}

static int name_member(struct sbuf *out, Dwarf_Die *type, uint64_t offset, uint32_t size)
{
    Dwarf_Die member, its;
    uint64_t start;
    if (!find_part(type, offset, size, &member, &its, &start))
        return -1;
    const char *name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
    if (name && name[0] == '_' && (name[1] == '_' || name[1] == 'M'))
        return 0; /* insides of a library */
    if (name)
        sbuf_printf(out, ".%s", name);
    return symbols_inside(out, its, offset - start, size);
}

static int name_element(struct sbuf *out, Dwarf_Die *type, uint64_t offset, uint32_t size)
{
    Dwarf_Die its;
    Dwarf_Attribute a;
    Dwarf_Word length;
    if (!dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &a), &its) ||
        dwarf_aggregate_size(&its, &length) || !length)
        return -1;
    sbuf_printf(out, "[%llu]", (unsigned long long)(offset / length));
    return symbols_inside(out, its, offset % length, size);
}

static int is_aggregate(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

int symbols_type_inside(Dwarf_Die type, uint64_t offset, uint32_t size, Dwarf_Die *out)
{
    Dwarf_Die member, its;
    Dwarf_Attribute a;
    Dwarf_Word length;
    uint64_t start;
    int opaque = 0;
    for (;;) {
        if (symbols_peel(&type, &opaque))
            return 0;
        *out = type;
        if (is_aggregate(dwarf_tag(&type))) {
            if (!find_part(&type, offset, size, &member, &its, &start))
                return 0;
            type = its;
            offset -= start;
        } else if (dwarf_tag(&type) == DW_TAG_array_type) {
            if (!dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &a), &its) ||
                dwarf_aggregate_size(&its, &length) || !length)
                return 0;
            type = its;
            offset %= length;
        } else {
            return offset == 0;
        }
    }
}

int symbols_inside(struct sbuf *out, Dwarf_Die type, uint64_t offset, uint32_t size)
{
    int opaque = 0;
    Dwarf_Word length = 0;
    if (symbols_peel(&type, &opaque))
        return -1;
    dwarf_aggregate_size(&type, &length);
    int tag = dwarf_tag(&type);
    int aggregate = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    if (opaque && offset) /* beside it: the free places of a bounded port */
        sbuf_printf(out, "+%llu", (unsigned long long)offset);
    if (opaque)
        return 0;
    if ((size > 1 && offset == 0 && length == size && tag != DW_TAG_array_type && !aggregate))
        return offset ? -1 : 0;
    if (tag == DW_TAG_array_type)
        return name_element(out, &type, offset, size);
    if (aggregate || tag == DW_TAG_union_type)
        return name_member(out, &type, offset, size);
    return offset ? -1 : 0;
}

const struct variable *symbols_variable_at(struct symbols *s, uint64_t address)
{
    if (!s->gathered)
        gather(s);
    size_t low = 0, high = s->variables.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->variables.items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct variable *v = low ? &s->variables.items[low - 1] : NULL;
    return v && address < v->address + v->size ? v : NULL;
}

static char *elf_symbol(struct symbols *s, uint64_t address)
{
    Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, address) : NULL;
    GElf_Off offset;
    GElf_Sym sym;
    const char *name = m ? dwfl_module_addrinfo(m, address, &offset, &sym, NULL, NULL, NULL) : NULL;
    if (!name || offset >= sym.st_size)
        return NULL;
    name = symbols_demangled(s, name);
    return offset ? mem_printf("%s+%llu", name, (unsigned long long)offset) : mem_strdup(name);
}

char *symbols_variable(struct symbols *s, uint64_t address, uint32_t size)
{
    const struct variable *v = symbols_variable_at(s, address);
    if (!v)
        return elf_symbol(s, address);
    struct sbuf out = {0};
    sbuf_puts(&out, v->name);
    size_t length = out.len;
    uint64_t offset = v->offset + (address - v->address);
    if (symbols_inside(&out, v->type, offset, size) && offset) {
        out.s[out.len = length] = 0;
        sbuf_printf(&out, "+%llu", (unsigned long long)offset);
    }
    return out.s;
}

/* ---- the way back ---- */

int symbols_element(Dwarf_Die *type, uint64_t index, uint64_t *address)
{
    Dwarf_Attribute a;
    Dwarf_Word length;
    int opaque = 0;
    if (symbols_peel(type, &opaque) || dwarf_tag(type) != DW_TAG_array_type ||
        !dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &a), type) ||
        dwarf_aggregate_size(type, &length))
        return -1;
    *address += index * length;
    return 0;
}

static int find_member(Dwarf_Die type, const char *name, size_t n, Dwarf_Die *its, uint64_t *offset)
{
    Dwarf_Die member;
    Dwarf_Attribute a;
    int opaque = 0;
    if (symbols_peel(&type, &opaque) || dwarf_child(&type, &member))
        return -1;
    do {
        uint64_t start;
        const char *called = dwarf_diename(&member);
        int tag = dwarf_tag(&member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || member_offset(&member, &start) ||
            !dwarf_formref_die(dwarf_attr_integrate(&member, DW_AT_type, &a), its))
            continue;
        int found = dwarf_hasattr(&member, DW_AT_bit_size);
        if (called ? strlen(called) == n && !strncmp(called, name, n)
                   : (found = find_member(*its, name, n, its, offset)) >= 0) {
            *offset += start;
            return found;
        }
    } while (!dwarf_siblingof(&member, &member));
    return -1;
}

int symbols_member(Dwarf_Die *type, const char *name, size_t length, uint64_t *address)
{
    Dwarf_Die its;
    int found = find_member(*type, name, length, &its, address);
    if (!found)
        *type = its;
    return found;
}

/* "[3].next" within a variable of that type. */
static int walk_path(Dwarf_Die type, const char *path, uint64_t *offset)
{
    char *end;
    while (*path == '[' || *path == '.') {
        if (*path == '.') {
            size_t n = strcspn(path + 1, ".[+");
            if (symbols_member(&type, path + 1, n, offset))
                return -1;
            path += n + 1;
            continue;
        }
        uint64_t index = strtoull(path + 1, &end, 10);
        if (*end != ']' || symbols_element(&type, index, offset))
            return -1;
        path = end + 1;
    }
    if (*path == '+') {
        *offset += strtoull(path + 1, &end, 0);
        path = end;
    }
    return *path ? -1 : 0;
}

uint64_t symbols_address(struct symbols *s, const char *name)
{
    size_t n = strcspn(name, ".[+");
    if (!s->gathered)
        gather(s);
    for (size_t i = 0; i < s->variables.count; i++) {
        const struct variable *v = &s->variables.items[i];
        uint64_t offset = 0;
        if (strlen(v->name) == n && !strncmp(v->name, name, n) && v->typed &&
            !walk_path(v->type, name + n, &offset) && offset - v->offset < v->size)
            return v->address + offset - v->offset;
    }
    return 0;
}
