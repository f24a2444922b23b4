/* raddle run: explores a program and reports. */
#include "cli/cli.h"
#include "base/foreign.h"
#include "base/stop.h"
#include "host/gather.h"
#include "host/kept.h"
#include "host/property.h"
#include "cli/inputs.h"
#include "cli/formats.h"
#include "cli/terminal.h"
#include "cli/outdir.h"
#include "cli/run_farm.h"
#include "cli/run_reach.h"
#include "cli/run_search.h"
#include "cli/run_sequences.h"
#include "cli/run_tests.h"
#include "cli/run_unfold.h"
#include "explore/engine.h"
#include "report/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run_options {
    struct formats formats;
    struct known known;
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_run.def"
#undef OPT
};
#define OPT_OWNER run_options
static const char engine_help[] = "how to explore; by default auto. One of"
#define ENGINE_OF_USER(name) " " name
#define ENGINE_OF_INNER(name)
#define ENGINE(symbol, name, use) ENGINE_OF_##use(name)
#include "explore/engines.def"
#undef ENGINE
    ;
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_run.def"
#undef OPT
#define FORMAT FORMATS_ROW
#include "report/formats.def"
#undef FORMAT
};

const struct opt_command cmd_run_options = {
    .name = "run",
    .usage = "[options] [--] PROGRAM [ARGUMENT…]",
    .summary = "explore the interleavings of a program built with raddle cc",
    .description =
        "Runs the program again and again, each time with another interleaving of its threads, until "
        "all have been tried, a bug is found or a budget is used up. A bug is told with its schedule "
        "and kept in raddle-out/, from where raddle replay runs it again.\n\n"
        "The verdict is one of: safe (every behaviour was explored), safe up to a bound, incomplete "
        "(and why), bug. Found are: crashes and aborts, failed assertions, heap errors, deadlocks, "
        "livelocks and hangs, misuse of locks, data races, bad exit statuses.\n\n"
        "Standard input, if it is a file or a pipe, is read to its end first and given to every "
        "execution anew. C11 memory orders weaker than seq_cst are explored as seq_cst.\n\n"
        "Options also come from a file raddle.conf where raddle run is called (lines \"time = 60s\", "
        "\"keep-going\"; # begins a comment; RADDLE_CONF names another file) and from the variable "
        "RADDLE_OPTIONS (words as on the command line). The variable overrules the file, the command line "
        "both; what came from them is told.\n\n"
        "No finding is reported before it was replayed in a fresh process. One that does not appear again "
        "makes raddle search again with a process for each execution (--isolate fork); what can still not "
        "be reproduced, and a livelock that did not appear again, is told as a note and leaves the verdict "
        "incomplete.\n\n"
        "Ctrl-C (or SIGTERM) ends the search and reports what was found so far; a second one stops at once. "
        "All processes end with the command, whatever ends it.\n\n"
        "Exit status: 0 no bug and complete, 1 bug (with --keep-going also if the search is not "
        "complete: the report says so, \"complete\" in the JSON), 2 no bug but incomplete, 3 the "
        "program could not be started, 64 usage, 70 internal error, 74 no bug, but a file that was asked for "
        "could not be written.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
    .stop_at_operand = 1,
};

static const struct run_options defaults = {
    .engine = "auto",
    .bound = -1,
    .memory = 1ull << 30,
    .hang = 5,
    .jobs = 1,
    .por = "off",
    .sleep = "on",
    .symmetry = "on",
    .shrink = 1,
    .concretise = 64,
#define KEPT_DEFAULT_INT(field, otherwise) .field = otherwise,
#define KEPT_DEFAULT_COUNT KEPT_DEFAULT_INT
#define KEPT_DEFAULT_SIZE KEPT_DEFAULT_INT
#define KEPT_DEFAULT_FLAG KEPT_DEFAULT_INT
#define KEPT_DEFAULT_CHOICE(field, otherwise)
#define KEPT_DEFAULT_TEXT(field, otherwise)
#define KEPT_DEFAULT_TEXTS(field, otherwise)
#define KEPT(type, field, key, letter, arg, otherwise, help) KEPT_DEFAULT_##type(field, otherwise)
#include "trace/kept.def"
#undef KEPT
};

