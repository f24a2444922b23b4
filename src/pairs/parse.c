/* PICT's model format, line by line: parameters first ("name: value, value …"), then sub-models
 * ("{ A, B } @ 3") and constraints, here in any order. Our superset adds classes of equivalent
 * values ("small = { 1, 2, 5..9 }": one value for the coverage, its members rotate in the output)
 * and "forbid" statements (table 4.2 of the dissertation). Everything that PICT reads means the
 * same here; docs/pairs.md has the grammar and the one difference (strength of sub-models). */
#include "pairs/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_WEIGHT = 1000000 };

struct pairs_parser {
    struct pairs_model *m;
    const struct pairs_source *s;
    const struct pairs_read_options *o;
    struct error *e;
    VEC(size_t) places; /* where each parameter begins */
};

struct span {
    size_t from, to;
};

static struct span trim(const struct pairs_source *s, size_t from, size_t to)
{
    while (from < to && isspace((unsigned char)s->text[from]))
        from++;
    while (to > from && isspace((unsigned char)s->text[to - 1]))
        to--;
    return (struct span){from, to};
}

static size_t find(const struct pairs_source *s, size_t from, size_t to, char c)
{
    while (from < to && s->text[from] != c)
        from++;
    return from;
}

static size_t end_of_line(const struct pairs_source *s, size_t at)
{
    while (at < s->length && s->text[at] != '\n' && s->text[at])
        at++;
    return at;
}

static int starts_word(const struct pairs_source *s, struct span line, const char *word)
{
    size_t n = strlen(word);
    return line.to - line.from >= n && !strncasecmp(s->text + line.from, word, n) &&
           !isalnum((unsigned char)s->text[line.from + n]) && s->text[line.from + n] != '_';
}

/* Does the line begin the constraints? As PICT decides, plus NOT and forbid. */
static int is_constraint(const struct pairs_source *s, struct span line)
{
    char first = s->text[line.from];
    size_t bracket = find(s, line.from, line.to, '['), colon = find(s, line.from, line.to, ':');
    int brackets = find(s, bracket, line.to, ']') < line.to;
    if (first == '[' || (first == '(' && brackets))
        return 1;
    if (starts_word(s, line, "forbid"))
        return colon > find(s, line.from, line.to, '[') || colon > find(s, line.from, line.to, '(');
    if (starts_word(s, line, "isnegative") || starts_word(s, line, "ispositive"))
        return colon == line.to;
    if (!starts_word(s, line, "if") && !starts_word(s, line, "not"))
        return 0;
    return colon > bracket || colon == line.to;
}

