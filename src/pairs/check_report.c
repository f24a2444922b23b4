/* The checker's findings as text and as JSON. */
#include "pairs/check.h"

#include <stdio.h>
#include <string.h>

static double percent(const struct check_level *l)
{
    return l->total ? 100.0 * (double)l->covered / (double)l->total : 100.0;
}

static void tuple_text(const struct pairs_model *m, const struct check_tuple *t, struct sbuf *out)
{
    for (int i = 0; i < t->count; i++)
        sbuf_printf(out, "%s%s = %s", i ? ", " : "", m->params.items[t->params[i]].name,
                    m->params.items[t->params[i]].values[t->values[i]].name);
}

static void bad_test_text(const struct pairs_model *m, const struct check_test *b, struct sbuf *out)
{
    sbuf_printf(out, "  test %zu ", b->index + 1);
    if (b->constraint == -1)
        sbuf_puts(out, "has more than one invalid value\n");
    else if (b->constraint == -2)
        sbuf_puts(out, "is not complete: a value is missing or unknown\n");
    else
        sbuf_printf(out, "violates line %d: %s\n", m->constraints.items[b->constraint].line,
                    m->constraints.items[b->constraint].text);
}

static void list_text(const struct pairs_model *m, const char *what,
                      const struct check_tuple *items, size_t count, size_t most, struct sbuf *out)
{
    if (count)
        sbuf_printf(out, "%s (%zu):\n", what, count);
    for (size_t i = 0; i < count && i < most; i++) {
        sbuf_puts(out, "  ");
        tuple_text(m, &items[i], out);
        sbuf_putc(out, '\n');
    }
    if (count > most)
        sbuf_printf(out, "  … and %zu more\n", count - most);
}

static void level_text(const char *name, const struct check_level *l, struct sbuf *out)
{
    if (!l->counted)
        return;
    sbuf_printf(out, "%s %llu of %llu tuples covered (%.2f%%)", name, l->covered, l->total,
                percent(l));
    if (l->impossible)
        sbuf_printf(out, ", %llu impossible", l->impossible);
    sbuf_puts(out, l->exact ? "\n" : ", of all (impossible ones not taken out)\n");
}

void check_text(const struct pairs_model *m, const struct check_report *r, int strength,
                size_t most, int list_impossible, struct sbuf *out)
{
    static const char *const verdicts[] = {"complete", "not complete", "undecided"};
    sbuf_printf(out, "%zu tests, %zu of them invalid\n", r->tests, r->bad_tests.count);
    for (size_t i = 0; i < r->bad_tests.count && i < most; i++)
        bad_test_text(m, &r->bad_tests.items[i], out);
    for (int t = 1; t <= CHECK_MAX_STRENGTH; t++) {
        char name[32];
        snprintf(name, sizeof name, "t = %d:", t);
        level_text(name, &r->levels[t], out);
    }
    if (m->relations.count)
        level_text("with groups:", &r->wanted, out);
    list_text(m, "uncovered", r->uncovered.items, r->uncovered.count, most, out);
    if (list_impossible)
        list_text(m, "impossible", r->impossible.items, r->impossible.count, most, out);
    list_text(m, "undecided", r->undecided.items, r->undecided.count, most, out);
    sbuf_printf(out, "%s for t = %d%s\n", verdicts[check_status(r)], strength,
                m->relations.count ? " and the groups of the model" : "");
}

static void tuples_json(const struct pairs_model *m, const struct check_tuple *items, size_t count,
                        struct sbuf *out)
{
    sbuf_putc(out, '[');
    for (size_t i = 0; i < count; i++) {
        sbuf_puts(out, i ? ",\n  {" : "\n  {");
        for (int k = 0; k < items[i].count; k++) {
            sbuf_puts(out, k ? ", " : "");
            sbuf_json(out, m->params.items[items[i].params[k]].name);
            sbuf_puts(out, ": ");
            sbuf_json(out, m->params.items[items[i].params[k]].values[items[i].values[k]].name);
        }
        sbuf_putc(out, '}');
    }
    sbuf_putc(out, ']');
}

static void level_json(const struct check_level *l, struct sbuf *out)
{
    sbuf_printf(out,
                "{\"covered\": %llu, \"total\": %llu, \"impossible\": %llu, \"exact\": %s, "
                "\"percent\": %.4f}",
                l->covered, l->total, l->impossible, l->exact ? "true" : "false", percent(l));
}

void check_json(const struct pairs_model *m, const struct check_report *r, int strength,
                struct sbuf *out)
{
    sbuf_printf(out, "{\"raddle\": 1, \"strength\": %d, \"tests\": %zu, \"complete\": %s,\n",
                strength, r->tests, check_status(r) == 0 ? "true" : "false");
    sbuf_puts(out, " \"invalid_tests\": [");
    for (size_t i = 0; i < r->bad_tests.count; i++) {
        const struct check_test *b = &r->bad_tests.items[i];
        sbuf_printf(out, "%s{\"test\": %zu, \"why\": ", i ? ", " : "", b->index + 1);
        sbuf_json(out, b->constraint == -1   ? "more than one invalid value"
                       : b->constraint == -2 ? "not complete"
                                             : m->constraints.items[b->constraint].text);
        sbuf_putc(out, '}');
    }
    sbuf_puts(out, "],\n \"levels\": {");
    for (int t = 1, first = 1; t <= CHECK_MAX_STRENGTH; t++)
        if (r->levels[t].counted) {
            sbuf_printf(out, "%s\"%d\": ", first ? "" : ", ", t);
            level_json(&r->levels[t], out);
            first = 0;
        }
    sbuf_puts(out, "},\n \"wanted\": ");
    level_json(&r->wanted, out);
    sbuf_puts(out, ",\n \"uncovered\": ");
    tuples_json(m, r->uncovered.items, r->uncovered.count, out);
    sbuf_puts(out, ",\n \"impossible\": ");
    tuples_json(m, r->impossible.items, r->impossible.count, out);
    sbuf_puts(out, ",\n \"undecided\": ");
    tuples_json(m, r->undecided.items, r->undecided.count, out);
    sbuf_puts(out, "}\n");
}
