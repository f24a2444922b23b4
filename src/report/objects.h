/* Names for the objects of a sequence, from the program's debug information and symbol table: "full",
 * "fork_of[2].taken", without debug information "fork_of+0x60". Both directions, for a program whose
 * address space is not randomized. */
#ifndef REPORT_OBJECTS_H
#define REPORT_OBJECTS_H

#include "base/error.h"
#include "base/mem.h"
#include "base/sbuf.h"
#include "report/symbols.h"

#include <stdint.h>

struct object_symbol {
    uint64_t address, size;
    char *name;
};

struct objects {
    VEC(struct object_symbol) symbols; /* variables, by address */
    VEC(struct object_symbol) functions;
    uint64_t base; /* where the program is loaded */
    struct tale tale;
    struct symbols *debug; /* its debug information */
};

int objects_open(struct objects *o, const char *program, struct error *e);
void objects_free(struct objects *o);

/* The name, or the address in hexadecimal if it is in no variable. */
void objects_name(const struct objects *o, uint64_t address, struct sbuf *out);
/* Address of "name", "name+0x10" or "0x5555…"; 0 if there is no such variable. */
uint64_t objects_find(const struct objects *o, const char *name);
/* Address of a function; 0 if there is none of that name. */
uint64_t objects_function(const struct objects *o, const char *name);

#endif
