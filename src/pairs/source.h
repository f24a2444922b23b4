/* A text being parsed, and errors that point into it: "model.pict:3:12: message", the line itself
 * and a caret below the place. The text is owned by the source. */
#ifndef PAIRS_SOURCE_H
#define PAIRS_SOURCE_H

#include "base/error.h"

#include <stddef.h>

struct pairs_source {
    char *name;
    char *text; /* always ends with a 0 byte after `length` bytes */
    size_t length;
};

/* Reads a whole file ("-" is standard input); -1 with e filled (status EXIT_USAGE). */
int pairs_source_read(struct pairs_source *s, const char *path, struct error *e);
void pairs_source_copy(struct pairs_source *s, const char *name, const char *text, size_t length);
void pairs_source_free(struct pairs_source *s);

/* Line and column (both from 1, columns counted in UTF-8 characters) of an offset. */
void pairs_source_position(const struct pairs_source *s, size_t at, int *line, int *column);

/* Fills e with EXIT_USAGE and the place; returns -1. */
int pairs_source_error(const struct pairs_source *s, size_t at, struct error *e, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
