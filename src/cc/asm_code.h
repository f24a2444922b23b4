/* The instructions of an asm statement or of an assembly source, as far as other threads care. */
#ifndef CC_ASM_CODE_H
#define CC_ASM_CODE_H

struct asm_code {
    int instructions; /* are there any? */
    int locked;       /* a lock prefix */
    int fences;
    int branches;
    int strange;      /* what cannot be told: memory by other means than operands, calls, … */
    const char *pointer; /* memory addressed as (%1) or (%[name]): behind the percent */
    int pointer_read_only;
    int width; /* bytes, by the suffix of an instruction; 0 = not said */
};

void asm_code_read(struct asm_code *c, const char *text);

#endif
