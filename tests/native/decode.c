/* Reads what `objdump -d -w` writes and decodes the same bytes: lengths, where jumps and calls lead, and
 * whether an instruction ends a path must agree; of what is not known there may be little. */
#include "rt/code/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of "call 1234 <f>": the address; 0: it is not a direct jump or call. */
static unsigned long direct_target(const char *text)
{
    bool jumps = text[0] == 'j' || !strncmp(text, "call ", 5) || !strncmp(text, "bnd jmp ", 8);
    const char *operand = strrchr(text, '<');
    if (!jumps || !operand || strchr(text, '*'))
        return 0;
    while (operand[-1] == ' ')
        operand--;
    while (operand[-1] != ' ')
        operand--;
    return strtoul(operand, NULL, 16);
}

static int check(unsigned long at, const unsigned char *bytes, unsigned length, const char *text,
                 int *unknown)
{
    struct instruction i;
    /* targets are relative to where the bytes are */
    bool known = decode(bytes, length, &i);
    *unknown += !known;
    if (!known)
        return 0;
    unsigned long target = i.target ? i.target - (unsigned long)bytes + at : 0;
    bool returns = !strncmp(text, "ret", 3) || !strncmp(text, "repz ret", 8);
    if (i.length == length && target == direct_target(text) && returns == (i.flow == FLOW_RETURN))
        return 0;
    printf("# %lx %s: length %u, not %u; target %lx, not %lx\n", at, text, i.length, length, target,
           direct_target(text));
    return 1;
}

int main(void)
{
    char line[1024];
    int total = 0, wrong = 0, unknown = 0;
    while (fgets(line, sizeof line, stdin)) {
        unsigned char bytes[16 + 16] = {0};
        unsigned length = 0;
        char *p, *text;
        unsigned long at = strtoul(line, &p, 16);
        if (p[0] != ':' || p[1] != '\t' || !(text = strchr(p + 2, '\t')))
            continue;
        for (p += 2; p < text && length < 16; p += 3)
            if (*p != ' ')
                bytes[length++] = (unsigned char)strtoul(p, NULL, 16);
        text[strcspn(text, "\n")] = 0;
        if (strstr(text, "(bad)"))
            continue;
        total++;
        wrong += check(at, bytes, length, text + 1, &unknown);
    }
    printf("%d instructions, %d wrong, %d not known\n", total, wrong, unknown);
    return !total || wrong || unknown > total / 20;
}
