/* Reading tests. The format follows from the content: '{' or '[' begins JSON, a tab in the first
 * line means tabs, '<' an ACTS file with its test set, otherwise commas (with CSV quoting). Columns
 * are matched by name; a column or a value that the model does not have is noted and left open, as
 * PICT does. */
#include "pairs/tests.h"

#include "pairs/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tests_input {
    const struct pairs_model *m;
    struct table *t;
    struct tests_notes *notes;
    const struct pairs_source *s;
    struct error *e;
    size_t at;
    int depth; /* of JSON lists of tests: only one makes sense */
};

static void set_value(struct tests_input *in, int16_t *row, int param, const char *text)
{
    int v = param < 0 ? -1 : pairs_find_value(in->m, param, text);
    if (param < 0 || (v < 0 && (!*text || !strcmp(text, "*"))))
        return;
    row[param] = (int16_t)v;
    if (v < 0 && in->notes->unknown_values++ == 0)
        snprintf(in->notes->first_value, sizeof in->notes->first_value, "%s: %s",
                 in->m->params.items[param].name, text);
}

/* ---- separated lines ---- */

/* One field up to the separator or the end of the line; advances past the separator. *more is 0
 * at the end of the line. */
static int take_field(struct tests_input *in, char separator, struct sbuf *out, int *more)
{
    const char *text = in->s->text;
    size_t start = in->at;
    out->len = 0;
    sbuf_puts(out, "");
    if (separator == ',' && text[in->at] == '"') {
        for (in->at++; in->at < in->s->length; in->at++) {
            if (text[in->at] == '"' && text[in->at + 1] != '"')
                break;
            in->at += text[in->at] == '"';
            sbuf_putc(out, text[in->at]);
        }
        if (in->at >= in->s->length)
            return pairs_source_error(in->s, start, in->e, "this '\"' is not closed");
        in->at++;
    } else {
        while (in->at < in->s->length && text[in->at] != separator && text[in->at] != '\n')
            sbuf_putc(out, text[in->at++]);
        while (out->len && isspace((unsigned char)out->s[out->len - 1]))
            out->s[--out->len] = 0;
    }
    while (in->at < in->s->length && (text[in->at] == ' ' || text[in->at] == '\r'))
        in->at++;
    *more = text[in->at] == separator;
    if (in->at < in->s->length && text[in->at] != separator && text[in->at] != '\n')
        return pairs_source_error(in->s, in->at, in->e, "expected '%c' or the end of the line",
                            separator);
    in->at += in->at < in->s->length;
    return 0;
}

static const char *field_text(struct sbuf *field)
{
    const char *p = sbuf_str(field);
    while (*p == ' ')
        p++;
    return p;
}

static void note_columns(struct tests_input *in, const int *columns, size_t count)
{
    unsigned char *seen = mem_alloc(in->m->params.count + 1);
    for (size_t i = 0; i < count; i++) {
        in->notes->unknown_columns += columns[i] < 0;
        if (columns[i] >= 0)
            seen[columns[i]] = 1;
    }
    for (size_t q = 0; q < in->m->params.count; q++)
        in->notes->missing_columns += !seen[q];
    free(seen);
}

static int read_lines(struct tests_input *in)
{
    struct sbuf field = {0};
    VEC(int) columns = {0};
    size_t first = strcspn(in->s->text + in->at, "\n");
    char separator = memchr(in->s->text + in->at, '\t', first) ? '\t' : ',';
    int bad = 0, more = 1;
    while (more && !bad) {
        bad = take_field(in, separator, &field, &more);
        vec_push(&columns, bad ? -1 : pairs_find_param(in->m, field_text(&field)));
    }
    note_columns(in, columns.items, columns.count);
    if (!bad && in->notes->missing_columns == in->m->params.count)
        bad = pairs_source_error(in->s, 0, in->e, "the header line names no parameter of the model");
    while (!bad && in->at < in->s->length) {
        size_t line = in->at, column = 0;
        if (in->s->text[line + strspn(in->s->text + line, " \t\r")] == '\n' ||
            !in->s->text[line + strspn(in->s->text + line, " \t\r")]) {
            in->at = line + strcspn(in->s->text + line, "\n") + 1;
            continue;
        }
        int16_t *row = table_add(in->t);
        for (more = 1; more && !bad; column++) {
            bad = take_field(in, separator, &field, &more);
            if (!bad && column >= columns.count)
                bad = pairs_source_error(in->s, line, in->e, "this line has more fields than the header");
            if (!bad)
                set_value(in, row, columns.items[column], field_text(&field));
        }
    }
    sbuf_free(&field);
    vec_free(&columns);
    return bad;
}

/* ---- JSON ---- */

static char peek(struct tests_input *in)
{
    while (in->at < in->s->length && isspace((unsigned char)in->s->text[in->at]))
        in->at++;
    return in->s->text[in->at];
}

static int expect(struct tests_input *in, char c)
{
    if (peek(in) != c)
        return pairs_source_error(in->s, in->at, in->e, "expected '%c'", c);
    in->at++;
    return 0;
}

static void add_code_point(struct sbuf *out, unsigned c)
{
    if (c < 0x80) {
        sbuf_putc(out, (char)c);
    } else if (c < 0x800) {
        sbuf_putc(out, (char)(0xc0 | c >> 6));
        sbuf_putc(out, (char)(0x80 | (c & 63)));
    } else {
        sbuf_putc(out, (char)(0xe0 | c >> 12));
        sbuf_putc(out, (char)(0x80 | (c >> 6 & 63)));
        sbuf_putc(out, (char)(0x80 | (c & 63)));
    }
}

