/* What becomes of  asm volatile("lock; incl %0" : "+m"(*p));
 *     { raddle_rt_asm(&(*p), sizeof(*p), 3); asm …; raddle_rt_asm_done(); }
 * on the same line, so that the decision who runs is taken before the instruction and the runtime sees
 * what it did; in between no other thread runs. The forms:
 *   raddle_rt_asm(place, size, 1 reads | 2 writes), raddle_rt_asm_done()
 *   __tsan_atomic_thread_fence(5)        before a fence
 *   raddle_rt_asm_unknown(), …_done()    around what cannot be told: named when it is executed
 * Assembly outside of functions, without operands, and in files of its own cannot be wrapped. A
 * constructor tells the runtime that it is there.
 *
 * And a function named __VERIFIER_atomic_*, which nobody may interrupt (rt/abi/svcomp.c), tells the
 * runtime when it begins and, however it is left, when it ends: by SECTION_VARIABLE, its first one.
 *
 * asm is also written behind declarations, to give a symbol another name: then it follows a name or a
 * bracket, and has neither operands nor blanks in its string. */
#include "cc/asm_text.h"

#include "cc/asm_statement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    struct sbuf *out;
    const char *start, *end;
    const char *copied; /* up to here the text is in out */
    char before;        /* the last character that is not blank */
    int found;
    VEC(char *) notes;  /* line markers of assembly that cannot be wrapped */
    const char *marker; /* the last line marker */
};

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static int word_is(const char *p, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && !strncmp(p, *list, n))
            return 1;
    return 0;
}

/* Blanks and line markers. */
static const char *skip_blank(const struct walk *w, const char *p)
{
    for (; p < w->end; p++)
        if (*p == '#' && p > w->start && p[-1] == '\n')
            p = asm_skip_literal(w->start, p, w->end) - 1;
        else if (!isspace((unsigned char)*p))
            break;
    return p;
}

static const char *skip_word(const struct walk *w, const char *p)
{
    while (p < w->end && is_word(*p))
        p++;
    return p;
}

/* From the opening bracket at p to behind the closing one. */
static const char *skip_brackets(const struct walk *w, const char *p)
{
    int depth = 0;
    while (p < w->end) {
        const char *next = asm_skip_literal(w->start, p, w->end);
        if (next != p) {
            p = next;
            continue;
        }
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        p++;
        if (!depth)
            return p;
    }
    return w->end;
}

static void copy_to(struct walk *w, const char *p)
{
    sbuf_add(w->out, w->copied, (size_t)(p - w->copied));
    w->copied = p;
}

/* "# 12 \"file.c\"" for the place p. */
static char *marker_of(const struct walk *w, const char *p)
{
    if (!w->marker)
        return mem_strdup("# 1 \"assembly\"");
    const char *line = memchr(w->marker, '\n', (size_t)(w->end - w->marker)) + 1;
    const char *quote = strchr(w->marker, '"'), *close = quote ? strchr(quote + 1, '"') : NULL;
    long n = atol(w->marker + 1);
    for (; line < p; line++)
        n += *line == '\n';
    return quote && close ? mem_printf("# %ld %.*s", n, (int)(close + 1 - quote), quote)
                          : mem_strdup("# 1 \"assembly\"");
}

static void wrap(struct walk *w, const struct asm_statement *s, const char *from, const char *semicolon)
{
    static const int access[] = {[ASM_LOAD] = 1, [ASM_STORE] = 2, [ASM_UPDATE] = 3};
    copy_to(w, from);
    if (s->meaning == ASM_FENCE)
        sbuf_puts(w->out, "{ __tsan_atomic_thread_fence(5); ");
    else if (s->meaning == ASM_UNKNOWN)
        sbuf_puts(w->out, "{ raddle_rt_asm_unknown(); ");
    else
        sbuf_printf(w->out, "{ raddle_rt_asm((const volatile void *)(%s), %s, %d); ", s->address, s->size,
                    access[s->meaning]);
    copy_to(w, semicolon + 1);
    sbuf_puts(w->out, s->meaning == ASM_FENCE ? " }" : " raddle_rt_asm_done(); }");
    w->found++;
}

/* Is it a symbol's name behind a declaration? */
static int names_symbol(const struct walk *w, const struct asm_statement *s)
{
    return !s->extended && (w->before == ')' || is_word(w->before)) && !strpbrk(s->code, " \t\n;%");
}

/* The keyword stands at p; returns where to go on. */
static const char *take_asm(struct walk *w, const char *p, const char *behind)
{
    const char *open = behind;
    while (open = skip_blank(w, open), open < w->end && is_word(*open))
        open = skip_word(w, open); /* volatile, goto, inline */
    if (open == w->end || *open != '(')
        return behind;
    const char *close = skip_brackets(w, open), *semicolon = skip_blank(w, close);
    struct asm_statement s;
    asm_statement_read(&s, open + 1, (size_t)(close - open - 2));
    if (s.extended && s.meaning != ASM_NOTHING && semicolon < w->end && *semicolon == ';') {
        wrap(w, &s, p, semicolon);
        close = semicolon;
    } else if (!s.extended && !names_symbol(w, &s) && asm_code_matters(s.code)) {
        vec_push(&w->notes, marker_of(w, p));
        w->found++;
    }
    asm_statement_free(&s);
    return close;
}

