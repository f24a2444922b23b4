/* Inputs for exploration. The smallest common set of values: the candidates are the values that
 * every failing row has; a set of them explains the failures if each passing row lacks one of its
 * values, so a smallest one is a smallest hitting set over the passing rows, found by trying sizes
 * upwards, branching on the values that the first row not yet hit lacks. */
#include "pairs/bridge.h"

#include "pairs/tests.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CAUSE 8 /* larger sets explain nothing */

int bridge_open(struct bridge *b, const char *path, const struct pairs_options *options,
                struct error *e)
{
    struct pairs_read_options read = PAIRS_READ_DEFAULTS;
    struct pairs_options o = options ? *options : (struct pairs_options){.strength = 2};
    *b = (struct bridge){0};
    read.warn = error_warn;
    if (pairs_read_model(&b->model, path, &read, e))
        return -1;
    if (pairs_generate(&b->model, &o, &b->tests, e)) {
        pairs_model_free(&b->model);
        return -1;
    }
    size_t n = b->model.params.count;
    b->count = b->tests.tests.count;
    b->rows = mem_alloc(sizeof *b->rows * (b->count + 1));
    for (size_t i = 0; i < b->count; i++) {
        b->rows[i].values = mem_alloc(sizeof *b->rows[i].values * (n + 1));
        for (size_t q = 0; q < n; q++) {
            size_t turn = i;
            b->rows[i].values[q] =
                tests_name(&b->model, (int)q, table_row(&b->tests.tests, i)[q], &turn);
        }
    }
    return 0;
}

void bridge_close(struct bridge *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free(b->rows[i].values);
        free(b->rows[i].message);
    }
    free(b->rows);
    pairs_result_free(&b->tests);
    pairs_model_free(&b->model);
}

const char *bridge_value(const struct bridge *b, size_t row, const char *name)
{
    int q = pairs_find_param(&b->model, name);
    return q < 0 ? NULL : b->rows[row].values[q];
}

/* ---- placeholders ---- */

static int expand(const struct bridge *b, size_t row, const char *word, struct sbuf *out,
                  struct error *e)
{
    while (*word) {
        size_t n = strcspn(word, "{");
        sbuf_add(out, word, n);
        word += n;
        if (!*word)
            break;
        const char *close = strchr(word, '}');
        if (word[1] == '{' || !close) {
            sbuf_putc(out, '{');
            word += 1 + (word[1] == '{');
            continue;
        }
        char *name = mem_strndup(word + 1, (size_t)(close - word - 1));
        const char *value = bridge_value(b, row, name);
        if (value)
            sbuf_puts(out, value);
        else
            error_set(e, EXIT_USAGE, "{%s}: the model has no parameter of that name", name);
        free(name);
        if (!value)
            return error_todo(e, "write {{ for a brace that is meant as it is");
        word = close + 1;
    }
    return 0;
}

char **bridge_words(const struct bridge *b, size_t row, char *const *words, struct error *e)
{
    size_t n = 0;
    while (words[n])
        n++;
    char **out = mem_alloc(sizeof *out * (n + 1));
    for (size_t i = 0; i < n; i++) {
        struct sbuf text = {0};
        sbuf_puts(&text, "");
        if (expand(b, row, words[i], &text, e)) {
            sbuf_free(&text);
            bridge_free_words(out);
            return NULL;
        }
        out[i] = mem_strdup(sbuf_str(&text));
        sbuf_free(&text);
    }
    return out;
}

void bridge_free_words(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

void bridge_set(struct bridge *b, size_t row, enum bridge_outcome outcome, const char *message)
{
    free(b->rows[row].message);
    b->rows[row].outcome = outcome;
    b->rows[row].message = message ? mem_strdup(message) : NULL;
}

/* ---- what failing rows have in common ---- */

struct hitting {
    const struct bridge *b;
    struct bridge_cause *shared;
    int count; /* of shared values */
    int chosen[MAX_CAUSE];
};

static int cell(const struct bridge *b, size_t row, int q)
{
    return table_row(&b->tests.tests, row)[q];
}

static int shared_values(const struct bridge *b, struct bridge_cause *out)
{
    int n = 0;
    for (int q = 0; q < (int)b->model.params.count; q++) {
        int value = -1;
        for (size_t i = 0; i < b->count; i++)
            if (b->rows[i].outcome == BRIDGE_FAILED)
                value = value == -1 || value == cell(b, i, q) ? cell(b, i, q) : -2;
        if (value >= 0)
            out[n++] = (struct bridge_cause){q, value};
    }
    return n;
}

/* Can every passing row be hit with `left` more values beside those chosen? */
static int hit(struct hitting *h, int chosen, int left)
{
    for (size_t i = 0; i < h->b->count; i++) {
        if (h->b->rows[i].outcome != BRIDGE_PASSED)
            continue;
        int is_hit = 0;
        for (int k = 0; k < chosen && !is_hit; k++) {
            const struct bridge_cause *c = &h->shared[h->chosen[k]];
            is_hit = cell(h->b, i, c->param) != c->value;
        }
        if (is_hit)
            continue;
        for (int k = 0; k < h->count && left > 0; k++) {
            if (cell(h->b, i, h->shared[k].param) == h->shared[k].value)
                continue;
            h->chosen[chosen] = k;
            if (hit(h, chosen + 1, left - 1))
                return 1;
        }
        return 0;
    }
    return 1;
}

int bridge_common(const struct bridge *b, struct bridge_cause *causes, int *exact)
{
    struct bridge_cause *shared = mem_alloc(sizeof *shared * (b->model.params.count + 1));
    struct hitting h = {.b = b, .shared = shared};
    int passed = 0, failed = 0, size = 0, found = 0;
    for (size_t i = 0; i < b->count; i++) {
        passed |= b->rows[i].outcome == BRIDGE_PASSED;
        failed |= b->rows[i].outcome == BRIDGE_FAILED;
    }
    h.count = failed ? shared_values(b, shared) : 0;
    for (size = 1; passed && !found && size <= MAX_CAUSE && size <= h.count; size++)
        found = hit(&h, 0, size);
    *exact = found;
    int n = found ? size - 1 : h.count;
    for (int k = 0; k < n; k++)
        causes[k] = shared[found ? h.chosen[k] : k];
    free(shared);
    return n;
}

/* ---- the report ---- */

static void row_text(const struct bridge *b, size_t i, struct sbuf *out)
{
    for (size_t q = 0; q < b->model.params.count; q++)
        sbuf_printf(out, "%s%s=%s", q ? " " : "", b->model.params.items[q].name,
                    b->rows[i].values[q]);
}

static size_t count_outcome(const struct bridge *b, enum bridge_outcome outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < b->count; i++)
        n += b->rows[i].outcome == outcome;
    return n;
}

