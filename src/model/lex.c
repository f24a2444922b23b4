/* The lexer: one pass over the text, all tokens in one array. Marks are matched longest first. */
#include "model/lex.h"

#include "base/foreign.h"
#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(struct tok) tokens;

struct lex_cursor {
    const char *p;
    int line;
    const char *line_start;
};

int tok_is(const struct tok *t, const char *word)
{
    return t->kind != TOK_COMMENT && t->kind != TOK_STRING && (size_t)t->len == strlen(word) &&
           !strncmp(t->s, word, (size_t)t->len);
}

static void print_line(const struct model_source *src, int line, int col, char *out, size_t size)
{
    const char *p = src->text;
    for (int l = 1; l < line && p; l++) {
        p = strchr(p, '\n');
        p = p ? p + 1 : NULL;
    }
    if (!p)
        return;
    int n = (int)strcspn(p, "\n");
    if (n > 200)
        n = 200;
    int used = snprintf(out, size, "\n  %.*s\n  ", n, p);
    for (int i = 3; i < 3 + n && i < used; i++)
        if (((unsigned char)out[i] < 32 && out[i] != '\t') || out[i] == 127)
            out[i] = '.';
    for (int i = 0; i + 1 < col && i < n && (size_t)used + 2 < size; i++)
        out[used++] = p[i] == '\t' ? '\t' : ' ';
    if ((size_t)used + 2 < size)
        snprintf(out + used, size - (size_t)used, "^");
}

int model_source_error(const struct model_source *src, int line, int col, struct error *e,
                       const char *fmt, ...)
{
    char message[400], shown[600] = "";
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    print_line(src, line, col, shown, sizeof shown);
    return error_set(e, EXIT_USAGE, "%s:%d:%d: %s%s", src->file, line, col, message, shown);
}

static int mark_length(const char *p)
{
    static const char *const marks[] = {"->", "..", "==", "!=", "<=", ">=", "&&", "||", NULL};
    for (int i = 0; marks[i]; i++)
        if (!strncmp(p, marks[i], 2))
            return 2;
    return strchr("{}()[];:,.=<>+-*/%!?@", *p) ? 1 : 0;
}

static int skip_blank(struct lex_cursor *c)
{
    int lines = 0;
    for (; isspace((unsigned char)*c->p); c->p++)
        if (*c->p == '\n') {
            lines++;
            c->line++;
            c->line_start = c->p + 1;
        }
    return lines;
}

/* The length of the token at c, its kind in *kind; -1 when it never ends. */
static int measure(const char *p, enum tok_kind *kind)
{
    int n = 0;
    if (p[0] == '/' && p[1] == '/') {
        *kind = TOK_COMMENT;
        return (int)strcspn(p, "\n");
    }
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        *kind = TOK_COMMENT;
        return end ? (int)(end + 2 - p) : -1;
    }
    if (*p == '"') {
        *kind = TOK_STRING;
        n = 1 + (int)strcspn(p + 1, "\"\n");
        return p[n] == '"' ? n + 1 : -1;
    }
    if (isdigit((unsigned char)*p)) {
        *kind = TOK_NUMBER;
        while (isalnum((unsigned char)p[n]))
            n++;
        return n;
    }
    if (isalpha((unsigned char)*p) || *p == '_') {
        *kind = TOK_NAME;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        return n;
    }
    *kind = TOK_MARK;
    return mark_length(p);
}

static int scan(struct model_source *src, tokens *v, struct error *e)
{
    struct lex_cursor c = {src->text, 1, src->text};
    for (;;) {
        int lines = skip_blank(&c);
        struct tok t = {.s = c.p, .line = c.line, .col = (int)(c.p - c.line_start) + 1};
        t.blanks = lines > 1 ? lines - 1 : 0;
        if (!*c.p) {
            vec_push(v, t);
            return 0;
        }
        t.len = measure(c.p, &t.kind);
        if (t.len < 0)
            return model_source_error(src, t.line, t.col, e, "this %s is never closed",
                                t.kind == TOK_STRING ? "string" : "comment");
        if (t.len == 0)
            return model_source_error(src, t.line, t.col, e, 
                                      (unsigned char)*c.p < 32 || *c.p == 127
                                          ? "unexpected byte 0x%02x"
                                          : "unexpected character '%c'",
                                      (unsigned char)*c.p);
        for (int i = 0; i < t.len; i++)
            if (c.p[i] == '\n') {
                c.line++;
                c.line_start = c.p + i + 1;
            }
        c.p += t.len;
        vec_push(v, t);
    }
}

int model_source_text(struct model_source *src, const char *file, const char *text, struct error *e)
{
    tokens v = {0};
    src->file = file;
    src->text = mem_strdup(text);
    src->toks = NULL;
    int r = scan(src, &v, e);
    src->toks = v.items;
    src->count = v.count;
    if (r)
        model_source_free(src);
    return r;
}

int model_source_read(struct model_source *src, const char *file, struct error *e)
{
    FILE *f = strcmp(file, "-") ? fopen(file, "r") : stdin;
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", file, strerror(errno));
    VEC(char) text = {0};
    int c;
    while ((c = fgetc(f)) != EOF && text.count < (64u << 20))
        vec_push(&text, (char)c);
    int bad = ferror(f);
    if (f != stdin)
        fclose(f);
    vec_push(&text, 0);
    int r = bad ? error_set(e, EXIT_USAGE, "cannot read %s: %s", file, strerror(errno))
            : foreign_refuse(file, text.items, text.count - 1, e)
                ? -1
                : model_source_text(src, file, text.items, e);
    vec_free(&text);
    return r;
}

void model_source_free(struct model_source *src)
{
    free(src->text);
    free(src->toks);
    src->text = NULL;
    src->toks = NULL;
}
