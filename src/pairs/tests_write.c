/* Writing tests. Text is PICT's format: a header line and lines of values separated by tabs, with
 * the sign of invalid values kept, so that it can be read back by both tools. */
#include "pairs/tests.h"

#include <stdlib.h>
#include <string.h>

/* Where the names of each value stand in their rotation: one counter per (parameter, value). */
struct rotation {
    size_t *turns, *first;
};

static struct rotation rotation_new(const struct pairs_model *m)
{
    struct rotation r;
    size_t n = 0;
    r.first = mem_alloc(sizeof(size_t) * (m->params.count + 1));
    for (size_t i = 0; i < m->params.count; i++) {
        r.first[i] = n;
        n += (size_t)m->params.items[i].count;
    }
    r.turns = mem_alloc(sizeof(size_t) * (n + 1));
    return r;
}

static void rotation_free(struct rotation *r)
{
    free(r->turns);
    free(r->first);
}

const char *tests_name(const struct pairs_model *m, int param, int value, size_t *turns)
{
    const struct pairs_value *v = &m->params.items[param].values[value];
    return v->shown[(*turns)++ % (size_t)v->shown_count];
}

static const char *next_name(const struct pairs_model *m, struct rotation *r, int p, int v)
{
    return tests_name(m, p, v, &r->turns[r->first[p] + (size_t)v]);
}

static void csv_field(struct sbuf *out, const char *sign, const char *text)
{
    if (!strpbrk(text, ",\"\r\n") && *text != ' ') {
        sbuf_printf(out, "%s%s", sign, text);
        return;
    }
    sbuf_printf(out, "\"%s", sign);
    for (; *text; text++) {
        if (*text == '"')
            sbuf_putc(out, '"');
        sbuf_putc(out, *text);
    }
    sbuf_putc(out, '"');
}

static void write_lines(const struct pairs_model *m, const struct table *t, char separator,
                        struct sbuf *out)
{
    struct rotation rotation = rotation_new(m);
    int n = (int)m->params.count, csv = separator == ',';
    for (int q = 0; q < n; q++) {
        if (q)
            sbuf_putc(out, separator);
        if (csv)
            csv_field(out, "", m->params.items[q].name);
        else
            sbuf_puts(out, m->params.items[q].name);
    }
    sbuf_putc(out, '\n');
    for (size_t i = 0; i < t->count; i++) {
        for (int q = 0; q < n; q++) {
            int v = table_row(t, i)[q];
            const char *name = next_name(m, &rotation, q, v);
            const char *sign = m->params.items[q].values[v].negative ? "~" : "";
            if (q)
                sbuf_putc(out, separator);
            if (csv)
                csv_field(out, sign, name);
            else
                sbuf_printf(out, "%s%s", sign, name);
        }
        sbuf_putc(out, '\n');
    }
    rotation_free(&rotation);
}

static void json_test(const struct pairs_model *m, const int16_t *row, struct rotation *rotation,
                      struct sbuf *out)
{
    sbuf_putc(out, '{');
    for (int q = 0; q < (int)m->params.count; q++) {
        const struct pairs_value *v = &m->params.items[q].values[row[q]];
        const char *name = next_name(m, rotation, q, row[q]);
        if (q)
            sbuf_puts(out, ", ");
        sbuf_json(out, m->params.items[q].name);
        sbuf_puts(out, ": ");
        if (v->negative) {
            char *signed_name = mem_printf("~%s", name);
            sbuf_json(out, signed_name);
            free(signed_name);
        } else {
            sbuf_json(out, name);
        }
    }
    sbuf_putc(out, '}');
}

static void json_impossible(const struct pairs_model *m, const struct impossible *x,
                            struct sbuf *out)
{
    sbuf_putc(out, '{');
    for (int i = 0; i < x->count; i++) {
        if (i)
            sbuf_puts(out, ", ");
        sbuf_json(out, m->params.items[x->params[i]].name);
        sbuf_puts(out, ": ");
        sbuf_json(out, m->params.items[x->params[i]].values[x->values[i]].name);
    }
    sbuf_putc(out, '}');
}

static void write_json(const struct pairs_model *m, const struct pairs_result *r, int strength,
                       int list_impossible, struct sbuf *out)
{
    struct rotation rotation = rotation_new(m);
    sbuf_printf(out,
                "{\"raddle\": 1, \"strength\": %d, \"size\": %zu, \"negative\": %zu, "
                "\"tuples\": %zu, \"impossible_tuples\": %zu, \"lower_bound\": %zu,\n",
                strength, r->tests.count, r->negative_tests, r->tuples, r->impossible.count,
                r->lower_bound);
    sbuf_puts(out, " \"parameters\": [");
    for (size_t q = 0; q < m->params.count; q++) {
        sbuf_puts(out, q ? ", " : "");
        sbuf_json(out, m->params.items[q].name);
    }
    sbuf_puts(out, "],\n \"tests\": [");
    for (size_t i = 0; i < r->tests.count; i++) {
        sbuf_puts(out, i ? ",\n  " : "\n  ");
        json_test(m, table_row(&r->tests, i), &rotation, out);
    }
    sbuf_puts(out, "]");
    for (size_t i = 0; list_impossible && i < r->impossible.count; i++) {
        sbuf_puts(out, i ? ",\n  " : ",\n \"impossible\": [\n  ");
        json_impossible(m, &r->impossible.items[i], out);
    }
    sbuf_puts(out, list_impossible && r->impossible.count ? "]}\n" : "}\n");
    rotation_free(&rotation);
}

void tests_write(const struct pairs_model *m, const struct pairs_result *r, int strength,
                 enum tests_format format, int list_impossible, struct sbuf *out)
{
    if (format == TESTS_TEXT || format == TESTS_CSV) {
        write_lines(m, &r->tests, format == TESTS_CSV ? ',' : '\t', out);
        return;
    }
    if (format == TESTS_JSON) {
        write_json(m, r, strength, list_impossible, out);
        return;
    }
    struct rotation rotation = rotation_new(m);
    for (size_t i = 0; i < r->tests.count; i++) {
        json_test(m, table_row(&r->tests, i), &rotation, out);
        sbuf_putc(out, '\n');
    }
    rotation_free(&rotation);
}
