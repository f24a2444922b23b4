/* ACTS XML. The reader walks the tags of the file once; of XML it knows elements, attributes,
 * the five entities, numeric references, comments, declarations and CDATA, which is all that ACTS
 * writes. What it keeps:
 *   <Parameter name=… type=…><values>, <basechoices>, <invalidValues>   parameters
 *   <Relation Strength=… Default=…><Parameter name=…/>                   relations
 *   <Constraint text=…>                                                  constraints
 *   <Testset><Testcase><Value>                                           seeds
 * A relation adds to what is asked for with -t; it never lowers it. */
#include "pairs/acts.h"

#include "base/sbuf.h"
#include "pairs/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_NESTING 32

struct xml {
    struct pairs_model *m;
    const struct pairs_source *s;
    struct error *e;
    size_t at;
    char *path[MAX_NESTING]; /* names of the open elements, in lower case */
    int depth;
    struct sbuf text;         /* since the last tag */
    VEC(size_t) places;       /* of the parameters */
    VEC(struct pairs_source) texts; /* of the constraints: parsed when all parameters are known */
    VEC(size_t) text_places;
    VEC(char *) values; /* of the current test case */
    VEC(char *) bases;  /* of the current parameter */
};

static int inside(const struct xml *x, const char *name)
{
    for (int i = 0; i < x->depth; i++)
        if (!strcmp(x->path[i], name))
            return 1;
    return 0;
}

static void decode(struct sbuf *out, const char *p, size_t n)
{
    static const struct {
        const char *name;
        char c;
    } entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < n;) {
        size_t k = 0, count = sizeof entities / sizeof entities[0];
        while (k < count && strncmp(p + i, entities[k].name, strlen(entities[k].name)))
            k++;
        if (k < count) {
            sbuf_putc(out, entities[k].c);
            i += strlen(entities[k].name);
        } else if (!strncmp(p + i, "&#", 2) && isdigit((unsigned char)p[i + 2])) {
            char *end;
            long c = strtol(p + i + 2, &end, 10);
            sbuf_putc(out, (char)(c > 0 && c < 128 ? c : '?'));
            i = (size_t)(end - p) + (*end == ';');
        } else {
            sbuf_putc(out, p[i++]);
        }
    }
}

/* The value of an attribute of the tag text[from, to), or NULL; *where is its offset. */
static char *attribute(const struct xml *x, size_t from, size_t to, const char *name, size_t *where)
{
    size_t n = strlen(name);
    for (size_t i = from + 1; i + n < to; i++) {
        const char *p = x->s->text + i;
        if (!isspace((unsigned char)p[-1]) || strncasecmp(p, name, n))
            continue;
        size_t k = i + n;
        while (k < to && (isspace((unsigned char)x->s->text[k]) || x->s->text[k] == '='))
            k++;
        char quote = x->s->text[k];
        if (k >= to || (quote != '"' && quote != '\''))
            continue;
        const char *end = memchr(x->s->text + k + 1, quote, to - k - 1);
        if (!end)
            return NULL;
        struct sbuf out = {0};
        decode(&out, x->s->text + k + 1, (size_t)(end - (x->s->text + k + 1)));
        if (where)
            *where = k + 1;
        return out.s ? out.s : mem_strdup("");
    }
    return NULL;
}

static int open_parameter(struct xml *x, size_t from, size_t to)
{
    char *name = attribute(x, from, to, "name", NULL);
    if (!name)
        return pairs_source_error(x->s, from, x->e, "this <Parameter> has no name");
    int bad = 0;
    if (inside(x, "relation")) {
        struct pairs_relation *r = &x->m->relations.items[x->m->relations.count - 1];
        int at = pairs_find_param(x->m, name);
        if (at < 0)
            bad = pairs_source_error(x->s, from, x->e, "no parameter is called '%s'", name);
        for (int i = 0; !bad && i < r->count; i++)
            at = r->params[i] == at ? -1 : at;
        if (!bad && at >= 0)
            r->params[r->count++] = at;
    } else if (!inside(x, "constraint") && inside(x, "parameters")) {
        pairs_add_param(x->m, name, strlen(name));
        vec_push(&x->places, from);
    }
    free(name);
    return bad;
}

static int open_relation(struct xml *x, size_t from, size_t to)
{
    size_t where = from;
    char *strength = attribute(x, from, to, "strength", &where);
    long s = strength ? strtol(strength, NULL, 10) : 0;
    free(strength);
    if (s < 1 || s > PAIRS_MAX_STRENGTH)
        return pairs_source_error(x->s, where, x->e, "the strength of a relation is 1 to %d",
                            PAIRS_MAX_STRENGTH);
    struct pairs_relation r = {.strength = (int)s, .anchor = -1, .adds = 1};
    r.params = mem_alloc(sizeof(int) * (x->m->params.count + 1));
    vec_push(&x->m->relations, r);
    return 0;
}