static int out_of_range(struct error *e, const char *name, const char *range)
{
    return error_set(e, EXIT_USAGE, "--%s must be %s", name, range);
}

static int check_ranges(const struct run_options *o, struct error *e)
{
    if (o->max_steps < 1 || o->max_steps > 50000000)
        return out_of_range(e, "max-steps", "between 1 and 50000000");
    if (o->max_threads < 1 || o->max_threads > EVENT_MAX_THREADS - 1)
        return out_of_range(e, "max-threads", "between 1 and 255");
    if (o->depth < 0 || o->depth > UINT32_MAX)
        return out_of_range(e, "depth", "a number of steps");
    if (o->bound < -1 || o->bound > 1000000)
        return out_of_range(e, "bound", "between 0 and 1000000");
    if (o->max_executions < 0)
        return out_of_range(e, "max-executions", "positive");
    if (o->hang < 0.05 || o->hang > 86400)
        return out_of_range(e, "hang", "between 50ms and 1d");
    if (o->jobs < 1 || o->jobs > SUPERVISE_WORKERS)
        return out_of_range(e, "jobs", "between 1 and 64");
    if (o->jobs > 1 && o->coverage)
        return out_of_range(e, "jobs", "1 with --coverage");
    if (o->jobs > 1 && o->cache)
        return out_of_range(e, "jobs", "1 with --cache, which keeps what it has seen in one worker");
    if (o->jobs > 1 && o->reduce && strncmp(o->reduce, "paper-", 6))
        return out_of_range(e, "jobs", "1 with --reduce, which keeps what it has seen in one worker");
    if (o->jobs > 1 && o->symmetric && !o->reduce)
        return out_of_range(e, "jobs", "1 with --symmetric, which keeps what it has seen in one worker");
    return 0;
}

static int has_word(const char *list, const char *word, size_t n)
{
    for (const char *w = list; w && *w; w += strspn(w, " ")) {
        size_t length = strcspn(w, " ");
        if (length == n && !strncmp(w, word, n))
            return 1;
        w += length;
    }
    return 0;
}

static int check_setting(const char *text, const struct run_config *c, struct error *e)
{
    const struct engine_class *engine = engine_find(c->engine);
    const char *known = engine ? engine->settings : NULL;
    size_t n = strcspn(text, "=");
    if (has_word(ENGINE_COMMON_SETTINGS, text, n) || has_word(known, text, n))
        return 0;
    return error_set(e, EXIT_USAGE, "--set: engine %s knows no '%.*s', only %s%s%s", c->engine, (int)n,
                     text, ENGINE_COMMON_SETTINGS, known ? " " : "", known ? known : "");
}

static int set_engine_options(const struct opt_list *l, struct run_config *c, struct error *e)
{
    char *to = (char *)c->engine_options;
    size_t left = sizeof c->engine_options - 1;
    for (size_t i = 0; i < l->count; i++) {
        size_t n = strlen(l->items[i]) + 1;
        if (!strchr(l->items[i], '=') || n > left)
            return error_set(e, EXIT_USAGE, "--set wants NAME=VALUE, not '%s'", l->items[i]);
        if (check_setting(l->items[i], c, e))
            return -1;
        memcpy(to, l->items[i], n);
        to += n;
        left -= n;
    }
    return 0;
}

