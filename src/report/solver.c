/* What was asked of the solver (symbolic inputs), for --verbose and the JSON. */
#include "report/solver.h"

#include "base/progress.h"
#include "report/formats.h"

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

void report_solver(const struct report *r, struct sbuf *out)
{
    const struct {
        const char *what;
        uint64_t count;
    } layers[] = {{"constants", r->solver_constant}, {"sets of a byte's values", r->solver_bytes},
                  {"known from before", r->solver_cached}, {"all combinations tried", r->solver_tried},
                  {"SAT", r->solver_sat}};
    sbuf_printf(out, "solver: %s questions, %.1f%% of the time", progress_number(r->solver_asked),
                100 * r->solver_share);
    sbuf_printf(out, "; %s cannot be", progress_number(r->solver_impossible));
    sbuf_printf(out, ", %s not found out; ", progress_number(r->solver_unknown));
    sbuf_printf(out, "%s executions begun again with other inputs\n", progress_number(r->solver_repairs));
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        sbuf_printf(out, "  %-24s %12s %5.1f%%\n", layers[i].what, progress_number(layers[i].count),
                    percent(layers[i].count, r->solver_asked));
}

void report_solver_json(const struct report *r, struct sbuf *out)
{
    const struct {
        const char *key;
        uint64_t count;
    } rows[] = {{"constant", r->solver_constant},     {"bytes", r->solver_bytes},
                {"cached", r->solver_cached},         {"tried", r->solver_tried},
                {"sat", r->solver_sat},               {"impossible", r->solver_impossible},
                {"unknown", r->solver_unknown},       {"repairs", r->solver_repairs}};
    format_key(out, "solver");
    sbuf_printf(out, "{\"asked\":%llu", (unsigned long long)r->solver_asked);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        sbuf_printf(out, ",\"%s\":%llu", rows[i].key, (unsigned long long)rows[i].count);
    sbuf_printf(out, ",\"share\":%.4g}", r->solver_share);
}