static int json_string(struct tests_input *in, struct sbuf *out)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    size_t start = in->at;
    out->len = 0;
    sbuf_puts(out, "");
    if (expect(in, '"'))
        return -1;
    for (; in->at < in->s->length && in->s->text[in->at] != '"'; in->at++) {
        char c = in->s->text[in->at];
        if (c != '\\') {
            sbuf_putc(out, c);
            continue;
        }
        c = in->s->text[++in->at];
        unsigned code;
        if (c == 'u' && sscanf(in->s->text + in->at + 1, "%4x", &code) == 1) {
            add_code_point(out, code);
            in->at += 4;
            continue;
        }
        const char *known = c ? strchr(from, c) : NULL;
        sbuf_putc(out, known ? to[known - from] : c);
    }
    if (in->at >= in->s->length)
        return pairs_source_error(in->s, start, in->e, "this '\"' is not closed");
    in->at++;
    return 0;
}

/* A string, number or word as text. */
static int json_scalar(struct tests_input *in, struct sbuf *out)
{
    if (peek(in) == '"')
        return json_string(in, out);
    size_t n = strcspn(in->s->text + in->at, ",]} \t\r\n");
    if (n == 0)
        return pairs_source_error(in->s, in->at, in->e, "expected a value");
    out->len = 0;
    sbuf_add(out, in->s->text + in->at, n);
    in->at += n;
    return 0;
}

/* Skips a value of any kind. */
static int json_skip(struct tests_input *in, struct sbuf *scratch)
{
    int depth = 0;
    do {
        char c = peek(in);
        if (c == '[' || c == '{') {
            depth++;
            in->at++;
        } else if (c == ']' || c == '}') {
            depth--;
            in->at++;
        } else if (depth && (c == ',' || c == ':')) {
            in->at++;
        } else if (json_scalar(in, scratch)) {
            return -1;
        }
    } while (depth > 0);
    return 0;
}

static int json_tests(struct tests_input *in, struct sbuf *text);

/* An object: a test, or our document with its list of "tests". */
static int json_object(struct tests_input *in, struct sbuf *text)
{
    int16_t *row = NULL;
    if (expect(in, '{'))
        return -1;
    while (peek(in) != '}') {
        size_t at = in->at;
        if (json_string(in, text) || expect(in, ':'))
            return -1;
        char next = peek(in);
        int bad = 0;
        if (next == '[' && !strcmp(sbuf_str(text), "tests") && !row && in->depth == 0)
            bad = json_tests(in, text);
        else if (next == '[' || next == '{')
            bad = json_skip(in, text);
        else {
            int param = pairs_find_param(in->m, sbuf_str(text));
            in->notes->unknown_columns += param < 0;
            bad = json_scalar(in, text);
            if (!bad && param >= 0) {
                if (!row)
                    row = table_add(in->t);
                set_value(in, row, param, sbuf_str(text));
            }
        }
        if (bad)
            return -1;
        if (peek(in) == ',')
            in->at++;
        else if (peek(in) != '}')
            return pairs_source_error(in->s, at, in->e, "expected ',' or '}' after this member");
    }
    in->at++;
    return 0;
}

static int json_tests(struct tests_input *in, struct sbuf *text)
{
    if (expect(in, '['))
        return -1;
    in->depth++;
    while (peek(in) != ']') {
        if (json_object(in, text))
            return -1;
        if (peek(in) == ',')
            in->at++;
        else if (peek(in) != ']')
            return pairs_source_error(in->s, in->at, in->e, "expected ',' or ']'");
    }
    in->at++;
    in->depth--;
    return 0;
}

static int read_json(struct tests_input *in)
{
    struct sbuf text = {0};
    int bad = 0;
    while (!bad && peek(in))
        bad = in->s->text[in->at] == '[' ? json_tests(in, &text) : json_object(in, &text);
    sbuf_free(&text);
    if (!bad && in->at < in->s->length)
        return pairs_source_error(in->s, in->at, in->e, "a 0 byte: this is not a text file");
    return bad;
}

/* ---- ACTS XML ---- */

/* The test set that ACTS keeps in its project files, matched by names. */
static int read_acts(struct tests_input *in)
{
    static const struct pairs_read_options read = PAIRS_READ_DEFAULTS;
    struct pairs_model from;
    if (pairs_parse_model(&from, in->s->name, in->s->text, in->s->length, &read, in->e))
        return -1;
    for (size_t i = 0; i < from.seeds.count; i++) {
        int16_t *row = table_add(in->t);
        for (size_t q = 0; q < from.params.count; q++) {
            int v = from.seeds.items[i][q];
            if (v >= 0)
                set_value(in, row, pairs_find_param(in->m, from.params.items[q].name),
                          from.params.items[q].values[v].name);
        }
    }
    pairs_model_free(&from);
    return 0;
}

int tests_read(const struct pairs_model *m, const char *path, struct table *t,
               struct tests_notes *notes, struct error *e)
{
    struct pairs_source s;
    *notes = (struct tests_notes){0};
    table_init(t, (int)m->params.count);
    if (pairs_source_read(&s, path, e))
        return -1;
    struct tests_input in = {.m = m, .t = t, .notes = notes, .s = &s, .e = e};
    if (!strncmp(s.text, "\xef\xbb\xbf", 3))
        in.at = 3;
    int bad;
    char first = peek(&in);
    if (!first)
        bad = pairs_source_error(&s, s.length, e, "the file has no tests");
    else if (first == '<')
        bad = read_acts(&in);
    else
        bad = first == '{' || first == '[' ? read_json(&in) : read_lines(&in);
    pairs_source_free(&s);
    if (bad)
        table_free(t);
    return bad;
}