#define SECTION_PREFIX "__VERIFIER_atomic_"
#define SECTION_VARIABLE                                                                           \
    " __attribute__((unused, cleanup(raddle_rt_section_ends))) char raddle_section = "             \
    "raddle_rt_section_begins();"

/* Does the function have a body? Then a pointer behind its opening brace; p stands behind its name. */
static const char *body_of(const struct walk *w, const char *p)
{
    static const char *const attributes[] = {"__attribute__", "__attribute", "noexcept", "__THROW", NULL};
    if ((p = skip_blank(w, p)) == w->end || *p != '(')
        return NULL;
    p = skip_blank(w, skip_brackets(w, p));
    while (p < w->end && is_word(*p)) {
        const char *behind = skip_word(w, p);
        if (!word_is(p, (size_t)(behind - p), attributes))
            return NULL;
        p = skip_blank(w, behind);
        if (p < w->end && *p == '(')
            p = skip_blank(w, skip_brackets(w, p));
    }
    return p < w->end && *p == '{' ? p + 1 : NULL;
}

static int is_section(const char *p, size_t n)
{
    static const char *const others[] = {SECTION_PREFIX "begin", SECTION_PREFIX "end", NULL};
    return n >= sizeof SECTION_PREFIX - 1 && !strncmp(p, SECTION_PREFIX, sizeof SECTION_PREFIX - 1) &&
           !word_is(p, n, others);
}

static const char *take_section(struct walk *w, const char *behind)
{
    const char *body = body_of(w, behind);
    if (!body)
        return behind;
    copy_to(w, body);
    sbuf_puts(w->out, SECTION_VARIABLE);
    w->found++;
    return body;
}

static const char *take_word(struct walk *w, const char *p)
{
    static const char *const keywords[] = {"asm", "__asm__", "__asm", NULL};
    const char *behind = skip_word(w, p);
    if (is_section(p, (size_t)(behind - p)))
        behind = take_section(w, behind);
    else if (word_is(p, (size_t)(behind - p), keywords))
        behind = take_asm(w, p, behind);
    w->before = behind[-1];
    return behind;
}

static void walk(struct walk *w)
{
    for (const char *p = w->start; p < w->end;) {
        const char *next = asm_skip_literal(w->start, p, w->end);
        if (next != p) {
            if (*p == '#' && p[1] == ' ')
                w->marker = p;
            else
                w->before = '"';
            p = next;
        } else if (is_word(*p)) {
            p = take_word(w, p);
        } else {
            w->before = isspace((unsigned char)*p) ? w->before : *p;
            p++;
        }
    }
    copy_to(w, w->end);
}

static void add_notes(struct walk *w, int cplusplus)
{
    for (size_t i = 0; i < w->notes.count; i++) {
        sbuf_printf(w->out,
                    "\n%s\n%s __attribute__((constructor)) static void raddle_asm_note_%zu(void) "
                    "{ raddle_rt_asm_linked(); }\n",
                    w->notes.items[i], cplusplus ? "namespace {" : "", i);
        sbuf_puts(w->out, cplusplus ? "}\n" : "");
        free(w->notes.items[i]);
    }
    vec_free(&w->notes);
}

int asm_text_instrument(struct sbuf *out, const char *text, size_t n, int cplusplus)
{
    struct walk w = {.out = out, .start = text, .end = text + n, .copied = text, .before = ';'};
    const char *linkage = cplusplus ? "extern \"C\" " : "extern ";
    static const char *const calls[] = {
        "void raddle_rt_asm(const volatile void *, unsigned long, int);",
        "void raddle_rt_asm_unknown(void);", "void raddle_rt_asm_done(void);",
        "void raddle_rt_asm_linked(void);", "void __tsan_atomic_thread_fence(int);",
        "char raddle_rt_section_begins(void);", "void raddle_rt_section_ends(char *);"};
    /* The first line marker names the source in the debug information; another one follows. */
    const char *line = n && *text == '#' ? memchr(text, '\n', n) : NULL;
    if (line)
        copy_to(&w, line + 1);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        sbuf_printf(out, "%s%s ", linkage, calls[i]);
    sbuf_puts(out, "\n");
    walk(&w);
    add_notes(&w, cplusplus);
    return w.found;
}

int asm_text_note(struct sbuf *out, const char *text, size_t n, const char *name)
{
    char *code = mem_strndup(text, n);
    int matters = asm_code_matters(code);
    free(code);
    if (!matters)
        return 0;
    sbuf_printf(out, "# 1 \"%s\"\n", name);
    sbuf_add(out, text, n);
    sbuf_printf(out,
                "\n# 1 \"%s\"\n\t.text\nraddle_asm_note:\n\tsubq $8, %%rsp\n"
                "\tcall raddle_rt_asm_linked@PLT\n\taddq $8, %%rsp\n\tret\n"
                "\t.section .init_array,\"aw\"\n\t.balign 8\n\t.quad raddle_asm_note\n\t.text\n",
                name);
    return 1;
}
