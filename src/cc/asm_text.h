/* Inline assembly in preprocessed C or C++: the text again, with calls to the runtime around each
 * statement that other threads could notice; and in functions that are atomic sections. */
#ifndef CC_ASM_TEXT_H
#define CC_ASM_TEXT_H

#include "base/sbuf.h"

/* Writes the instrumented text; returns how many places matter (with none, use the original). */
int asm_text_instrument(struct sbuf *out, const char *text, size_t n, int cplusplus);

/* An assembly source: the text again with a note that it is linked in; 0 if it does not matter. */
int asm_text_note(struct sbuf *out, const char *text, size_t n, const char *name);

#endif
