/* The plan: tests needed for 50, 75, … percent of the tuples, and for each change (one more value
 * of a parameter, one more parameter) the size of a fresh set and of the present set extended. The
 * model is read again with the change in place, so constraints apply to it as written. One
 * parameter stands for all with the same number of values. */
#include "pairs/plan.h"

#include <stdlib.h>
#include <string.h>

static void write_prefixes(const struct pairs_result *r, struct sbuf *out)
{
    static const int marks[] = {50, 75, 90, 95, 99, 100};
    size_t sum = 0, mark = 0, i = 0;
    if (!r->gains || !r->tuples)
        return;
    sbuf_puts(out, "coverage of the first tests:\n");
    for (; i < r->tests.count && mark < sizeof marks / sizeof marks[0]; i++) {
        sum += r->gains[i];
        for (; mark < 6 && sum * 100 >= r->tuples * (size_t)marks[mark]; mark++)
            sbuf_printf(out, "  %3d%% after %zu test%s\n", marks[mark], i + 1, i ? "s" : "");
    }
}

/* The present tests as rows of the changed model (a new parameter is its last). */
static void widen(const struct table *from, const struct pairs_model *m, struct table *to)
{
    table_init(to, (int)m->params.count);
    for (size_t i = 0; i < from->count; i++) {
        int16_t *row = table_add(to);
        memcpy(row, table_row(from, i), sizeof *row * (size_t)(from->width - 1));
    }
}

static int write_change(const char *what, const struct pairs_source *text,
                        const struct pairs_read_options *read, const struct pairs_options *o,
                        const struct pairs_result *r, struct sbuf *out, struct error *e)
{
    struct pairs_model changed;
    struct pairs_options fresh = *o;
    struct pairs_result a, b;
    struct table kept;
    fresh.optimize = 0;
    fresh.seeds = NULL;
    if (pairs_parse_model(&changed, text->name, text->text, text->length, read, e))
        return -1;
    int bad = pairs_generate(&changed, &fresh, &a, e);
    if (!bad) {
        widen(&r->tests, &changed, &kept);
        fresh.seeds = &kept;
        bad = pairs_generate(&changed, &fresh, &b, e);
        table_free(&kept);
        if (!bad)
            sbuf_printf(out, "  %-44.44s %8zu %12zu + %zu\n", what, a.tests.count, r->tests.count,
                        b.tests.count - r->tests.count);
        if (!bad)
            pairs_result_free(&b);
        pairs_result_free(&a);
    }
    pairs_model_free(&changed);
    return bad;
}

static int is_first_of_size(const struct pairs_model *m, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (m->params.items[i].count == m->params.items[at].count)
            return 0;
    return 1;
}

int plan_write(const struct pairs_source *text, const struct pairs_read_options *read,
               const struct pairs_model *m, const struct pairs_options *o,
               const struct pairs_result *r, struct sbuf *out, struct error *e)
{
    sbuf_printf(out, "%zu tests (at least %zu are needed)\n", r->tests.count, r->lower_bound);
    write_prefixes(r, out);
    sbuf_printf(out, "%-46s %8s %16s\n", "tests if the model had", "anew", "kept + new");
    for (size_t i = 0; i < m->params.count; i++) {
        if (!is_first_of_size(m, i))
            continue;
        struct pairs_read_options change = *read;
        change.grow_param = (int)i + 1;
        char *what = mem_printf("one more value of %s (now %d)", m->params.items[i].name,
                                m->params.items[i].count);
        int bad = write_change(what, text, &change, o, r, out, e);
        free(what);
        change = *read;
        change.extra_values = m->params.items[i].count;
        what = mem_printf("one more parameter of %d values", m->params.items[i].count);
        bad = bad || write_change(what, text, &change, o, r, out, e);
        free(what);
        if (bad)
            return -1;
    }
    return 0;
}
