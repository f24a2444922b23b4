/* raddle report: says again what raddle run said, from the output folder. */
#include "cli/cli.h"
#include "cli/outdir.h"
#include "report/coverage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct report_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_report.def"
#undef OPT
};
#define OPT_OWNER report_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_report.def"
#undef OPT
};

const struct opt_command cmd_report_options = {
    .name = "report",
    .usage = "[options] [DIR | CSV…]",
    .summary = "print the report of an earlier run again",
    .description = "DIR is an output folder of raddle run; without it raddle-out/latest is told.\n\n"
                   "With --coverage the operands are files that raddle run --coverage wrote, one per "
                   "engine; gnuplot draws them into one picture: distinct states against executions, "
                   "and their share against the bound for engines that have one.\n\n"
                   "Exit status: 0 if the report could be told, 64 otherwise.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

static int choose(struct report *r, long long wanted, struct error *e)
{
    if (!wanted)
        return 0;
    if (wanted < 1 || (size_t)wanted > r->findings.count)
        return error_set(e, EXIT_USAGE, "there is no finding %lld; the run has %zu", wanted,
                         r->findings.count);
    struct report_finding first = r->findings.items[0];
    r->findings.items[0] = r->findings.items[wanted - 1];
    r->findings.items[wanted - 1] = first;
    return 0;
}

static int print(const struct report_options *o, const struct report *r, struct error *e)
{
    struct sbuf out = {0};
    int status = 0;
    if (o->json)
        report_json(r, &out);
    else
        report_text(r, style_for(STDOUT_FILENO), &out);
    if (o->json && strcmp(o->json, "-"))
        status = outdir_write(o->json, sbuf_str(&out), out.len, e);
    else
        fputs(sbuf_str(&out), stdout);
    sbuf_free(&out);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct report_options o = {0};
    struct report r;
    struct error e;
    int first = opt_parse(&cmd_report_options, argc, argv, &o, &e);
    if (first >= 0 && o.coverage) {
        if (first == argc)
            error_set(&e, EXIT_USAGE, "raddle report --coverage: no CSV file given");
        else if (!coverage_draw(argv + first, argc - first, o.coverage, &e))
            return 0;
        return error_print(&e);
    }
    if (first >= 0 && argc - first > 1)
        first = error_set(&e, EXIT_USAGE, "raddle report tells one folder, not %d", argc - first);
    if (first < 0 || report_load(&r, first < argc ? argv[first] : "raddle-out/latest", &e))
        return error_print(&e);
    int failed = choose(&r, o.finding, &e) || print(&o, &r, &e);
    report_free(&r);
    return failed ? error_print(&e) : 0;
}
