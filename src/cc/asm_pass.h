/* The pass over the sources of a command line that finds inline assembly and assembly files. */
#ifndef CC_ASM_PASS_H
#define CC_ASM_PASS_H

#include "cc/cmdline.h"
#include "cc/compiler.h"

/* Sets `instead` of the words whose source must be compiled in an instrumented form. Returns the folder
 * that holds these, to be removed after the compilation, or NULL if there are none. `words` are what the
 * driver adds for compiling (headers, macros). */
char *asm_pass(struct cc_line *line, const struct compiler *c, const char *const *words);
void asm_pass_remove(char *folder);

#endif
