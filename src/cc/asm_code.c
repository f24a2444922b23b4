/* Instructions in AT&T notation, one after the other. Operands written with a bracket "disp(base)" are
 * memory; the stack ("(%rsp)") is the thread's own; "(%1)" is a pointer the program passed in. An
 * update of nothing at the top of the stack under lock is the old way to write a fence. */
#include "cc/asm_code.h"

#include <ctype.h>
#include <string.h>

/* Instructions that concern nobody else, whatever their operands are. */
static const char *const harmless[] = {
    "nop",  "nopw", "nopl",   "pause",   "cpuid", "rdtsc", "rdtscp",  "lea",    "leaq",  "leal",
    "leaw", "ud2",  "endbr64", "prefetch", "prefetcht0", "prefetcht1", "prefetcht2",
    "prefetchnta", "prefetchw", "syscall", "ret",  "retq", "leave",   "clflush", "clflushopt", NULL};
/* (A system call is seen by the runtime, and so is the clock of the processor.) */

static const char *const fences[] = {"mfence", "lfence", "sfence", NULL};

/* Memory that is not an operand, other control, other sources of input. */
static const char *const strange[] = {
    "movsb", "movsw", "movsq", "stosb", "stosw", "stosl", "stosq", "cmpsb", "cmpsw", "cmpsq",
    "scasb", "scasw", "scasl", "scasq", "lodsb", "lodsw", "lodsl", "lodsq", "xlat",  "xlatb",
    "call",  "callq", "int",   "sysenter", "hlt", "rdrand", "rdrandl", "rdrandq", "rdseed",
    "rdseedl", "rdseedq", "xbegin", "xend", "xabort", "monitor", "mwait", "umonitor", "umwait",
    "tpause", "cli", "sti", "maskmovdqu", NULL};

static const char *const prefixes[] = {"rep",  "repe", "repz", "repne", "repnz", "notrack",
                                       "bnd", "addr32", "data16", "xacquire", "xrelease", NULL};

static int is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return 1;
    return 0;
}

static int is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The word at *p, in lower case; *p moves behind it. */
static void take_word(const char **p, const char *end, char *word, size_t room)
{
    size_t n = 0;
    for (; *p < end && is_name(**p); ++*p)
        if (n + 1 < room)
            word[n++] = (char)tolower((unsigned char)**p);
    word[n] = 0;
}

static int width_of(const char *word)
{
    char last = word[0] ? word[strlen(word) - 1] : 0;
    return last == 'b' ? 1 : last == 'w' ? 2 : last == 'l' ? 4 : last == 'q' ? 8 : 0;
}

static int begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Is the bracket at p around the stack pointer or the frame pointer? */
static int is_stack(const char *p)
{
    p += 1 + strspn(p + 1, " ");
    p += *p == '%';
    p += *p == '%';
    return begins(p, "rsp") || begins(p, "esp") || begins(p, "rbp");
}

/* One memory operand, its bracket at p; `last` says that it is the destination. */
static void take_memory(struct asm_code *c, const char *word, const char *start, const char *p,
                        int last)
{
    if (is_stack(p))
        return;
    int plain = p[1] == '%' && (isdigit((unsigned char)p[2]) || p[2] == '[');
    const char *close = plain ? strchr(p, ')') : NULL;
    int displaced = p > start && is_name(p[-1]) && !(p[-1] == '0' && !is_name(p[-2]));
    int same = c->pointer && close && !strncmp(c->pointer, p + 2, (size_t)(close - p - 1));
    if (!close || displaced || memchr(p, ',', (size_t)(close - p)) || (c->pointer && !same)) {
        c->strange = 1;
        return;
    }
    c->pointer_read_only = (c->pointer ? c->pointer_read_only : 1) && !last;
    c->pointer = p + 2;
    if (!c->width)
        c->width = width_of(word);
}

static void take_operands(struct asm_code *c, const char *word, const char *p, const char *end)
{
    const char *start = p;
    int fresh = 1; /* at the beginning of an operand */
    for (; p < end; p++) {
        if (*p == '[' && (p < start + 2 || (p[-1] != '%' && p[-2] != '%')))
            c->strange = 1; /* Intel notation */
        if (fresh && !c->branches && (isalpha((unsigned char)*p) || *p == '_'))
            c->strange = 1; /* a variable by its name */
        fresh = *p == ',' || (fresh && isspace((unsigned char)*p));
        if (*p != '(')
            continue;
        const char *close = memchr(p, ')', (size_t)(end - p));
        take_memory(c, word, start, p, c->locked || !close || !memchr(close, ',', (size_t)(end - close)));
        p = close ? close : end - 1;
    }
}

static void take_instruction(struct asm_code *c, const char *p, const char *end)
{
    char word[32];
    int lock = 0;
    for (;;) {
        while (p < end && (isspace((unsigned char)*p) || *p == '{' || *p == '}'))
            p++;
        take_word(&p, end, word, sizeof word);
        if (p < end && *p == ':' && word[0]) {
            p++; /* a label */
            continue;
        }
        if (!strcmp(word, "lock"))
            lock = 1;
        else if (!word[0] || !is_one_of(word, prefixes))
            break;
    }
    if (!word[0]) {
        c->locked |= lock; /* "lock;" and then the instruction */
        c->strange |= p < end && *p != '#' && *p != '/';
        return;
    }
    if (word[0] == '.') { /* a directive; bytes may be any instruction */
        static const char *const bytes[] = {".byte", ".word", ".long", ".quad", ".insn", NULL};
        c->strange |= is_one_of(word, bytes);
        c->instructions |= c->strange;
        return;
    }
    c->instructions = 1;
    int to_stack = memchr(p, '(', (size_t)(end - p)) &&
                   is_stack(memchr(p, '(', (size_t)(end - p)));
    if ((lock || c->locked) && to_stack && (begins(word, "add") || begins(word, "or"))) {
        c->locked = 0;
        c->fences = 1;
        return;
    }
    c->locked |= lock;
    c->branches |= word[0] == 'j' || begins(word, "loop");
    c->fences |= is_one_of(word, fences);
    c->strange |= is_one_of(word, strange);
    if (!is_one_of(word, harmless))
        take_operands(c, word, p, end);
}

void asm_code_read(struct asm_code *c, const char *text)
{
    *c = (struct asm_code){0};
    for (const char *p = text; *p;) {
        const char *end = p + strcspn(p, ";\n");
        const char *comment = memchr(p, '#', (size_t)(end - p));
        take_instruction(c, p, comment ? comment : end);
        p = comment ? comment + strcspn(comment, "\n") : end;
        p += *p != 0;
    }
}
