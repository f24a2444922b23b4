/* Text that is not ours (from files, programs, the command line), on its way to a terminal: control
 * characters, what is not UTF-8, and marks that turn the direction of writing are made visible ("\x1b",
 * "\u202e"), so that nobody else decides what the terminal does. Newlines and tabs stay. */
#ifndef BASE_FOREIGN_H
#define BASE_FOREIGN_H

#include "base/error.h"
#include "base/sbuf.h"

#include <stdio.h>

enum foreign_colours { FOREIGN_PLAIN, FOREIGN_COLOURS }; /* may our own colour sequences be in it? */

void foreign_put(struct sbuf *out, const char *text, enum foreign_colours colours);
void foreign_print(FILE *f, const char *text, enum foreign_colours colours);
void foreign_printf(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* For readers: refuses a text with control characters (NUL among them) or what is not UTF-8, naming the
 * place. Carriage returns are allowed, and a byte order mark at the beginning. */
int foreign_refuse(const char *name, const char *text, size_t length, struct error *e);

#endif
