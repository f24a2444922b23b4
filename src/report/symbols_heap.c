/* The type of a heap block, which no debug information tells: among the pointers that the functions which
 * allocated or used it have, and the types that they are instances for, those whose target is as large as the
 * block. */
#include "report/symbols_impl.h"

#include <stdlib.h>
#include <string.h>

/* The first name on the way to the type: of "typedef struct {…} box_t" the typedef's. */
static const char *type_name(Dwarf_Die type)
{
    Dwarf_Attribute a;
    const char *name;
    while (!(name = dwarf_diename(&type)))
        if (!dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &a), &type))
            return NULL;
    return name;
}

static int add_type(struct symbols *s, const Dwarf_Die *type, const char *name, uint64_t size)
{
    for (size_t i = 0; i < s->kinds.count; i++)
        if (s->kinds.items[i].size == size && !strcmp(s->kinds.items[i].name, name))
            return (int)i;
    vec_push(&s->kinds, ((struct block_kind){*type, name, size}));
    return (int)s->kinds.count - 1;
}

/* A struct that a block of `size` bytes can be, or be an array of; -1 if it is none. */
static int fitting(struct symbols *s, Dwarf_Die type, uint64_t size)
{
    Dwarf_Die whole = type;
    Dwarf_Word length;
    int opaque = 0;
    const char *name = type_name(type);
    if (!name || name[0] == '_' || symbols_peel(&type, &opaque) ||
        dwarf_aggregate_size(&type, &length) || !length)
        return -1;
    struct place declared = {.file = dwarf_decl_file(&type)};
    int tag = dwarf_tag(&type);
    if (symbols_internal(&declared) || size % length ||
        (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type))
        return -1;
    return add_type(s, &whole, name, length);
}

static int target_of(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    int opaque = 0, tag = dwarf_tag(die);
    if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &a), out))
        return 0;
    if (tag == DW_TAG_template_type_parameter)
        return 1;
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
        return 0;
    if (symbols_peel(out, &opaque) ||
        (dwarf_tag(out) != DW_TAG_pointer_type && dwarf_tag(out) != DW_TAG_reference_type))
        return 0;
    return dwarf_formref_die(dwarf_attr_integrate(out, DW_AT_type, &a), out) != NULL;
}

int symbols_pointees(struct symbols *s, uint64_t pc, uint64_t size, int *out, int room)
{
    const struct scopes *around = symbols_scopes(s, pc);
    Dwarf_Die *scopes = around->items, child, type;
    int count = 0;
    for (int i = 0; i < around->count; i++) {
        if (dwarf_tag(&scopes[i]) == DW_TAG_compile_unit || dwarf_child(&scopes[i], &child))
            continue;
        do {
            int kind = count < room && target_of(&child, &type) ? fitting(s, type, size) : -1;
            if (kind >= 0)
                out[count++] = kind;
        } while (!dwarf_siblingof(&child, &child));
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            break;
    }
    return count;
}

int symbols_pointer_at(struct symbols *s, uint64_t address, uint64_t size)
{
    const struct variable *v = symbols_variable_at(s, address);
    Dwarf_Die type;
    Dwarf_Attribute a;
    if (!v || !symbols_type_inside(v->type, v->offset + (address - v->address), 8, &type) ||
        dwarf_tag(&type) != DW_TAG_pointer_type ||
        !dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &a), &type))
        return -1;
    return fitting(s, type, size);
}

const char *symbols_kind_name(const struct symbols *s, int kind)
{
    return s->kinds.items[kind].name;
}

uint64_t symbols_kind_size(const struct symbols *s, int kind)
{
    return s->kinds.items[kind].size;
}

char *symbols_in_kind(const struct symbols *s, int kind, uint64_t offset, uint64_t whole, uint32_t size)
{
    const struct block_kind *k = &s->kinds.items[kind];
    struct sbuf out = {0};
    if (whole > k->size)
        sbuf_printf(&out, "[%llu]", (unsigned long long)(offset / k->size));
    if (symbols_inside(&out, k->type, offset % k->size, size) && offset % k->size)
        sbuf_printf(&out, "+%llu", (unsigned long long)(offset % k->size));
    return out.s ? out.s : mem_strdup("");
}
