/* Names for addresses, from the debug information of the modules of a recording (libdw). */
#ifndef REPORT_SYMBOLS_H
#define REPORT_SYMBOLS_H

#include "report/tale.h"

#include <stdbool.h>

struct symbols;

struct place {
    const char *function; /* NULL if unknown; owned by the symbols */
    const char *file;     /* as compiled, made relative to the compilation's directory; or NULL */
    int line;
};

struct symbols *symbols_open(const struct tale *t); /* never NULL */
void symbols_free(struct symbols *s);

/* The frames at a return address, innermost first: more than one where functions were inlined.
 * Returns their number, at least 1 (possibly with nothing known). */
int symbols_frames(struct symbols *s, uint64_t pc, struct place *out, int room);
struct place symbols_place(struct symbols *s, uint64_t pc); /* the innermost outside of raddle.h */
int symbols_in_raddle_h(const struct place *p);

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

#endif
