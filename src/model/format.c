/* Works on tokens, so that it cannot change what a model means: line breaks after ; { } and where
 * the author broke a long line, spaces by the kind of the two neighbours. Braces that stood on one
 * line with at most one statement inside (enumerations, records, short blocks) stay so. */
#include "model/format.h"

#include <string.h>

enum { INDENT = 4 };

struct layout {
    const struct model_source *src;
    struct sbuf *b;
    int depth, inline_depth; /* inline_depth: within { … } on one line */
    int line_start;
    int parens;
};

static int is_inline_group(const struct model_source *src, size_t open)
{
    for (size_t i = open + 1; i < src->count; i++) {
        const struct tok *t = &src->toks[i];
        if (tok_is(t, "}"))
            return i > open + 1 && t->line == src->toks[open].line;
        if (t->kind == TOK_COMMENT || tok_is(t, "->") || tok_is(t, "{") ||
            (tok_is(t, ";") && !tok_is(t + 1, "}")))
            return 0;
    }
    return 0;
}

static void newline(struct layout *l)
{
    if (!l->line_start)
        sbuf_putc(l->b, '\n');
    l->line_start = 1;
}

static int is_binary_minus(const struct tok *before)
{
    return before->kind == TOK_NAME
               ? !tok_is(before, "when") && !tok_is(before, "in") && !tok_is(before, "if") &&
                     !tok_is(before, "assert")
               : before->kind == TOK_NUMBER || tok_is(before, ")") || tok_is(before, "]");
}

static int is_unary(const struct model_source *src, size_t i)
{
    const struct tok *t = &src->toks[i];
    if (tok_is(t, "!"))
        return 1;
    return tok_is(t, "-") && (i == 0 || !is_binary_minus(&src->toks[i - 1]));
}

static int is_pattern_equals(const struct model_source *src, size_t i)
{
    return tok_is(&src->toks[i], "=") && i > 0 &&
           (tok_is(&src->toks[i - 1], "(") || tok_is(&src->toks[i - 1], ","));
}

static int is_call_or_index(const struct tok *a, const struct tok *b)
{
    static const char *const words[] = {"when", "if", "assert", "in", "of", "to", "from", NULL};
    if (!tok_is(b, "(") && !tok_is(b, "["))
        return 0;
    for (int i = 0; words[i]; i++)
        if (tok_is(a, words[i]))
            return 0;
    return a->kind == TOK_NAME || tok_is(a, "]") || tok_is(a, ")");
}

static int in_conditional(const struct model_source *src, size_t colon)
{
    for (size_t i = colon; i-- > 0;) {
        if (tok_is(&src->toks[i], "?"))
            return 1;
        if (tok_is(&src->toks[i], ";") || tok_is(&src->toks[i], "{") || tok_is(&src->toks[i], "}"))
            return 0;
    }
    return 0;
}

/* Is there a space between token i-1 and token i of the same line? */
static int spaced(const struct model_source *src, size_t i)
{
    const struct tok *a = &src->toks[i - 1], *b = &src->toks[i];
    static const char *const tight_before[] = {";", ",", ")", "]", ".", "..", "@", NULL};
    static const char *const tight_after[] = {"(", "[", ".", "..", "@", NULL};
    for (int k = 0; tight_before[k]; k++)
        if (tok_is(b, tight_before[k]))
            return 0;
    for (int k = 0; tight_after[k]; k++)
        if (tok_is(a, tight_after[k]))
            return 0;
    if (tok_is(b, ":"))
        return in_conditional(src, i);
    return !is_call_or_index(a, b) && !is_unary(src, i - 1) && !is_pattern_equals(src, i - 1);
}

static void put(struct layout *l, size_t i)
{
    const struct tok *t = &l->src->toks[i];
    if (l->line_start) {
        if (t->blanks && l->b->len && !tok_is(t, "}") &&
            !(l->b->len > 1 && l->b->s[l->b->len - 2] == '{'))
            sbuf_putc(l->b, '\n');
        sbuf_pad(l->b, ' ', (size_t)(l->depth > 0 ? l->depth * INDENT : 0));
    } else if (i > 0 && t->line > t[-1].line && !tok_is(t, "{") && !tok_is(t, "}")) {
        sbuf_putc(l->b, '\n'); /* a long line, broken by its author */
        sbuf_pad(l->b, ' ', (size_t)((l->depth + 1) * INDENT));
    } else if (i > 0 && spaced(l->src, i)) {
        sbuf_putc(l->b, ' ');
    }
    sbuf_add(l->b, t->s, (size_t)t->len);
    l->line_start = 0;
}

static void comment(struct layout *l, size_t i)
{
    const struct tok *t = &l->src->toks[i];
    int trailing = i > 0 && t[-1].line == t->line && l->b->len;
    if (trailing && l->line_start) { /* back to the end of the line just ended */
        l->b->s[--l->b->len] = 0;
        l->line_start = 0;
    } else if (!trailing) {
        newline(l);
    }
    if (trailing)
        sbuf_putc(l->b, ' ');
    else if (t->blanks && l->b->len)
        sbuf_putc(l->b, '\n');
    if (!trailing)
        sbuf_pad(l->b, ' ', (size_t)(l->depth * INDENT));
    sbuf_add(l->b, t->s, (size_t)t->len);
    l->line_start = 0;
    newline(l);
}

/* After "}": does the line go on (else, the target of a transition)? */
static int continues(const struct tok *next)
{
    return tok_is(next, "else") || tok_is(next, "->") || tok_is(next, ";");
}

static void close_brace(struct layout *l, size_t i)
{
    if (l->inline_depth) {
        l->inline_depth--;
        put(l, i);
        if (!l->inline_depth && !continues(&l->src->toks[i + 1]))
            newline(l);
        return;
    }
    newline(l);
    l->depth--;
    put(l, i);
    if (!continues(&l->src->toks[i + 1]))
        newline(l);
}

static void open_brace(struct layout *l, size_t i)
{
    put(l, i);
    if (l->inline_depth || is_inline_group(l->src, i)) {
        l->inline_depth++;
        return;
    }
    l->depth++;
    newline(l);
}

void format_source(const struct model_source *src, struct sbuf *b)
{
    struct layout l = {.src = src, .b = b, .line_start = 1};
    for (size_t i = 0; i + 1 < src->count; i++) {
        const struct tok *t = &src->toks[i];
        if (t->kind == TOK_COMMENT) {
            comment(&l, i);
        } else if (tok_is(t, "{")) {
            open_brace(&l, i);
        } else if (tok_is(t, "}")) {
            close_brace(&l, i);
        } else {
            put(&l, i);
            if (tok_is(t, ";") && !l.inline_depth)
                newline(&l);
        }
    }
    newline(&l);
}
