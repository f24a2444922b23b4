/* Models in memory: building, looking up, freeing. Names are compared without regard to case unless
 * the model is case sensitive, as PICT does. */
#include "pairs/model.h"

#include "pairs/acts.h"
#include "pairs/parse.h"
#include "pairs/source.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void free_value(struct pairs_value *v)
{
    for (int i = 0; i < v->shown_count; i++)
        free(v->shown[i]);
    free(v->shown);
    free(v->name);
}

void pairs_model_free(struct pairs_model *m)
{
    for (size_t i = 0; i < m->params.count; i++) {
        struct pairs_param *p = &m->params.items[i];
        for (int j = 0; j < p->count; j++)
            free_value(&p->values[j]);
        free(p->values);
        free(p->name);
    }
    for (size_t i = 0; i < m->relations.count; i++)
        free(m->relations.items[i].params);
    for (size_t i = 0; i < m->constraints.count; i++) {
        expr_free(m->constraints.items[i].expr);
        free(m->constraints.items[i].text);
    }
    for (size_t i = 0; i < m->seeds.count; i++)
        free(m->seeds.items[i]);
    vec_free(&m->params);
    vec_free(&m->relations);
    vec_free(&m->constraints);
    vec_free(&m->seeds);
}

static int same(const struct pairs_model *m, const char *a, const char *b)
{
    return (m->case_sensitive ? strcmp(a, b) : strcasecmp(a, b)) == 0;
}

int pairs_find_param(const struct pairs_model *m, const char *name)
{
    for (size_t i = 0; i < m->params.count; i++)
        if (same(m, m->params.items[i].name, name))
            return (int)i;
    return -1;
}

static int has_name(const struct pairs_value *v, const char *name,
                    int (*compare)(const char *, const char *))
{
    if (!compare(v->name, name))
        return 1;
    for (int i = 0; i < v->shown_count; i++)
        if (!compare(v->shown[i], name))
            return 1;
    return 0;
}

static int value_by(const struct pairs_param *p, const char *name,
                    int (*compare)(const char *, const char *))
{
    for (int i = 0; i < p->count; i++)
        if (has_name(&p->values[i], name, compare))
            return i;
    for (int i = 0; name[0] && !isalnum((unsigned char)name[0]) && i < p->count; i++)
        if (p->values[i].negative && has_name(&p->values[i], name + 1, compare))
            return i;
    return -1;
}

int pairs_find_value(const struct pairs_model *m, int param, const char *name)
{
    int v = value_by(&m->params.items[param], name, strcmp);
    return v < 0 && !m->case_sensitive ? value_by(&m->params.items[param], name, strcasecmp) : v;
}

struct pairs_param *pairs_add_param(struct pairs_model *m, const char *name, size_t length)
{
    struct pairs_param p = {.name = mem_strndup(name, length)};
    p.result = p.name[0] == '$';
    vec_push(&m->params, p);
    return &m->params.items[m->params.count - 1];
}

static int to_number(const char *s, double *number)
{
    char *end;
    if (!isdigit((unsigned char)s[0]) && !strchr("+-.", s[0]))
        return 0;
    *number = strtod(s, &end);
    while (isspace((unsigned char)*end))
        end++;
    return end != s && !*end && isfinite(*number);
}

struct pairs_value *pairs_add_value(struct pairs_param *p, const char *name, size_t length)
{
    int full = p->count && (p->count & (p->count - 1)) == 0;
    if (p->count == 0 || full)
        p->values =
            mem_realloc(p->values, sizeof *p->values * (size_t)(p->count ? p->count * 2 : 1));
    struct pairs_value *v = &p->values[p->count++];
    *v = (struct pairs_value){.name = mem_strndup(name, length), .weight = 1};
    v->is_number = to_number(v->name, &v->number);
    return v;
}

void pairs_add_shown(struct pairs_value *v, const char *name, size_t length)
{
    v->shown = mem_realloc(v->shown, sizeof *v->shown * (size_t)(v->shown_count + 1));
    v->shown[v->shown_count++] = mem_strndup(name, length);
}

static void add_named(struct pairs_param *p, char *name)
{
    pairs_add_shown(pairs_add_value(p, name, strlen(name)), name, strlen(name));
    free(name);
}

static void grow(struct pairs_model *m, const struct pairs_read_options *o)
{
    if (o->grow_param > 0 && (size_t)o->grow_param <= m->params.count) {
        struct pairs_param *p = &m->params.items[o->grow_param - 1];
        double most = 0;
        for (int v = 0; v < p->count; v++)
            most = fmax(most, p->values[v].number);
        add_named(p, p->numeric ? mem_printf("%.0f", floor(most) + 1) : mem_strdup("(new value)"));
    }
    if (o->extra_values > 0) {
        struct pairs_param *p = pairs_add_param(m, "(new parameter)", 15);
        for (int v = 0; v < o->extra_values; v++)
            add_named(p, mem_printf("%d", v));
        p->numeric = 1;
    }
}

void pairs_end_params(struct pairs_model *m, const struct pairs_read_options *o)
{
    for (size_t i = 0; i < m->params.count; i++) {
        struct pairs_param *p = &m->params.items[i];
        p->numeric = p->count > 0;
        for (int j = 0; j < p->count; j++)
            p->numeric &= p->values[j].is_number;
    }
    m->declared = m->params.count;
    grow(m, o);
}

int pairs_like(const struct pairs_model *m, const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text) {
        int equal = m->case_sensitive
                        ? *pattern == *text
                        : tolower((unsigned char)*pattern) == tolower((unsigned char)*text);
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern && (*pattern == '?' || equal)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return 0;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static int parse_source(struct pairs_model *m, const struct pairs_source *s,
                        const struct pairs_read_options *o, struct error *e)
{
    *m = (struct pairs_model){.case_sensitive = o->case_sensitive};
    const char *p = s->text + (strncmp(s->text, "\xef\xbb\xbf", 3) ? 0 : 3);
    while (isspace((unsigned char)*p))
        p++;
    int bad = *p == '<' ? acts_parse(m, s, o, e) : parse_model(m, s, o, e);
    if (bad)
        pairs_model_free(m);
    return bad;
}

int pairs_read_model(struct pairs_model *m, const char *path, const struct pairs_read_options *o,
                     struct error *e)
{
    struct pairs_source s;
    if (pairs_source_read(&s, path, e))
        return -1;
    int bad = parse_source(m, &s, o, e);
    pairs_source_free(&s);
    return bad;
}

int pairs_parse_model(struct pairs_model *m, const char *name, const char *text, size_t length,
                      const struct pairs_read_options *o, struct error *e)
{
    struct pairs_source s;
    pairs_source_copy(&s, name, text, length);
    int bad = parse_source(m, &s, o, e);
    pairs_source_free(&s);
    return bad;
}