static int open_constraint(struct xml *x, size_t from, size_t to)
{
    size_t where = from;
    char *text = attribute(x, from, to, "text", &where);
    if (!text)
        return pairs_source_error(x->s, from, x->e, "this <Constraint> has no text");
    struct pairs_source s;
    pairs_source_copy(&s, x->s->name, text, strlen(text));
    free(text);
    vec_push(&x->texts, s);
    vec_push(&x->text_places, where);
    return 0;
}

static int add_plain_value(struct xml *x, const char *text, int negative)
{
    if (x->m->params.count == 0)
        return 0;
    struct pairs_param *p = &x->m->params.items[x->m->params.count - 1];
    if (p->count >= PAIRS_MAX_VALUES)
        return pairs_source_error(x->s, x->at, x->e, "parameter '%s' has more than %d values", p->name,
                            PAIRS_MAX_VALUES);
    struct pairs_value *v = pairs_add_value(p, text, strlen(text));
    pairs_add_shown(v, text, strlen(text));
    v->negative = negative;
    return 0;
}

static void free_strings(char **items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(items[i]);
}

static void close_testcase(struct xml *x)
{
    size_t n = x->m->params.count;
    int16_t *row = mem_alloc(sizeof *row * (n + 1));
    for (size_t i = 0; i < n; i++) {
        int v = i < x->values.count ? pairs_find_value(x->m, (int)i, x->values.items[i]) : -1;
        row[i] = (int16_t)v;
    }
    vec_push(&x->m->seeds, row);
    free_strings(x->values.items, x->values.count);
    x->values.count = 0;
}

static void close_parameter(struct xml *x)
{
    size_t n = x->m->params.count;
    if (n && !inside(x, "relation") && x->bases.count) {
        int v = pairs_find_value(x->m, (int)n - 1, x->bases.items[0]);
        if (v >= 0)
            x->m->params.items[n - 1].base = v;
    }
    free_strings(x->bases.items, x->bases.count);
    x->bases.count = 0;
}

static int close_element(struct xml *x, const char *name)
{
    const char *text = sbuf_str(&x->text);
    int in_parameters =
        inside(x, "parameters") && !inside(x, "relation") && !inside(x, "constraint");
    if (!strcmp(name, "value") && inside(x, "testcase"))
        vec_push(&x->values, mem_strdup(text));
    else if (!strcmp(name, "value") && in_parameters && inside(x, "values"))
        return add_plain_value(x, text, 0);
    else if (!strcmp(name, "invalidvalue") && in_parameters)
        return add_plain_value(x, text, 1);
    else if (!strcmp(name, "basechoice") && in_parameters)
        vec_push(&x->bases, mem_strdup(text));
    else if (!strcmp(name, "testcase"))
        close_testcase(x);
    else if (!strcmp(name, "parameter"))
        close_parameter(x);
    return 0;
}

static int open_element(struct xml *x, const char *name, size_t from, size_t to)
{
    if (!strcmp(name, "parameter"))
        return open_parameter(x, from, to);
    if (!strcmp(name, "relation"))
        return open_relation(x, from, to);
    if (!strcmp(name, "constraint"))
        return open_constraint(x, from, to);
    return 0;
}

/* Skips <!-- -->, <? ?>, <! >, takes CDATA as text. Returns 1 if there was one, -1 on error. */
static int skip_special(struct xml *x)
{
    static const struct {
        const char *open, *close;
    } kinds[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
    const char *p = x->s->text + x->at;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strncmp(p, kinds[i].open, strlen(kinds[i].open)))
            continue;
        const char *end = strstr(p, kinds[i].close);
        if (!end)
            return pairs_source_error(x->s, x->at, x->e, "this '%s' is not closed", kinds[i].open);
        if (i == 1)
            sbuf_add(&x->text, p + 9, (size_t)(end - p - 9));
        x->at += (size_t)(end - p) + strlen(kinds[i].close);
        return 1;
    }
    return 0;
}

static size_t tag_end(const struct xml *x)
{
    char quote = 0;
    for (size_t i = x->at; i < x->s->length; i++) {
        char c = x->s->text[i];
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '>')
            return i;
    }
    return 0;
}