static int set_engine(const struct run_options *o, struct run_config *c, struct error *e)
{
    const char *name = o->engine;
    if ((o->depth || o->property) && !strcmp(name, "auto"))
        name = o->depth ? "dfs" : "context";
    if (!strcmp(name, "auto") && c->bound >= 0 && (o->jobs > 1 || o->farm))
        name = "icb"; /* that is all it would do */
    if (o->depth && strcmp(name, "dfs"))
        return error_set(e, EXIT_USAGE, "--depth is for engine dfs");
    if (!strcmp(o->por, "on")) {
        if (strcmp(name, "icb") || o->cache)
            return error_set(e, EXIT_USAGE, "--por=on is for engine icb without --cache");
        name = "bpor";
    }
    if (o->cache && strcmp(name, "icb"))
        return error_set(e, EXIT_USAGE, "--cache is for engine icb");
    const struct engine_class *engine = engine_find(name);
    if (engine && engine->every_access)
        c->granularity = GRANULARITY_ACCESS;
    if (o->match && engine && !engine->every_access)
        return error_set(e, EXIT_USAGE, "--match is for engines stateful and stateful-unfold");
    if (engine && c->bound >= 0 && !engine->bound_unit)
        return error_set(e, EXIT_USAGE, "engine %s has no bound (--bound)", name);
    if (engine && o->jobs > 1 && !engine->give && !engine->portion && !engine->strides)
        return error_set(e, EXIT_USAGE,
                         "engine %s runs in one worker only; those that share the work (--jobs) are "
                         "auto (its last phase), optimal, source, dpor-cr, dpor, dfs, reach, icb, idb, "
                         "random, pct and pos",
                         name);
    if (engine && !engine->follows) {
        snprintf(c->engine, sizeof c->engine, "%s", name);
        return 0;
    }
    error_set(e, EXIT_USAGE, "there is no engine '%s'", name);
    return error_todo(e, "raddle run --help names them");
}

static int set_config(const struct run_options *o, struct run_config *c, struct error *e)
{
    *c = (struct run_config){
        .inputs_seed = (uint64_t)o->seed,
        .max_executions = (uint64_t)o->max_executions,
        .memory = o->memory,
        .depth = (uint32_t)o->depth,
        .bound = (int32_t)o->bound,
        .pct_depth = 3,
        .sleep = strcmp(o->sleep, "off") != 0,
        .symmetry = strcmp(o->symmetry, "off") != 0,
        .cache = (uint8_t)o->cache,
        .coverage = o->coverage != NULL,
        .places = o->coverage || o->formats.lcov,
        .keep_going = (uint8_t)o->keep_going,
        .show_output = (uint8_t)o->show_output,
        .concretise = (uint32_t)o->concretise,
        .record_fd = -1,
        .hang_ms = (uint32_t)(o->hang * 1000),
    };
    if (check_ranges(o, e))
        return -1;
    int bad = 0;
#define KEPT(type, field, key, ...) KEPT_TAKE(type, field, key, __VA_ARGS__, o, c, bad, e)
#include "trace/kept.def"
#undef KEPT
    return bad || set_engine(o, c, e) || set_engine_options(&o->set, c, e) ? -1 : 0;
}

static int check_formats(const struct run_options *o, struct error *e)
{
    if (o->inputs && formats_wanted(&o->formats) > (o->formats.json != NULL) + (o->formats.junit != NULL))
        return error_set(e, EXIT_USAGE, "with --inputs there is a report per row: raddle report ROW writes "
                                        "it in any format; only --json and --junit go with --inputs");
    return formats_check(&o->formats, e);
}

static void put_counts(const struct report *r, struct sbuf *out)
{
    sbuf_printf(out, "verdict %s\nexecutions %llu\nblocked %llu\nevents %llu\nfindings %zu\n", r->verdict,
                (unsigned long long)r->executions, (unsigned long long)r->blocked,
                (unsigned long long)r->events, r->finding_count);
}

static int print_report(const struct run_options *o, const struct report *r)
{
    struct sbuf text = {0};
    struct style style = style_for(STDOUT_FILENO);
    style.all = o->all;
    if (o->count_only)
        put_counts(r, &text);
    else if (o->quiet)
        report_verdict(r, style, &text);
    else
        report_text(r, style, &text);
    if (o->verbose)
        report_solver(r, &text);
    if (!formats_take_stdout(&o->formats))
        terminal_print(sbuf_str(&text), r);
    int unwritten = formats_write(&o->formats, r);
    sbuf_free(&text);
    fflush(stdout);
    return unwritten;
}

static int status_of(const struct report *r)
{
    return !strcmp(r->verdict, "bug") || r->regressed.count > 1 ? EXIT_BUG
           : !strcmp(r->verdict, "safe") ? EXIT_SAFE
                                         : EXIT_INCOMPLETE;
}

