/* What the two halves of the parser share: the token stream and the error raised by the first
 * problem (later ones would only follow from it). */
#ifndef MODEL_PARSE_H
#define MODEL_PARSE_H

#include "model/ast.h"

#include <setjmp.h>

struct parser {
    const struct model_source *src;
    const struct tok *t; /* the next token; never a comment */
    struct error *e;
    jmp_buf fail;
};

struct tok parse_next(struct parser *p);
int model_parse_take(struct parser *p, const char *word); /* consumes it if it is next */
struct tok parse_expect(struct parser *p, const char *word, const char *where);
char *parse_name(struct parser *p, const char *what);
void model_parse_fail(struct parser *p, const struct tok *at, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

struct ex *parse_expr(struct parser *p);
struct ex *parse_additive(struct parser *p); /* no comparison: bounds of a range */
void parse_args(struct parser *p, ex_list *into, int patterns); /* "( … )" */
void parse_block(struct parser *p, st_list *into);              /* "{ … }" */
struct ty *parse_type(struct parser *p);

#endif
