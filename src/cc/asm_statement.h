/* One inline-assembly statement of preprocessed C or C++: what is written in its parentheses, and what
 * it means to other threads. Knows x86-64 in the AT&T notation that both compilers default to. */
#ifndef CC_ASM_STATEMENT_H
#define CC_ASM_STATEMENT_H

#include "base/mem.h"

enum asm_meaning {
    ASM_NOTHING, /* registers and the own stack only, or a pause: nobody notices */
    ASM_FENCE,
    ASM_LOAD,    /* reads `place`, which is all the memory it touches */
    ASM_STORE,
    ASM_UPDATE,  /* may do both */
    ASM_UNKNOWN, /* touches memory that cannot be told, loops, calls, … */
};

struct asm_operand {
    char *name;       /* of [name], or NULL */
    char *constraint; /* without quotes */
    char *expression; /* without the outer parentheses */
    int output;
};

struct asm_statement {
    char *code; /* the instructions */
    VEC(struct asm_operand) operands;
    int extended; /* has a colon: stands in a function and may be instrumented */
    int jumps;    /* asm goto */

    enum asm_meaning meaning;
    char *address; /* LOAD, STORE, UPDATE: C expressions of the place and its size */
    char *size;
};

/* Reads what stands between the parentheses, text[0 … n). */
void asm_statement_read(struct asm_statement *s, const char *text, size_t n);
void asm_statement_free(struct asm_statement *s);

/* Are there instructions in the text of an assembly source that others could notice? */
int asm_code_matters(const char *code);

/* The first character behind the literal (string, character, comment, line marker) at p, or p. */
const char *asm_skip_literal(const char *start, const char *p, const char *end);

#endif
