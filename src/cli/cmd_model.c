/* raddle model: reads a model, then formats, exports, simulates, or searches it. */
#include "cli/cli.h"
#include "cli/terminal.h"

#include "base/bounded.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "cli/model_page.h"
#include "cli/verdict.h"
#include "model/chart.h"
#include "model/format.h"
#include "model/gen.h"
#include "model/graph.h"
#include "model/promela.h"
#include "model/report.h"
#include "model/simulate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct model_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_model.def"
#undef OPT
};

#define OPT_OWNER model_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_model.def"
#undef OPT
};

const struct opt_command cmd_model_options = {
    .name = "model",
    .usage = "[options] FILE.efsm",
    .summary =
        "builds the reachability graph of a message-passing system described as state machines",
    .description =
        "The model (docs/model.md) is a system of multi-port extended finite state machines that "
        "send "
        "each other messages. The graph is built under a communication scheme and searched for "
        "deadlocks, unspecified receptions, violated assertions and invariants, port overflows and "
        "transitions that are never executed. A finding is shown as a message sequence chart.\n\n"
        "A reduced graph keeps every deadlock, every violated assertion and every violated "
        "invariant. "
        "bsra and sra need sends of different processes to be independent, which they are under async, "
        "fifo "
        "and causal communication.\n\n"
        "Exit status: 0 nothing found and complete, 1 bug, 2 incomplete (memory, time, port "
        "overflow), "
        "64 the model or an option is wrong.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

static int write_text(const char *file, const struct sbuf *b, struct error *e)
{
    FILE *f = strcmp(file, "-") ? fopen(file, "w") : stdout;
    if (f)
        foreign_print(f, sbuf_str(b), FOREIGN_PLAIN);
    if (!f || ferror(f) || (f != stdout && fclose(f)))
        return error_set(e, EXIT_CANNOT_START, "cannot write %s: %s", file, strerror(errno));
    return 0;
}

static int format_model(const struct model_options *o, const struct model_source *src, const char *file,
                        struct error *e)
{
    struct sbuf b = {0};
    format_source(src, &b);
    int r = write_text(o->in_place ? file : "-", &b, e);
    sbuf_free(&b);
    return r ? error_print(e) : 0;
}

static int ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

static int is_stdout(const char *file)
{
    return file && !strcmp(file, "-");
}

static int check_names(const struct model_options *o, struct error *e)
{
    if (o->graph && !ends_in(o->graph, ".dot") && !ends_in(o->graph, ".aut") &&
        !ends_in(o->graph, ".json"))
        return error_set(e, EXIT_USAGE, "--graph %s: the name must end in .dot, .aut or .json",
                         o->graph);
    if (o->chart && !ends_in(o->chart, ".svg") && !ends_in(o->chart, ".dot") &&
        !ends_in(o->chart, ".txt"))
        return error_set(e, EXIT_USAGE, "--chart %s: the name must end in .svg, .dot or .txt",
                         o->chart);
    if (is_stdout(o->json) + is_stdout(o->junit) + is_stdout(o->html) > 1)
        return error_set(e, EXIT_USAGE, "only one format can be written to standard output");
    if (o->capacity < 1 || o->capacity > 250)
        return error_set(e, EXIT_USAGE, "--capacity is 1 to 250, not %lld", o->capacity);
    if (o->jobs < 1 || o->jobs > 64)
        return error_set(e, EXIT_USAGE, "--jobs is 1 to 64, not %lld", o->jobs);
    return 0;
}

static int check_options(const struct model_options *o, enum scheme scheme, enum reduce reduce,
                         struct error *e)
{
    int simultaneous = reduce >= REDUCE_BSRA && reduce <= REDUCE_SRA;
    if (simultaneous && (scheme == SCHEME_MAILBOX || scheme == SCHEME_INSTANT)) {
        error_set(e, EXIT_USAGE, "--reduce %s is not possible under %s communication", o->reduce,
                  o->scheme);
        return error_todo(e, "it needs sends of different processes to be independent: async, fifo "
                             "or causal");
    }
    if (reduce == REDUCE_POR && scheme == SCHEME_INSTANT)
        return error_set(e, EXIT_USAGE, "--reduce por is not possible under instant communication");
    if (o->jobs > 1 && (reduce == REDUCE_BSRA_SLEEP || !strcmp(o->search, "dfs")))
        return error_set(e, EXIT_USAGE, "--jobs needs breadth-first search without sleep sets");
    if (o->compact && reduce == REDUCE_BSRA_SLEEP)
        return error_set(e, EXIT_USAGE, "--hash-compaction is not possible with sleep sets");
    if (o->compact && o->graph)
        return error_set(e, EXIT_USAGE, "--graph needs the states: not with --hash-compaction");
    return check_names(o, e);
}

static enum reduce reduce_of(const char *name)
{
    for (enum reduce r = REDUCE_NONE; r < REDUCE_POR; r++)
        if (!strcmp(model_report_reduce_name(r), name))
            return r;
    return REDUCE_POR;
}

static int write_chart(struct model_search *se, const char *file, struct error *e)
{
    const struct model_finding *f = model_report_worst(se);
    if (!f)
        return 0;
    struct sbuf b = {0}, title = {0};
    step_list steps = {0};
    struct chart c;
    search_trace(se, f, &steps);
    chart_build(&c, se->s, &steps);
    model_report_finding_line(se, f, &title);
    if (ends_in(file, ".svg"))
        chart_svg(&c, sbuf_str(&title), &b);
    else if (ends_in(file, ".dot"))
        chart_dot(&c, &b);
    else
        chart_text(&c, 0, &b);
    int r = write_text(file, &b, e);
    chart_free(&c);
    vec_free(&steps);
    sbuf_free(&b);
    sbuf_free(&title);
    return r;
}

/* The formats that are made of the text. */
static int write_formats(struct model_search *se, const struct model_options *o, const char *file,
                         const struct sbuf *text, struct error *e)
{
    struct sbuf b = {0};
    int r = verdict_junit(o->junit, "raddle model", file, se->seconds, model_report_status(se), text, e);
    if (!r && o->json) {
        model_report_json(se, &b);
        r = write_text(o->json, &b, e);
    }
    b.len = 0;
    if (!r && o->html) {
        model_page(se, text, &b);
        r = write_text(o->html, &b, e);
    }
    sbuf_free(&b);
    return r;
}

static int write_results(struct model_search *se, const struct model_options *o, const char *file,
                         struct error *e)
{
    struct sbuf text = {0};
    model_report_text(se, o->all, 0, &text);
    if (!is_stdout(o->json) && !is_stdout(o->junit) && !is_stdout(o->html)) {
        struct sbuf shown = {0};
        model_report_text(se, o->all, terminal_width(stdout), &shown);
        terminal_wrap(stdout, sbuf_str(&shown));
        sbuf_free(&shown);
    }
    int r = write_formats(se, o, file, &text, e);
    sbuf_free(&text);
    if (!r && o->graph)
        r = graph_write(se, o->graph, e);
    if (!r && o->chart)
        r = write_chart(se, o->chart, e);
    return r;
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    interrupted = signal;
}

/* The first Ctrl-C ends the search with what was found so far, a second one ends the tool. */
static void catch_interrupts(void)
{
    struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

static int search_model(const struct model_options *o, const struct sys *s, enum reduce reduce,
                        const char *file)
{
    struct error e = {0};
    struct model_search se;
    struct search_options so = {.reduce = reduce,
                                .depth_first = !strcmp(o->search, "dfs"),
                                .jobs = (int)o->jobs,
                                .memory = o->memory ? o->memory : bounded_half(),
                                .seconds = o->time,
                                .compact = o->compact,
                                .stop_at_first = o->first,
                                .interrupted = &interrupted,
                                .quiet = o->quiet,
                                .interpret = !strcmp(o->engine, "interpret"),
                                .compile = !strcmp(o->engine, "compile")};
    catch_interrupts();
    search_run(&se, s, &so);
    int r = write_results(&se, o, file, &e);
    int status = r ? error_print(&e) : model_report_status(&se);
    search_free(&se);
    return status;
}

static int print_export(char *text, struct error *e)
{
    if (!text)
        return error_print(e);
    foreign_print(stdout, text, FOREIGN_PLAIN);
    free(text);
    return 0;
}

static int run_model(const struct model_options *o, const char *file, struct error *e)
{
    struct model_source src;
    struct ast a;
    struct sys s;
    enum scheme scheme = (enum scheme)sys_scheme_parse(o->scheme);
    enum reduce reduce = reduce_of(o->reduce);
    if (check_options(o, scheme, reduce, e) || model_source_read(&src, file, e) || ast_parse(&src, &a, e))
        return error_print(e);
    if (o->format)
        return format_model(o, &src, file, e);
    if (sys_load(&s, &a, o->define.items, o->define.count, e))
        return error_print(e);
    if (o->deadlocks)
        s.ninvariants = 0;
    if (sys_layout(&s, scheme, (int)o->capacity, e))
        return error_print(e);
    if (o->to_promela)
        return print_export(promela_text(&s, e), e);
    if (o->to_c)
        return print_export(gen_text(&s), e);
    if (o->simulate)
        return simulate(&s, o->seed, o->steps, o->guided);
    return search_model(o, &s, reduce, file);
}

int cmd_model(int argc, char **argv)
{
    struct model_options o = {.scheme = "fifo",
                              .reduce = "none",
                              .search = "bfs",
                              .engine = "auto",
                              .capacity = 16,
                              .jobs = 1,
                              .steps = 100,
                              .seed = -1};
    struct error e = {0};
    int first = opt_parse(&cmd_model_options, argc, argv, &o, &e);
    if (first < 0)
        return error_print(&e);
    if (argc - first != 1) {
        error_set(&e, EXIT_USAGE, "raddle model wants one model");
        error_todo(&e, "usage: raddle model %s", cmd_model_options.usage);
        return error_print(&e);
    }
    return run_model(&o, argv[first], &e);
}
