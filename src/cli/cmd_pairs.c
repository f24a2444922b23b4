/* raddle pairs: tests that cover every combination of t parameter values of a model, and the
 * checker for such tests. Reads the model, hands it to src/pairs, prints. */
#include "base/bounded.h"
#include "base/error.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/sbuf.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "cli/verdict.h"
#include "pairs/check.h"
#include "pairs/generate.h"
#include "pairs/plan.h"
#include "pairs/tests.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pairs_command {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_pairs.def"
#undef OPT
};

#define OPT_OWNER pairs_command
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_pairs.def"
#undef OPT
};

const struct opt_command cmd_pairs_options = {
    .name = "pairs",
    .usage = "[options] MODEL\n       raddle pairs --check [options] MODEL TESTS",
    .summary = "choose inputs: few tests that cover all pairs (or t-tuples) of parameter values",
    .description =
        "MODEL lists parameters with their values, groups with a strength of their own, and "
        "constraints, in PICT's format (with additions) or as ACTS XML; - is standard input. Every "
        "combination of values of any t parameters that some valid test contains is in one of the "
        "tests printed, and every test satisfies the constraints.\n\n"
        "A parameter is a line 'name: value, value'. A value may have aliases 'a | b', a weight "
        "'a (10)', be invalid '~a' (at most one per test), or stand for a class of equivalent "
        "values 'small = { 1, 2, 5..9 }' whose members are used in turn. '{ A, B, C } @ 3' covers "
        "a group with another strength. Constraints are 'IF [A] = \"x\" THEN [B] IN {\"y\", "
        "\"z\"};', "
        "comparisons and arithmetic '[A] + [B] <= 10;', forbidden combinations 'forbid [A] = 1, "
        "[B] = 2;' or by column 'forbid (x, y, *, *);'. The whole format is described in "
        "docs/pairs.md.\n\n"
        "With --check, TESTS (in any of the output formats) is verified by code that shares "
        "nothing "
        "with the generator.\n\n"
        "Exit status: 0 done (--check: valid and complete); 1 no test satisfies the constraints "
        "(--check: an invalid test or an uncovered tuple); 2 --check could not decide, or "
        "--time or --memory was not enough; 64 a mistake in the options, "
        "the model or the tests, told with line and column.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

static volatile sig_atomic_t interrupted;
static volatile int stop;

static void on_interrupt(int signal)
{
    interrupted = stop = signal;
}

static struct progress progress;

static void tell(void *context, size_t tests, size_t uncovered, size_t bound)
{
    if (progress_due(&progress))
        progress_line(&progress,
                      "optimize: %s tests, at least %s needed, trying one less: %s "
                      "tuples open, %.0f s",
                      progress_number(tests), progress_number(bound), progress_number(uncovered),
                      progress_now() - progress.started);
}

static int one_char(const char *text, const char *option, char *into, struct error *e)
{
    if (!text)
        return 0;
    if (strlen(text) != 1)
        return error_set(e, EXIT_USAGE, "--%s wants one character, not '%s'", option, text);
    *into = text[0];
    return 0;
}

static int read_options(const struct pairs_command *c, struct pairs_read_options *o,
                        struct error *e)
{
    *o = (struct pairs_read_options)PAIRS_READ_DEFAULTS;
    o->case_sensitive = c->case_sensitive;
    o->warn = error_warn;
    return one_char(c->separator, "separator", &o->separator, e) ||
           one_char(c->alias, "alias", &o->alias, e) ||
           one_char(c->negative, "negative", &o->negative, e);
}

/* "P=V,P=V": base choices. */
static int set_base(struct pairs_model *m, const char *text, struct error *e)
{
    char *copy = mem_strdup(text), *rest = copy, *one;
    int bad = 0;
    while (!bad && (one = strsep(&rest, ",")) && *text) {
        char *eq = strchr(one, '=');
        int p = -1, v = -1;
        if (eq) {
            *eq = 0;
            p = pairs_find_param(m, one);
            v = p >= 0 ? pairs_find_value(m, p, eq + 1) : -1;
        }
        if (v < 0)
            bad = error_set(e, EXIT_USAGE, "--base: %s '%s'",
                            !eq     ? "expected P=V instead of"
                            : p < 0 ? "no parameter is called"
                                    : "no such value:",
                            p < 0 ? one : eq + 1);
        else
            m->params.items[p].base = v;
    }
    free(copy);
    return bad;
}

/* What people read, not programs. */
static void make_harmless(struct sbuf *text)
{
    struct sbuf shown = {0};
    foreign_put(&shown, sbuf_str(text), FOREIGN_PLAIN);
    sbuf_free(text);
    *text = shown;
}

static int write_out(const struct pairs_command *c, struct sbuf *text, struct error *e)
{
    if (!c->out && (c->check || c->plan || isatty(STDOUT_FILENO)))
        make_harmless(text);
    FILE *f = c->out ? fopen(c->out, "w") : stdout;
    int bad = !f || (text->len && fwrite(text->s, 1, text->len, f) != text->len) || fflush(f);
    int cause = errno;
    if (f && c->out)
        bad |= fclose(f) != 0;
    sbuf_free(text);
    if (bad)
        return error_set(e, EXIT_USAGE, "cannot write %s: %s", c->out ? c->out : "the output",
                         strerror(cause));
    return 0;
}

static void tell_notes(const struct pairs_command *c, const char *path, const struct tests_notes *n)
{
    if (c->quiet)
        return;
    if (n->unknown_columns)
        foreign_printf(stderr, "%s: parameters the model does not have are ignored\n", path);
    if (n->unknown_values)
        foreign_printf(stderr, "%s: %zu values the model does not have are left open (%s)\n", path,
                n->unknown_values, n->first_value);
}

static int check(const struct pairs_command *c, const struct pairs_model *m, const char *path,
                 struct error *e)
{
    struct table t;
    struct tests_notes notes;
    struct check_report report;
    struct sbuf out = {0};
    double began = progress_now();
    if (tests_read(m, path, &t, &notes, e))
        return -1;
    tell_notes(c, path, &notes);
    const int16_t **all = mem_alloc(sizeof *all * (t.count + 1));
    for (size_t i = 0; i < t.count; i++)
        all[i] = table_row(&t, i);
    check_tests(m, (int)c->strength, all, t.count, &report);
    if (c->format && !strncmp(c->format, "json", 4))
        check_json(m, &report, (int)c->strength, &out);
    else
        check_text(m, &report, (int)c->strength, c->impossible ? (size_t)-1 : 50, c->impossible,
                   &out);
    bounded_end();
    int status = check_status(&report);
    if (verdict_junit(c->junit, "raddle pairs --check", path, progress_now() - began, status, &out, e))
        status = -1;
    check_free(&report);
    free(all);
    table_free(&t);
    return status < 0 || write_out(c, &out, e) ? -1 : status;
}

static void tell_impossible(const struct pairs_model *m, const struct pairs_result *r)
{
    fprintf(stderr, "impossible:\n");
    for (size_t i = 0; i < r->impossible.count; i++) {
        const struct impossible *x = &r->impossible.items[i];
        for (int k = 0; k < x->count; k++)
            foreign_printf(stderr, "%s%s = %s", k ? ", " : "  ", m->params.items[x->params[k]].name,
                    m->params.items[x->params[k]].values[x->values[k]].name);
        fputc('\n', stderr);
    }
}

static void tell_summary(const struct pairs_command *c, const struct pairs_model *m,
                         const struct pairs_result *r)
{
    int json = c->format && !strcmp(c->format, "json");
    if (c->impossible && r->impossible.count && !json)
        tell_impossible(m, r);
    if (c->quiet)
        return;
    struct sbuf line = {0};
    sbuf_printf(&line, "%s tests", progress_number(r->tests.count));
    if (r->tuples)
        sbuf_printf(&line, " cover all %s tuples of t = %lld", progress_number(r->tuples),
                c->strength);
    if (r->impossible.count)
        sbuf_printf(&line, " (%s more are impossible)", progress_number(r->impossible.count));
    if (r->lower_bound > 1)
        sbuf_printf(&line, "; no set has fewer than %s", progress_number(r->lower_bound));
    if (c->seed_tests)
        sbuf_printf(&line, "; %zu tests kept, %zu adapted", r->seeds_kept, r->seeds_adapted);
    sbuf_printf(&line, "%s\n", interrupted ? " (interrupted)" : "");
    terminal_wrap(stderr, sbuf_str(&line));
    sbuf_free(&line);
}

static enum tests_format format_of(const struct pairs_command *c)
{
    return !c->format || !strcmp(c->format, "text") ? TESTS_TEXT
           : !strcmp(c->format, "csv")              ? TESTS_CSV
           : !strcmp(c->format, "json")             ? TESTS_JSON
                                                    : TESTS_JSONL;
}

/* The tests to keep. */
static int read_seeds(const struct pairs_command *c, const struct pairs_model *m, struct table *t,
                      struct error *e)
{
    struct tests_notes notes;
    if (c->seed_tests) {
        if (tests_read(m, c->seed_tests, t, &notes, e))
            return -1;
        tell_notes(c, c->seed_tests, &notes);
        return 0;
    }
    table_init(t, (int)m->params.count);
    return 0;
}

static double optimize_seconds(const struct pairs_command *c)
{
    return c->optimize < 0 ? 60 : c->optimize;
}

static int generate(const struct pairs_command *c, const struct pairs_source *text,
                    const struct pairs_read_options *read, struct pairs_model *m, struct error *e)
{
    struct table seeds;
    struct pairs_result r;
    struct sbuf out = {0};
    struct pairs_options o = {.strength = (int)c->strength,
                              .seed = (uint64_t)c->seed,
                              .exact = c->exact,
                              .figures = c->method && !strcmp(c->method, "ipo"),
                              .plain_ipo = c->method && !strcmp(c->method, "ipog"),
                              .base = c->base != NULL,
                              .optimize = optimize_seconds(c),
                              .keep_order = c->keep_order,
                              .seeds = &seeds,
                              .stop = &stop,
                              .tell = tell};
    if ((c->base && set_base(m, c->base, e)) || read_seeds(c, m, &seeds, e))
        return -1;
    progress_begin(&progress, c->quiet || !c->optimize);
    int bad = pairs_generate(m, &o, &r, e);
    progress_end(&progress);
    table_free(&seeds);
    if (bad)
        return -1;
    if (c->plan)
        bad = plan_write(text, read, m, &o, &r, &out, e);
    else
        tests_write(m, &r, (int)c->strength, format_of(c), c->impossible, &out);
    bounded_end();
    if (!bad)
        bad = write_out(c, &out, e);
    if (!bad)
        tell_summary(c, m, &r);
    sbuf_free(&out);
    pairs_result_free(&r);
    return bad;
}

static int run(struct pairs_command *c, char **operands, int count, struct error *e)
{
    struct pairs_source text;
    struct pairs_model m;
    struct pairs_read_options read;
    if (count != (c->check ? 2 : 1))
        return error_set(e, EXIT_USAGE, "raddle pairs wants %s",
                         c->check ? "a model and a file of tests" : "one model file");
    if (c->strength < 1 || c->strength > PAIRS_MAX_STRENGTH)
        return error_set(e, EXIT_USAGE, "--strength is 1 to %d", PAIRS_MAX_STRENGTH);
    if (c->junit && (!c->check || !strcmp(c->junit, "-")))
        return error_set(e, EXIT_USAGE, "--junit FILE goes with --check");
    if (c->plan && c->format)
        return error_set(e, EXIT_USAGE, "--plan prints a plan, not tests: leave --format out");
    if (read_options(c, &read, e) || pairs_source_read(&text, operands[0], e))
        return -1;
    bounded_begin(&(struct bounded){c->check ? "checking the tests" : "choosing the tests",
                                    c->time ? c->time + optimize_seconds(c) : 0, c->memory, NULL});
    int bad = pairs_parse_model(&m, text.name, text.text, text.length, &read, e), status = 0;
    read.warn = NULL; /* planning reads it again */
    if (!bad) {
        status = c->check ? check(c, &m, operands[1], e) : generate(c, &text, &read, &m, e);
        pairs_model_free(&m);
    }
    pairs_source_free(&text);
    return bad ? -1 : status;
}

int cmd_pairs(int argc, char **argv)
{
    struct pairs_command c = {.strength = 2};
    struct error e = {0};
    int first = opt_parse(&cmd_pairs_options, argc, argv, &c, &e);
    if (first < 0)
        return error_print(&e);
    if (c.optimize) {
        struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
        sigaction(SIGINT, &act, NULL);
        sigaction(SIGTERM, &act, NULL);
    }
    int status = run(&c, argv + first, argc - first, &e);
    return status < 0 ? error_print(&e) : status;
}
