/* raddle report: says again what raddle run said, from the output folder. */
#include "cli/cli.h"
#include "base/foreign.h"
#include "cli/formats.h"
#include "cli/outdir.h"
#include "cli/terminal.h"
#include "report/coverage.h"
#include "report/diagram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_options {
    struct formats formats;
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_report.def"
#undef OPT
};
#define OPT_OWNER report_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_report.def"
#undef OPT
#define FORMAT FORMATS_ROW
#include "report/formats.def"
#undef FORMAT
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

static int put_file(const char *path, const struct sbuf *text, struct error *e)
{
    if (strcmp(path, "-"))
        return outdir_write(path, sbuf_str(text), text->len, e);
    foreign_print(stdout, sbuf_str(text), FOREIGN_PLAIN);
    return 0;
}

static int draw(const struct report_options *o, const struct report *r, struct error *e)
{
    struct sbuf svg = {0}, dot = {0};
    if (!r->findings.count)
        return error_set(e, EXIT_USAGE, "the run has no finding to draw; raddle check-sequence draws "
                                        "any sequence");
    const struct tale *t = &r->findings.items[0].tale;
    struct names n;
    names_init(&n, t);
    diagram_svg(&n, t, o->races, &svg);
    diagram_dot(&n, t, o->races, &dot);
    int failed = (o->svg && put_file(o->svg, &svg, e)) || (o->dot && put_file(o->dot, &dot, e));
    names_free(&n);
    sbuf_free(&svg);
    sbuf_free(&dot);
    return failed ? -1 : 0;
}

static int print(const struct report_options *o, const struct report *r, struct error *e)
{
    struct sbuf out = {0};
    if (formats_check(&o->formats, e))
        return -1;
    if (formats_wanted(&o->formats))
        return formats_write(&o->formats, r) ? error_set(e, EXIT_USAGE, "the report is not complete") : 0;
    struct style style = style_for(STDOUT_FILENO);
    style.all = o->all;
    report_text(r, style, &out);
    terminal_print(sbuf_str(&out), r);
    sbuf_free(&out);
    return 0;
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
    char *folder = first < 0 ? NULL : outdir_result(first < argc ? argv[first] : "raddle-out/latest");
    int loaded = folder && !report_load(&r, folder, &e);
    free(folder);
    if (!loaded)
        return error_print(&e);
    int failed = choose(&r, o.finding, &e) ||
                 (o.svg || o.dot ? draw(&o, &r, &e) : print(&o, &r, &e));
    report_free(&r);
    return failed ? error_print(&e) : 0;
}