static struct run_sequences sequences_of(const struct run_options *o)
{
    return (struct run_sequences){o->save_sequences, o->save_tree, o->regress};
}

static int set_sequences(const struct run_options *o, struct run_config *c, struct error *e)
{
    struct run_sequences w = sequences_of(o);
    if (!run_sequences_wanted(&w))
        return 0;
    if (o->all_traces || o->inputs)
        return error_set(e, EXIT_USAGE, "--save-sequences, --save-tree and --regress do not go together "
                                        "with --all-traces or --inputs");
    c->describe = 1;
    c->keep_going |= w.tree || w.regress;
    return run_sequences_check(&w, c->engine, e);
}

/* What is known must not end the search before what is new. */
static int set_known(struct run_options *o, struct run_config *c, struct error *e)
{
    if (o->count_only && (o->suppressions || o->baseline || o->save_baseline))
        return error_set(e, EXIT_USAGE, "--count-only does not look at what is known "
                                        "(--suppressions, --baseline, --save-baseline)");
    if (known_load(&o->known, o->count_only ? "/dev/null" : o->suppressions, o->baseline, e))
        return -1;
    c->keep_going |= o->known.rules.count > 0;
    return 0;
}

static int told(int failed, const struct error *e)
{
    if (failed)
        error_print(e);
    return failed;
}

/* Reports what the search found, and keeps it. */
static int conclude(const struct run_options *o, struct gather *g, int argc, char **argv)
{
    struct report r = {0};
    struct error e;
    vec_push(&r.command, mem_strdup("raddle"));
    for (int i = 0; i < argc; i++)
        vec_push(&r.command, mem_strdup(argv[i]));
    gather_report(g, &r);
    run_reach_tell(g->config, &r);
    int unwritten = told(o->all_traces && run_search_traces(g->search, o->all_traces, &e), &e);
    struct run_sequences wanted = sequences_of(o);
    int failed = told(g->config->describe &&
                          run_sequences_keep(&wanted, g->search, g->program->path, &r, &e), &e);
    if (g->directory && outdir_fill(g->directory, &r, g->stories.items, g->spec->input, &e)) {
        unwritten = told(-1, &e);
        fprintf(stderr, "        the results are shown here, but could not be kept completely\n");
    }
    int kept_status = failed ? e.status : 0;
    unwritten |= told(o->save_baseline && known_save(o->save_baseline, &r, &e), &e);
    unwritten |= print_report(o, &r);
    unwritten |= told(run_tests_headers(o->save_tests, o->quiet, &e), &e);
    unwritten |= told(o->coverage && run_search_coverage(g->search, o->coverage, &e), &e);
    unwritten |= told(run_unfold_draw(o->dot, &r, &e), &e);
    unwritten |= told(run_states_write(o->states, &g->search->slots[0].region, &e), &e);
    int status = failed ? kept_status : g->internal.ours ? error_print(&g->internal) : status_of(&r);
    report_free(&r);
    return unwritten ? error_unwritten(status) : status;
}

static void forget_directory(const char *directory)
{
    if (directory)
        rmdir(directory);
}

static int explore(const struct run_options *o, const struct run_config *given, const struct farm_url *farm,
                   const struct program *program, char **command, int argc, char **argv)
{
    struct error e;
    struct search s;
    struct run_config config = *given;
    char *directory = o->count_only ? NULL : outdir_make(o->out, program->path, &e);
    if (!directory && !o->count_only)
        return error_print(&e);
    struct worker_spec spec = {.path = program->path,
                               .argv = command,
                               .input = worker_spool_stdin(),
                               .show_output = o->show_output,
                               .wrap = o->wrap};
    struct gather g = {.search = &s, .spec = &spec, .program = program, .config = &config,
                       .directory = directory, .known = &o->known,
                       .count_only = o->count_only, .shrink = o->shrink, .quiet = o->quiet};
    char *identity = farm ? run_farm_identity(&config, program, command, spec.input) : NULL;
    struct run_search how = {.time = o->time, .jobs = (int)o->jobs, .quiet = o->quiet, .farm = farm,
                             .identity = identity, .traces = o->all_traces || config.describe};
    int status;
    int failed = run_search(&how, &config, &s, &g, &e);
    if (failed >= 0) {
        status = conclude(o, &g, argc, argv);
        supervise_free(&s);
    }
    if (failed) {
        forget_directory(directory);
        status = error_print(&e);
    }
    gather_free(&g);
    free(identity);
    free(directory);
    return status;
}

