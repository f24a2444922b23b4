/* libFuzzer target for everything that reads a file in raddle pairs: models in PICT's format and
 * ACTS XML, constraints, and for small models the generator and the checker behind them. */
#include "pairs/check.h"
#include "pairs/generate.h"
#include "pairs/model.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_small(const struct pairs_model *m)
{
    size_t values = 0;
    for (size_t i = 0; i < m->params.count; i++)
        values += (size_t)m->params.items[i].count;
    return m->params.count <= 8 && values <= 32 && m->constraints.count <= 8;
}

static void generate(const struct pairs_model *m)
{
    struct pairs_options o = {.strength = 2};
    struct pairs_result r;
    struct check_report report;
    struct error e;
    if (pairs_generate(m, &o, &r, &e))
        return;
    const int16_t **rows = mem_alloc(sizeof *rows * (r.tests.count + 1));
    for (size_t i = 0; i < r.tests.count; i++)
        rows[i] = table_row(&r.tests, i);
    check_tests(m, 2, rows, r.tests.count, &report);
    if (check_status(&report) == EXIT_BUG)
        abort();
    check_free(&report);
    free(rows);
    pairs_result_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct pairs_read_options read = PAIRS_READ_DEFAULTS;
    struct pairs_model m;
    struct error e;
    if (pairs_parse_model(&m, "fuzz", (const char *)data, size, &read, &e))
        return 0;
    if (is_small(&m))
        generate(&m);
    pairs_model_free(&m);
    return 0;
}
