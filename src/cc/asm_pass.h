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

/* For other passes that compile a source to something else first: flags of the line without its other
 * sources, its output and what says how far to go; those for the rule for make; and a file
 * FOLDER/N/NAME.suffix in the place of the source, in a folder made if there is none yet (NULL: cannot). */
struct pass_words {
    const char **items;
    size_t count, room;
};
void pass_add_flags(const struct cc_line *line, const struct cc_word *source, struct pass_words *into);
void pass_add_rule_flags(const struct cc_line *line, struct pass_words *into);
char *pass_file(char **folder, const struct cc_word *w, size_t number, const char *suffix);

#endif