/* One row of --inputs. */
struct row_context {
    const struct run_options *options;
    const struct run_config *config;
    const struct program *program;
    int argc;
    char **argv;
    double deadline; /* of all rows */
    char **command;  /* --tests */
};

/* What is left of --time is shared by the rows that are left. */
static int explore_inputs_row(void *context, char **command, const char *directory, size_t left)
{
    const struct row_context *c = context;
    struct run_options o = *c->options;
    o.out = directory;
    o.formats.json = o.formats.junit = NULL;
    o.quiet = 1;
    if (o.time) {
        double time = (c->deadline - progress_now()) / (double)left;
        o.time = time > 0.01 ? time : 0.01;
    }
    return explore(&o, c->config, NULL, c->program, command, c->argc, c->argv);
}

static int explore_inputs(struct row_context *c, char **command)
{
    struct error e;
    char *directory = outdir_make(c->options->out, c->program->path, &e);
    if (!directory)
        return error_print(&e);
    c->deadline = c->options->time ? progress_now() + c->options->time : 0;
    struct inputs in = {.deadline = c->deadline,
                        .model = c->options->inputs,
                        .command = command,
                        .directory = directory,
                        .json = c->options->formats.json,
                        .junit = c->options->formats.junit,
                        .quiet = c->options->quiet,
                        .explore = explore_inputs_row,
                        .context = c};
    int status = inputs_run(&in);
    free(directory);
    return status;
}

static int explore_test(void *context, const struct run_config *config, const char *name)
{
    const struct row_context *c = context;
    struct run_options o = *c->options;
    o.out = o.out ? mem_printf("%s/%s", o.out, name) : NULL; /* the process ends after this */
    o.quiet = 1;
    return explore(&o, config, NULL, c->program, c->command, c->argc, c->argv);
}

int cmd_run(int argc, char **argv)
{
    struct run_options o = defaults;
    struct run_config config;
    struct program program;
    struct farm_url farm;
    struct error e;
    int first = opt_outside(&cmd_run_options, &o, &e) ? -1 : opt_parse(&cmd_run_options, argc, argv, &o, &e);
    if (first < 0)
        return error_print(&e);
    if (first == argc) {
        error_set(&e, EXIT_USAGE, "raddle run: no program given");
        error_todo(&e, "usage: raddle run %s", cmd_run_options.usage);
        return error_print(&e);
    }
    formats_coverage(&o.coverage, &o.formats);
    if (property_from_file(o.property_file, &o.property, &e) || set_config(&o, &config, &e) ||
        check_formats(&o, &e) || formats_check_file(o.coverage, &e) ||
        formats_check_file(o.all_traces, &e) || run_unfold_check(o.dot, &config, &e) ||
        run_states_check(o.states, &config, &e) ||
        run_reach_options(o.reduce, &config, &e) || set_sequences(&o, &config, &e) ||
        run_tests_prepare(o.save_tests, &config, &e) || run_tests_queries(o.save_queries, &config, &e) ||
        set_known(&o, &config, &e) ||
        program_open(&program, argv[first], &e) || property_compile(&config, program.path, &e) ||
        run_reach_symmetric(o.symmetric, program.path, &config, &e) ||
        (o.farm && run_farm_check(o.farm, &config, o.coverage || o.formats.lcov || o.all_traces || o.inputs,
                                  &farm, &e)))
        return error_print(&e);
    stop_watch();
    struct row_context rows_of = {&o, &config, &program, argc, argv, 0, argv + first};
    int status = o.inputs  ? explore_inputs(&rows_of, argv + first)
                 : o.tests ? run_tests(o.tests, &config, explore_test, &rows_of)
                           : explore(&o, &config, o.farm ? &farm : NULL, &program, argv + first, argc, argv);
    program_free(&program);
    return status;
}
