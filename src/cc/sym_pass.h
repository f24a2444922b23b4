/* raddle cc --symbolic: each source is compiled to bitcode with the flags of the command line, rewritten
 * (src/rewrite/), and the command goes on with the result. */
#ifndef CC_SYM_PASS_H
#define CC_SYM_PASS_H

#include "base/dirs.h"
#include "cc/cmdline.h"
#include "cc/compiler.h"

/* The clang that the rewriter belongs to, or an error that says what to install. */
int sym_pass_compiler(struct compiler *c, int cplusplus, struct error *e);
int sym_pass_check(const struct dirs *d, struct error *e); /* is the rewriter there? */

/* Sets `instead` of the sources. 0, or the exit status of the compiler, which has said why. A source that
 * cannot be rewritten is noted, and the whole command goes on without. */
int sym_pass(struct cc_line *line, const struct compiler *c, const struct dirs *d,
             const char *const *words, char **folder);

#endif
