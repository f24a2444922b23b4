/* From names of variables to addresses and types, and from lines of files to addresses. */
#include "report/symbols_impl.h"

#include <stdlib.h>
#include <string.h>

/* "[3].next" within a type, which becomes that of what is there. Otherwise as symbols_member(). */
static int walk_path(Dwarf_Die *type, const char *path, uint64_t *offset)
{
    char *end;
    int opaque = 0, found;
    Dwarf_Word whole;
    while (*path == '[' || *path == '.') {
        if (*path == '.') {
            size_t n = strcspn(path + 1, ".[+");
            if ((found = symbols_member(type, path + 1, n, offset)) != 0)
                return found;
            path += n + 1;
            continue;
        }
        uint64_t index = strtoull(path + 1, &end, 10), start = *offset;
        if (symbols_peel(type, &opaque) || dwarf_aggregate_size(type, &whole) || *end != ']' ||
            end == path + 1 || symbols_element(type, index, offset) || *offset - start >= whole)
            return -1;
        path = end + 1;
    }
    return *path ? -1 : 0;
}

static enum symbols_kind classify(Dwarf_Die type, struct symbols_typed *out)
{
    int opaque = 0;
    Dwarf_Attribute a;
    Dwarf_Word encoding = DW_ATE_unsigned, size = 0;
    if (symbols_peel(&type, &opaque) || dwarf_aggregate_size(&type, &size) || opaque)
        return SYMBOLS_AGGREGATE;
    int tag = dwarf_tag(&type);
    if (tag == DW_TAG_enumeration_type && dwarf_attr(&type, DW_AT_type, &a))
        dwarf_formref_die(&a, &type);
    else if (tag != DW_TAG_base_type && tag != DW_TAG_pointer_type && tag != DW_TAG_enumeration_type)
        return SYMBOLS_AGGREGATE;
    if (dwarf_attr(&type, DW_AT_encoding, &a))
        dwarf_formudata(&a, &encoding);
    if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float || size > 8)
        return SYMBOLS_FLOATING;
    out->size = (unsigned)size;
    out->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    return SYMBOLS_INTEGER;
}

/* Is there a variable of this name inside of a function? */
static bool is_local(Dwarf_Die *parent, const char *name, size_t n, bool inside)
{
    Dwarf_Die die;
    if (dwarf_child(parent, &die))
        return false;
    do {
        int tag = dwarf_tag(&die);
        const char *called = dwarf_diename(&die);
        if (inside && (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && called &&
            strlen(called) == n && !strncmp(called, name, n))
            return true;
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) && is_local(&die, name, n, true))
            return true;
    } while (!dwarf_siblingof(&die, &die));
    return false;
}

enum symbols_kind symbols_typed(struct symbols *s, const char *name, struct symbols_typed *out)
{
    size_t n = strcspn(name, ".[+");
    bool known = false, bits = false;
    enum symbols_kind found = SYMBOLS_NONE;
    Dwarf_Die *cu = NULL;
    Dwarf_Addr bias;
    (void)symbols_variable_at(s, 0); /* gathers them */
    for (size_t i = 0; i < s->variables.count; i++) {
        const struct variable *v = &s->variables.items[i];
        uint64_t offset = 0;
        Dwarf_Die type = v->type;
        if (strlen(v->name) != n || strncmp(v->name, name, n))
            continue;
        known = true;
        int walked = walk_path(&type, name + n, &offset);
        bits |= walked > 0;
        if (walked || offset - v->offset >= v->size)
            continue;
        uint64_t address = v->address + offset - v->offset;
        if (found != SYMBOLS_NONE && out->address != address)
            return SYMBOLS_SEVERAL;
        out->address = address;
        found = classify(type, out);
    }
    if (found != SYMBOLS_NONE)
        return found;
    while (!known && s->dwfl && (cu = dwfl_nextcu(s->dwfl, cu, &bias)))
        if (is_local(cu, name, n, false))
            return SYMBOLS_LOCAL;
    return bits ? SYMBOLS_BITS : known ? SYMBOLS_PART : SYMBOLS_NONE;
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && !strcmp(path + n - m, end) && (n == m || path[n - m - 1] == '/');
}

int symbols_line(struct symbols *s, const char *file, int line, struct symbols_range *out, int room)
{
    Dwarf_Die *cu = NULL;
    Dwarf_Addr bias, low, high;
    int count = 0, number;
    while (s->dwfl && (cu = dwfl_nextcu(s->dwfl, cu, &bias))) {
        Dwarf_Lines *lines;
        size_t n = 0;
        if (dwarf_getsrclines(cu, &lines, &n))
            continue;
        for (size_t i = 0; i + 1 < n && count < room; i++) {
            Dwarf_Line *l = dwarf_onesrcline(lines, i);
            const char *path = dwarf_linesrc(l, NULL, NULL);
            if (!dwarf_lineno(l, &number) && number == line && path && ends_with(path, file) &&
                !dwarf_lineaddr(l, &low) &&
                !dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &high) && low < high)
                out[count++] = (struct symbols_range){low + bias, high + bias};
        }
    }
    return count;
}
