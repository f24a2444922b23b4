/* Names for addresses, from the debug information of the modules of a recording (libdw). */
#ifndef REPORT_SYMBOLS_H
#define REPORT_SYMBOLS_H

#include "report/tale.h"

#include <stdbool.h>

struct symbols;

struct place {
    const char *function; /* NULL if unknown; owned by the symbols */
    const char *file;     /* as compiled, made relative to the compilation's directory; or NULL */
    const char *source;   /* the same with its whole path */
    int line;
};

struct symbols *symbols_open(const struct tale *t); /* never NULL */
void symbols_free(struct symbols *s);

/* The frames at a return address, innermost first: more than one where functions were inlined.
 * Returns their number, at least 1 (possibly with nothing known). */
int symbols_frames(struct symbols *s, uint64_t pc, struct place *out, int room);
struct place symbols_place(struct symbols *s, uint64_t pc); /* the innermost that is not internal */
int symbols_internal(const struct place *p); /* in raddle.h, a header of the system, or rewrite/libc*.c */

/* "queue.items[3].next" for an address in a global variable (allocated); NULL if it is in none. A
 * access of `size` bytes picks the member of that size. */
char *symbols_variable(struct symbols *s, uint64_t address, uint32_t size);
/* The way back; 0 if there is no such variable. */
uint64_t symbols_address(struct symbols *s, const char *name);

/* What a name is: a part of a global variable with its type, or why not. */
enum symbols_kind {
    SYMBOLS_INTEGER,
    SYMBOLS_NONE,
    SYMBOLS_LOCAL,
    SYMBOLS_PART,
    SYMBOLS_BITS,
    SYMBOLS_SEVERAL,
    SYMBOLS_AGGREGATE,
    SYMBOLS_FLOATING
};
struct symbols_typed {
    uint64_t address;
    unsigned size; /* bytes */
    bool is_signed;
};
enum symbols_kind symbols_typed(struct symbols *s, const char *name, struct symbols_typed *out);

/* The code of a line of a file, which may be given by the end of its path: how many ranges of addresses. */
struct symbols_range {
    uint64_t low, high;
};
int symbols_line(struct symbols *s, const char *file, int line, struct symbols_range *out, int room);

/* The same for a variable on the stack, in the function of a frame. */
char *symbols_local(struct symbols *s, const struct story_frame *f, uint64_t address, uint32_t size);

/* The operand that an expression begins with, "box->items[3].full": its length, and what it is: an
 * address, its size, and whether it is one value in memory. Pointers on the way are read with `read`
 * (0: not known). The names are those of the frame's function, or global ones. */
struct symbols_operand {
    uint64_t address;
    uint32_t size;
    int known;
    int lost; /* it is a variable there, but optimised code does not say where its value is */
};
typedef int symbols_read(void *arg, uint64_t address, uint32_t size, uint64_t *value);
size_t symbols_operand(struct symbols *s, const struct story_frame *f, const char *text, symbols_read *read,
                       void *arg, struct symbols_operand *out);

/* Types that heap blocks may have, by number. Those that functions around a code address point to, with
 * a size that divides the block's; that which the pointer in a global variable points to (-1: none). */
int symbols_pointees(struct symbols *s, uint64_t pc, uint64_t size, int *out, int room);
int symbols_pointer_at(struct symbols *s, uint64_t address, uint64_t size);
const char *symbols_kind_name(const struct symbols *s, int kind);
uint64_t symbols_kind_size(const struct symbols *s, int kind);
/* ".full" or "[2].full": what lies at an offset of a block of `whole` bytes (allocated). */
char *symbols_in_kind(const struct symbols *s, int kind, uint64_t offset, uint64_t whole, uint32_t size);

#endif