/* "~name (weight)": takes the weight off the end of the span. */
static int take_weight(const struct pairs_source *s, struct span *v)
{
    if (v->to == v->from || s->text[v->to - 1] != ')')
        return 1;
    size_t open = v->to - 1;
    while (open > v->from && s->text[open] != '(')
        open--;
    char *end;
    long weight = strtol(s->text + open + 1, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    if (s->text[open] != '(' || end != s->text + v->to - 1 || weight <= 0 || weight > MAX_WEIGHT)
        return 1;
    *v = trim(s, v->from, open);
    return (int)weight;
}

/* A class "name = { member, low..high, … }": the members become the names shown. */
static int add_members(struct pairs_parser *p, struct pairs_value *v, size_t from, size_t to)
{
    while (from < to) {
        size_t comma = find(p->s, from, to, ',');
        struct span one = trim(p->s, from, comma);
        char *end;
        long low = strtol(p->s->text + one.from, &end, 10), high = 0;
        int range = end > p->s->text + one.from && !strncmp(end, "..", 2);
        if (range) {
            high = strtol(end + 2, &end, 10);
            range = end == p->s->text + one.to;
        }
        if (range && (high < low || high - low >= PAIRS_MAX_VALUES))
            return pairs_source_error(p->s, one.from, p->e,
                                "a range goes upwards and has at most %d values", PAIRS_MAX_VALUES);
        for (long i = low; range && i <= high; i++) {
            char *text = mem_printf("%ld", i);
            pairs_add_shown(v, text, strlen(text));
            free(text);
        }
        if (!range && one.to == one.from)
            return pairs_source_error(p->s, one.from, p->e, "a member of a class has no name");
        if (!range)
            pairs_add_shown(v, p->s->text + one.from, one.to - one.from);
        from = comma + 1;
    }
    return 0;
}

static int add_aliases(struct pairs_parser *p, struct pairs_param *param, struct span v, int weight)
{
    struct pairs_value *value = NULL;
    for (size_t from = v.from; from <= v.to;) {
        size_t bar = find(p->s, from, v.to, p->o->alias);
        struct span name = trim(p->s, from, bar);
        int negative = 0;
        if (!value && name.to > name.from && p->s->text[name.from] == p->o->negative) {
            negative = 1;
            name = trim(p->s, name.from + 1, name.to);
        }
        const char *text = p->s->text + name.from;
        if (!value) {
            value = pairs_add_value(param, text, name.to - name.from);
            value->negative = negative;
            value->weight = weight;
        }
        pairs_add_shown(value, text, name.to - name.from);
        from = bar + 1;
    }
    return 0;
}

/* Something odd that is read nevertheless. */
static void warn(struct pairs_parser *p, struct error *e, const char *what)
{
    error_todo(e, "%s", what);
    if (p->o->warn)
        p->o->warn(e);
    *e = (struct error){0};
}

static int has_name(const struct pairs_value *v, const char *name, size_t length)
{
    for (int i = 0; i < v->shown_count; i++)
        if (strlen(v->shown[i]) == length && !memcmp(v->shown[i], name, length))
            return 1;
    return 0;
}

/* A value listed again, letter by letter, could not be told from the first one in the tests: it
 * only adds to the first one's weight. */
static int listed_before(struct pairs_parser *p, struct pairs_param *param, struct span v, int weight)
{
    struct span name = trim(p->s, v.from, find(p->s, v.from, v.to, p->o->alias));
    int negative = name.to > name.from && p->s->text[name.from] == p->o->negative;
    if (negative)
        name = trim(p->s, name.from + 1, name.to);
    for (int i = 0; i < param->count; i++) {
        struct pairs_value *first = &param->values[i];
        if (first->negative != negative ||
            !has_name(first, p->s->text + name.from, name.to - name.from))
            continue;
        struct error e = {0};
        first->weight += first->weight < MAX_WEIGHT ? weight : 0;
        pairs_source_error(p->s, name.from, &e, "'%.*s' is listed twice", (int)(name.to - name.from),
                     p->s->text + name.from);
        warn(p, &e, "it counts as one value, with the weights added");
        return 1;
    }
    return 0;
}

/* "<other>": all values of a parameter defined before. */
static int add_reference(struct pairs_parser *p, size_t to_index, struct span v)
{
    char *name = mem_strndup(p->s->text + v.from + 1, v.to - v.from - 2);
    int at = pairs_find_param(p->m, name);
    free(name);
    if (at < 0 || (size_t)at == to_index)
        return 0;
    int count = p->m->params.items[at].count;
    for (int i = 0; i < count; i++) {
        const struct pairs_value *from = &p->m->params.items[at].values[i];
        struct pairs_value *copy =
            pairs_add_value(&p->m->params.items[to_index], from->name, strlen(from->name));
        from = &p->m->params.items[at].values[i];
        for (int k = 0; k < from->shown_count; k++)
            pairs_add_shown(copy, from->shown[k], strlen(from->shown[k]));
        copy->weight = from->weight;
        copy->negative = from->negative;
    }
    return 1;
}

/* "name = { …": where its brace is, or 0. */
static size_t class_brace(const struct pairs_parser *p, size_t from, size_t end)
{
    size_t eq = find(p->s, from, end, '='), at = eq + 1;
    if (find(p->s, from, eq, p->o->separator) < eq || eq == end)
        return 0;
    while (at < end && isspace((unsigned char)p->s->text[at]))
        at++;
    return at < end && p->s->text[at] == '{' ? at : 0;
}

/* Adds the class that begins at `from` with its brace at `open`; returns where it ends or 0. */
static size_t add_class(struct pairs_parser *p, size_t index, size_t from, size_t open, size_t end)
{
    size_t close = find(p->s, open, end, '}');
    struct span name = trim(p->s, from, find(p->s, from, open, '='));
    if (close == end) {
        pairs_source_error(p->s, open, p->e, "this '{' is not closed");
        return 0;
    }
    size_t after = find(p->s, close, end, p->o->separator);
    struct span rest = trim(p->s, close + 1, after), weight = {close + 1, rest.to};
    int negative = name.to > name.from && p->s->text[name.from] == p->o->negative;
    name = trim(p->s, name.from + (size_t)negative, name.to);
    int w = take_weight(p->s, &weight);
    if (name.to == name.from || trim(p->s, close + 1, weight.to).from < weight.to) {
        pairs_source_error(p->s, name.to == name.from ? from : rest.from, p->e,
                     "expected: name = { members } (weight)");
        return 0;
    }
    struct pairs_value *v =
        pairs_add_value(&p->m->params.items[index], p->s->text + name.from, name.to - name.from);
    v->negative = negative;
    v->weight = w;
    v->is_number = 0;
    if (add_members(p, v, open + 1, close))
        return 0;
    if (v->shown_count == 0) {
        pairs_source_error(p->s, open, p->e, "class '%s' has no members", v->name);
        return 0;
    }
    return after;
}

static int parse_values(struct pairs_parser *p, size_t index, size_t from, size_t end)
{
    while (from <= end) {
        size_t open = class_brace(p, from, end), sep;
        if (open) {
            if (!(sep = add_class(p, index, from, open, end)))
                return -1;
        } else {
            sep = find(p->s, from, end, p->o->separator);
            struct span v = trim(p->s, from, sep);
            int is_reference =
                v.to - v.from > 2 && p->s->text[v.from] == '<' && p->s->text[v.to - 1] == '>';
            if (!(is_reference && add_reference(p, index, v))) {
                int weight = take_weight(p->s, &v);
                if (!listed_before(p, &p->m->params.items[index], v, weight))
                    add_aliases(p, &p->m->params.items[index], v, weight);
            }
        }
        if (p->m->params.items[index].count > PAIRS_MAX_VALUES)
            return pairs_source_error(p->s, from, p->e, "parameter '%s' has more than %d values",
                                p->m->params.items[index].name, PAIRS_MAX_VALUES);
        from = sep + 1;
    }
    return 0;
}

/* "name @ 3": a strength of its own, for all combinations the parameter is in. */
static int take_order(struct pairs_parser *p, struct span *name)
{
    size_t at = find(p->s, name->from, name->to, '@');
    char *end;
    if (at == name->to)
        return 0;
    long order = strtol(p->s->text + at + 1, &end, 10);
    if (end != p->s->text + name->to || end == p->s->text + at + 1 || order < 1)
        return 0;
    *name = trim(p->s, name->from, at);
    return (int)(order > PAIRS_MAX_STRENGTH ? PAIRS_MAX_STRENGTH : order);
}

static int parse_param(struct pairs_parser *p, struct span line)
{
    size_t colon = find(p->s, line.from, line.to, ':');
    if (colon == line.to)
        colon = find(p->s, line.from, line.to, p->o->separator);
    if (colon == line.to)
        return pairs_source_error(p->s, line.to, p->e, "expected 'name: value, value, …'");
    struct span name = trim(p->s, line.from, colon);
    int order = take_order(p, &name);
    if (name.to == name.from)
        return pairs_source_error(p->s, line.from, p->e, "a parameter needs a name before the ':'");
    if (trim(p->s, colon + 1, line.to).from == line.to)
        return pairs_source_error(p->s, colon + 1 < line.to ? colon + 1 : line.to, p->e,
                            "parameter '%.*s' has no values", (int)(name.to - name.from),
                            p->s->text + name.from);
    if (p->m->params.count >= PAIRS_MAX_PARAMS)
        return pairs_source_error(p->s, line.from, p->e, "more than %d parameters", PAIRS_MAX_PARAMS);
    pairs_add_param(p->m, p->s->text + name.from, name.to - name.from);
    vec_push(&p->places, name.from);
    if (order) {
        struct pairs_relation r = {.strength = order, .anchor = (int)p->m->params.count - 1};
        vec_push(&p->m->relations, r);
    }
    return parse_values(p, p->m->params.count - 1, colon + 1, line.to);
}

static int add_member(struct pairs_parser *p, struct pairs_relation *r, struct span one)
{
    char *name = mem_strndup(p->s->text + one.from, one.to - one.from);
    int at = pairs_find_param(p->m, name);
    if (at < 0)
        pairs_source_error(p->s, one.from, p->e, "no parameter is called '%s'", name);
    free(name);
    if (at < 0)
        return -1;
    for (int i = 0; i < r->count; i++)
        if (r->params[i] == at)
            return 0; /* named twice: PICT reads such groups too */
    r->params[r->count++] = at;
    return 0;
}

/* "{ A, B, C } @ 3": the group's combinations are covered with that strength. */
static int parse_relation(struct pairs_parser *p, size_t from, size_t end)
{
    size_t close = find(p->s, from, end, '}');
    if (close == end)
        return pairs_source_error(p->s, from, p->e, "this '{' is not closed");
    struct pairs_relation r = {.anchor = -1};
    r.params = mem_alloc(sizeof(int) * (p->m->params.count + 1));
    char separator = find(p->s, from, close, ',') < close ? ',' : p->o->separator;
    for (size_t at = from + 1; at <= close;) {
        size_t comma = find(p->s, at, close, separator);
        if (add_member(p, &r, trim(p->s, at, comma))) {
            free(r.params);
            warn(p, p->e, "the group is skipped, as PICT does");
            return 0;
        }
        at = comma + 1;
    }
    vec_push(&p->m->relations, r);
    struct span rest = trim(p->s, close + 1, end);
    if (rest.from == rest.to)
        return 0;
    char *stop;
    long strength = strtol(p->s->text + rest.from + 1, &stop, 10);
    if (p->s->text[rest.from] != '@' || stop != p->s->text + rest.to)
        return pairs_source_error(p->s, rest.from, p->e, "expected '@ strength' after the group");
    if (strength < 1 || strength > PAIRS_MAX_STRENGTH || strength > r.count)
        return pairs_source_error(p->s, rest.from + 1, p->e,
                            "the strength of a group is 1 to %d and at most its size (%d)",
                            PAIRS_MAX_STRENGTH, r.count);
    p->m->relations.items[p->m->relations.count - 1].strength = (int)strength;
    return 0;
}

static int parse_rest(struct pairs_parser *p, size_t at)
{
    while ((at = parse_skip_space(p->s, at)) < p->s->length) {
        if (p->s->text[at] == '{') {
            size_t end = end_of_line(p->s, at);
            if (parse_relation(p, at, end))
                return -1;
            at = end;
            continue;
        }
        size_t from = at;
        int column;
        struct error inner = {0};
        struct pairs_constraint c = {.expr = parse_constraint(p->m, p->s, &at, 0, &inner)};
        if (!c.expr) {
            *p->e = inner;
            return -1;
        }
        if (inner.status) {
            expr_free(c.expr);
            warn(p, &inner, "the constraint is skipped, as PICT does");
            continue;
        }
        pairs_source_position(p->s, from, &c.line, &column);
        struct span text = trim(p->s, from, at);
        c.text = mem_strndup(p->s->text + text.from, text.to - text.from);
        vec_push(&p->m->constraints, c);
    }
    return 0;
}

struct named_item {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct named_item *x = a, *y = b;
    int c = strcasecmp(x->name, y->name);
    return c ? c : x->index < y->index ? -1 : 1;
}

static int check_duplicates(struct pairs_model *m, const struct pairs_source *s, const size_t *places,
                            struct error *e)
{
    size_t n = m->params.count, bad = n;
    struct named_item *all = mem_alloc(sizeof *all * (n + 1));
    for (size_t i = 0; i < n; i++)
        all[i] = (struct named_item){m->params.items[i].name, i};
    qsort(all, n, sizeof *all, by_name);
    for (size_t i = 1; i < n; i++)
        if (!expr_text_compare(m, all[i - 1].name, all[i].name) && all[i].index < bad)
            bad = all[i].index;
    free(all);
    if (bad == n)
        return 0;
    return pairs_source_error(s, places[bad], e, "parameter '%s' is defined twice",
                        m->params.items[bad].name);
}

int parse_validate(struct pairs_model *m, const struct pairs_source *s, const size_t *places,
                   struct error *e)
{
    if (m->params.count == 0)
        return pairs_source_error(s, s->length, e, "the model has no parameters");
    for (size_t i = 0; i < m->params.count; i++)
        if (m->params.items[i].count == 0)
            return pairs_source_error(s, places[i], e, "parameter '%s' has no values",
                                m->params.items[i].name);
    for (size_t i = 0; i < m->params.count; i++) {
        int valid = 0;
        for (int v = 0; v < m->params.items[i].count; v++)
            valid |= !m->params.items[i].values[v].negative;
        if (!valid)
            return pairs_source_error(s, places[i], e, "parameter '%s' has only invalid values",
                                m->params.items[i].name);
    }
    return check_duplicates(m, s, places, e);
}

static int parse_all(struct pairs_parser *p)
{
    size_t at = strncmp(p->s->text, "\xef\xbb\xbf", 3) ? 0 : 3;
    while (at < p->s->length) {
        size_t end = end_of_line(p->s, at);
        struct span line = trim(p->s, at, end);
        if (end < p->s->length && p->s->text[end] == 0)
            return pairs_source_error(p->s, end, p->e, "a 0 byte: this is not a text file");
        if (line.from < line.to && p->s->text[line.from] != '#') {
            if (p->s->text[line.from] == '{' || is_constraint(p->s, line))
                break;
            if (parse_param(p, line))
                return -1;
        }
        at = end + 1;
    }
    if (parse_validate(p->m, p->s, p->places.items, p->e))
        return -1;
    pairs_end_params(p->m, p->o);
    return at < p->s->length ? parse_rest(p, at) : 0;
}

int parse_model(struct pairs_model *m, const struct pairs_source *s, const struct pairs_read_options *o,
                struct error *e)
{
    struct pairs_parser p = {.m = m, .s = s, .o = o, .e = e};
    int bad = parse_all(&p);
    vec_free(&p.places);
    return bad;
}