static char *tag_name(const struct xml *x, size_t from)
{
    size_t n = 0;
    while (isalnum((unsigned char)x->s->text[from + n]) || strchr("_-:.", x->s->text[from + n])) {
        if (!x->s->text[from + n])
            break;
        n++;
    }
    char *name = mem_strndup(x->s->text + from, n);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return name;
}

static int close_tag(struct xml *x, size_t from)
{
    char *name = tag_name(x, from + 2);
    int bad = 0;
    if (x->depth == 0 || strcmp(x->path[x->depth - 1], name))
        bad = pairs_source_error(x->s, from, x->e, "</%s> closes nothing", name);
    else
        bad = close_element(x, name);
    if (!bad)
        free(x->path[--x->depth]);
    free(name);
    return bad;
}

static int parse_tag(struct xml *x)
{
    size_t from = x->at, end = tag_end(x);
    if (!end)
        return pairs_source_error(x->s, from, x->e, "this tag is not closed");
    x->at = end + 1;
    if (x->s->text[from + 1] == '/') {
        int bad = close_tag(x, from);
        x->text.len = 0;
        return bad;
    }
    char *name = tag_name(x, from + 1);
    if (!*name || x->depth == MAX_NESTING) {
        free(name);
        return pairs_source_error(x->s, from, x->e, "this is not an element of an ACTS file");
    }
    int bad = open_element(x, name, from, end);
    x->path[x->depth++] = name;
    x->text.len = 0;
    if (!bad && x->s->text[end - 1] == '/') {
        bad = close_element(x, name);
        free(x->path[--x->depth]);
    }
    return bad;
}

static int walk(struct xml *x)
{
    while (x->at < x->s->length) {
        if (x->s->text[x->at] != '<') {
            size_t from = x->at;
            while (x->at < x->s->length && x->s->text[x->at] != '<')
                x->at++;
            decode(&x->text, x->s->text + from, x->at - from);
            continue;
        }
        int special = skip_special(x);
        if (special < 0 || (special == 0 && parse_tag(x)))
            return -1;
    }
    if (x->depth)
        return pairs_source_error(x->s, x->s->length, x->e, "<%s> is not closed", x->path[x->depth - 1]);
    return 0;
}

/* Constraint texts are parsed on their own; an error is told at the place of the attribute. */
static int parse_texts(struct xml *x)
{
    for (size_t i = 0; i < x->texts.count; i++) {
        struct error inner = {0};
        size_t at = 0;
        int column;
        struct pairs_constraint c = {
            .expr = parse_constraint(x->m, &x->texts.items[i], &at, 1, &inner)};
        if (!c.expr) {
            const char *message = strstr(inner.what, ": ");
            return pairs_source_error(x->s, x->text_places.items[i] + at, x->e, "in this constraint: %s",
                                message ? message + 2 : inner.what);
        }
        pairs_source_position(x->s, x->text_places.items[i], &c.line, &column);
        c.text = mem_strdup(x->texts.items[i].text);
        vec_push(&x->m->constraints, c);
    }
    return 0;
}

/* Pairs of all parameters are what -t asks for at least (or, with -t 1, are not wanted). */
static void drop_needless_relations(struct pairs_model *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->relations.count; i++) {
        struct pairs_relation *r = &m->relations.items[i];
        if (r->strength > r->count)
            r->strength = r->count;
        int is_default = r->strength <= 2 && (size_t)r->count == m->params.count;
        if (r->count && !is_default)
            m->relations.items[kept++] = *r;
        else
            free(r->params);
    }
    m->relations.count = kept;
}

int acts_parse(struct pairs_model *m, const struct pairs_source *s, const struct pairs_read_options *o,
               struct error *e)
{
    struct xml x = {.m = m, .s = s, .e = e};
    if (!strncmp(s->text, "\xef\xbb\xbf", 3))
        x.at = 3;
    m->case_sensitive = 1;
    int bad = walk(&x) || parse_validate(m, s, x.places.items, e);
    if (!bad) {
        pairs_end_params(m, o);
        drop_needless_relations(m);
        bad = parse_texts(&x);
    }
    while (x.depth)
        free(x.path[--x.depth]);
    for (size_t i = 0; i < x.texts.count; i++)
        pairs_source_free(&x.texts.items[i]);
    free_strings(x.values.items, x.values.count);
    free_strings(x.bases.items, x.bases.count);
    vec_free(&x.texts);
    vec_free(&x.text_places);
    vec_free(&x.places);
    vec_free(&x.values);
    vec_free(&x.bases);
    sbuf_free(&x.text);
    return bad ? -1 : 0;
}
