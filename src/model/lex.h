/* Words of the model language (docs/model.md). The list keeps comments, so that the formatter can
 * print them; the parser skips them. Token text points into the source, which must outlive it. */
#ifndef MODEL_LEX_H
#define MODEL_LEX_H

#include "base/error.h"

#include <stddef.h>

enum tok_kind { TOK_END, TOK_NAME, TOK_NUMBER, TOK_STRING, TOK_MARK, TOK_COMMENT };

struct tok {
    enum tok_kind kind;
    const char *s; /* in the source, not terminated */
    int len;
    int line, col; /* from 1 */
    int blanks;    /* empty lines before it */
};

struct model_source {
    const char *file; /* for messages */
    char *text;
    struct tok *toks; /* the last is TOK_END */
    size_t count;
};

int model_source_read(struct model_source *src, const char *file, struct error *e);
/* The same from text (copied). */
int model_source_text(struct model_source *src, const char *file, const char *text, struct error *e);
void model_source_free(struct model_source *src);

int tok_is(const struct tok *t, const char *word);

/* "file:line:col: message", the line and a caret under it; returns -1. */
int model_source_error(const struct model_source *src, int line, int col, struct error *e,
                       const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

#endif
