/* What symbols.c and symbols_find.c share. */
#ifndef REPORT_SYMBOLS_IMPL_H
#define REPORT_SYMBOLS_IMPL_H

#include "report/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

struct variable {
    uint64_t address, size;
    const char *name;
    Dwarf_Die type;
    int typed;
};

struct symbols {
    Dwfl *dwfl;
    int gathered;
    VEC(struct variable) variables;
    VEC(char *) paths; /* shortened file names, each once */
};

void symbols_gather(struct symbols *s); /* the global variables, once */

/* The type under typedefs and qualifiers. *opaque: a synchronization object, whose insides are nobody's
 * business. */
int symbols_peel(Dwarf_Die *type, int *opaque);
int symbols_member_offset(Dwarf_Die *member, uint64_t *out);

#endif