static void common_text(const struct bridge *b, struct sbuf *out)
{
    struct bridge_cause *causes = mem_alloc(sizeof *causes * (b->model.params.count + 1));
    int exact, n = bridge_common(b, causes, &exact);
    if (n == 0)
        sbuf_puts(out, "the failing inputs have no value in common\n");
    else
        sbuf_puts(out, exact ? "all failing inputs, and no passing one, have "
                             : "all failing inputs have ");
    for (int k = 0; k < n; k++)
        sbuf_printf(out, "%s%s = %s%s", k ? " and " : "",
                    b->model.params.items[causes[k].param].name,
                    b->model.params.items[causes[k].param].values[causes[k].value].name,
                    k == n - 1 ? "\n" : "");
    free(causes);
}

void bridge_report_text(const struct bridge *b, struct sbuf *out)
{
    size_t failed = count_outcome(b, BRIDGE_FAILED), passed = count_outcome(b, BRIDGE_PASSED),
           incomplete = count_outcome(b, BRIDGE_INCOMPLETE);
    sbuf_printf(out, "%zu of %zu inputs fail, %zu pass", failed, b->count, passed);
    if (incomplete)
        sbuf_printf(out, ", %zu incomplete", incomplete);
    if (passed + failed + incomplete < b->count)
        sbuf_printf(out, ", %zu not run", b->count - passed - failed - incomplete);
    sbuf_putc(out, '\n');
    for (size_t i = 0; i < b->count; i++) {
        if (b->rows[i].outcome != BRIDGE_FAILED)
            continue;
        sbuf_printf(out, "  input %zu: ", i + 1);
        row_text(b, i, out);
        sbuf_printf(out, "%s%s\n", b->rows[i].message ? ": " : "",
                    b->rows[i].message ? b->rows[i].message : "");
    }
    if (failed)
        common_text(b, out);
}

static void row_json(const struct bridge *b, size_t i, struct sbuf *out)
{
    static const char *const names[] = {"not run", "passed", "failed", "incomplete"};
    sbuf_printf(out, "{\"outcome\": \"%s\", \"inputs\": {", names[b->rows[i].outcome]);
    for (size_t q = 0; q < b->model.params.count; q++) {
        sbuf_puts(out, q ? ", " : "");
        sbuf_json(out, b->model.params.items[q].name);
        sbuf_puts(out, ": ");
        sbuf_json(out, b->rows[i].values[q]);
    }
    sbuf_putc(out, '}');
    if (b->rows[i].message) {
        sbuf_puts(out, ", \"message\": ");
        sbuf_json(out, b->rows[i].message);
    }
    sbuf_putc(out, '}');
}

void bridge_report_json(const struct bridge *b, struct sbuf *out)
{
    struct bridge_cause *causes = mem_alloc(sizeof *causes * (b->model.params.count + 1));
    int exact, n = bridge_common(b, causes, &exact);
    sbuf_printf(out, "{\"rows\": %zu, \"failed\": %zu, \"passed\": %zu, \"runs\": [", b->count,
                count_outcome(b, BRIDGE_FAILED), count_outcome(b, BRIDGE_PASSED));
    for (size_t i = 0; i < b->count; i++) {
        sbuf_puts(out, i ? ", " : "");
        row_json(b, i, out);
    }
    sbuf_printf(out, "], \"common\": {\"exact\": %s, \"values\": {", exact ? "true" : "false");
    for (int k = 0; k < n; k++) {
        sbuf_puts(out, k ? ", " : "");
        sbuf_json(out, b->model.params.items[causes[k].param].name);
        sbuf_puts(out, ": ");
        sbuf_json(out, b->model.params.items[causes[k].param].values[causes[k].value].name);
    }
    sbuf_puts(out, "}}}");
    free(causes);
}
