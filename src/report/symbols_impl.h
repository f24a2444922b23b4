/* What the parts of the symbols share: code (symbols.c), global variables and what lies in them
 * (symbols_data.c), variables of functions (symbols_local.c), types of heap blocks (symbols_heap.c). */
#ifndef REPORT_SYMBOLS_IMPL_H
#define REPORT_SYMBOLS_IMPL_H

#include "base/sbuf.h"
#include "report/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#define SYMBOLS_PLACES 4096

/* A global variable, or a part of one that the compiler keeps by itself. */
struct variable {
    uint64_t address, size;
    uint64_t offset; /* of the part */
    const char *name;
    Dwarf_Die type;
    int typed;
};

/* A type that heap blocks have. */
struct block_kind {
    Dwarf_Die type;
    const char *name;
    uint64_t size;
};

struct known_place {
    uint64_t pc;
    struct place place;
};

/* The functions and blocks around a code address, innermost first. */
struct scopes {
    struct scopes *next; /* with the same hash */
    uint64_t pc;
    Dwarf_Addr bias;
    int count;
    Dwarf_Die *items;
};

struct symbols {
    Dwfl *dwfl;
    int gathered;
    VEC(struct variable) variables;
    VEC(struct block_kind) kinds;
    VEC(char *) paths; /* shortened file names and other texts, each once */
    struct known_place *places; /* [SYMBOLS_PLACES], by a hash of the pc */
    struct scopes **scopes;     /* the same */
};

static inline size_t symbols_hash(uint64_t pc)
{
    return (pc * 0x9e3779b97f4a7c15ull >> 40) % SYMBOLS_PLACES;
}

const char *symbols_keep(struct symbols *s, const char *text);
const char *symbols_demangled(struct symbols *s, const char *name);
int symbols_is_function(Dwarf_Die *d);
Dwarf_Die *symbols_unit(Dwfl_Module *m, Dwarf_Addr at, Dwarf_Addr *bias);

/* The type under typedefs and qualifiers. *opaque: a synchronization object, whose insides are nobody's
 * business. */
int symbols_peel(Dwarf_Die *type, int *opaque);
/* ".next" or "[3].next" for what lies at an offset of a type; -1 if nothing does. */
int symbols_inside(struct sbuf *out, Dwarf_Die type, uint64_t offset, uint32_t size);
/* The type of what lies there; 0 if there is none. */
int symbols_type_inside(Dwarf_Die type, uint64_t offset, uint32_t size, Dwarf_Die *out);
/* The variable at an address, or NULL. */
const struct variable *symbols_variable_at(struct symbols *s, uint64_t address);
/* One step of the way into a type: its member of that name, its element; `address` moves on. -1: none; 1: a
 * member that is a bit-field, which has no address. */
int symbols_member(Dwarf_Die *type, const char *name, size_t length, uint64_t *address);
int symbols_element(Dwarf_Die *type, uint64_t index, uint64_t *address);

/* What an expression of the program speaks of: its address and type, and whether it is one known value. */
struct symbols_value {
    uint64_t address;
    Dwarf_Die type;
    uint32_t size;
};
/* They are looked for once: that goes through the whole unit, and units of C++ are large. */
const struct scopes *symbols_scopes(struct symbols *s, uint64_t pc);
void symbols_scopes_free(struct symbols *s);

#endif
