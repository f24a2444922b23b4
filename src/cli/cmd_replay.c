/* raddle replay: executes the schedule of a finding again, by itself or under gdb. */
#include "cli/cli.h"
#include "base/foreign.h"
#include "base/progress.h"
#include "host/kept.h"
#include "host/property.h"
#include "host/gather.h"
#include "cli/gdb.h"
#include "cli/outdir.h"
#include "cli/verdict.h"
#include "host/jobs.h"
#include "report/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct replay_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_replay.def"
#undef OPT
};
#define OPT_OWNER replay_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_replay.def"
#undef OPT
};

const struct opt_command cmd_replay_options = {
    .name = "replay",
    .usage = "[options] [DIR|FILE]",
    .summary = "run the schedule of a bug again, also in gdb",
    .description =
        "DIR is an output folder of raddle run (without it raddle-out/latest), FILE a schedule in "
        "one. The program is run once with exactly that schedule, and compared: did the same finding "
        "appear at the same place?\n\n"
        "With --gdb the program runs in gdb and stops where the bug shows, in the failing thread, "
        "with its real stack and variables. All threads of the program are there (info threads, thread N, "
        "thread apply all bt); break, watch, next and finish work as usual, print shows who holds a lock, "
        "run replays again. raddle threads, raddle locks and raddle bt all show what the threads "
        "stand before; raddle step, raddle back and raddle goto N go from step to step of the "
        "schedule, also backwards; help raddle lists them.\n\n"
        "Exit status: 1 the bug appeared again, 2 it did not (or the program did not follow the "
        "schedule), 3 the program could not be started, 64 usage.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

/* Everything needed to run a schedule again. */
struct replay {
    struct schedule schedule;
    struct program program;
    struct worker_spec spec;
    struct job job;
    char *file, *racy_names, **argv;
    struct sbuf said; /* for the reader */
};

static char *schedule_file(const char *given)
{
    struct stat st;
    if (stat(given, &st) || !S_ISDIR(st.st_mode))
        return mem_strdup(given);
    char *folder = outdir_result(given), *file = mem_printf("%s/schedule", folder);
    free(folder);
    return file;
}

static int same_program(const struct replay *r, int force, struct error *e)
{
    if (force || !r->schedule.id || !strcmp(r->schedule.id, r->program.id))
        return 0;
    error_set(e, EXIT_USAGE, "%s is a schedule of another build of %s (build-id %s, now %s)", r->file,
              r->program.path, r->schedule.id, r->program.id);
    return error_todo(e, "find the bug again with raddle run, or try with --force");
}

static int open_input(const struct replay *r, struct error *e)
{
    if (!r->schedule.input)
        return -1;
    const char *slash = strrchr(r->file, '/');
    char *path = mem_printf("%.*s%s", slash ? (int)(slash - r->file + 1) : 0, r->file, r->schedule.input);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        error_set(e, EXIT_USAGE, "cannot read what the program read, %s: %s", path, strerror(errno));
    free(path);
    return fd < 0 ? -2 : fd;
}

static int set_config(struct replay *r, const struct replay_options *o, struct error *e)
{
    const struct schedule *s = &r->schedule;
    r->job.config = (struct run_config){
        .inputs_seed = s->inputs_seed,
        .memory = 1ull << 30,
        .bound = -1,
        .show_output = (uint8_t)o->show_output,
        .record_fd = -1,
        .hang_ms = (uint32_t)((o->hang > 0 ? o->hang : 5) * 1000),
    };
    struct run_config *c = &r->job.config;
    if (kept_read(s, c, e) || property_compile(c, r->program.path, e))
        return -1;
    for (size_t i = 0, n = 0; i < s->inputs.count && n < sizeof c->inputs; i++)
        n += (size_t)snprintf(c->inputs + n, sizeof c->inputs - n, "%s\n", s->inputs.items[i]);
    if (r->job.config.max_steps < s->steps.count)
        r->job.config.max_steps = (uint32_t)s->steps.count;
    snprintf(r->job.config.engine, sizeof r->job.config.engine, "replay");
    return 0;
}

static int prepare(struct replay *r, const struct replay_options *o, const char *given, struct error *e)
{
    *r = (struct replay){.file = schedule_file(given)};
    struct schedule *s = &r->schedule;
    if (schedule_read(s, r->file, e) || program_open(&r->program, s->program, e) ||
        same_program(r, o->force, e))
        return -1;
    for (size_t i = 0; i < s->environment.count; i++)
        putenv(s->environment.items[i]);
    r->argv = mem_alloc((s->args.count + 2) * sizeof *r->argv);
    r->argv[0] = r->program.path;
    if (s->args.count)
        memcpy(r->argv, s->args.items, s->args.count * sizeof *r->argv);
    r->spec = (struct worker_spec){.path = r->program.path,
                                   .argv = r->argv,
                                   .directory = s->directory,
                                   .input = open_input(r, e),
                                   .show_output = o->show_output};
    if (r->spec.input == -2)
        return -1;
    r->racy_names = gather_racy_names(s);
    if (set_config(r, o, e))
        return -1;
    r->job.spec = &r->spec;
    r->job.racy_names = r->racy_names;
    r->job.steps = s->steps.items;
    r->job.step_count = (uint32_t)s->steps.count;
    return 0;
}

static void discard(struct replay *r)
{
    schedule_free(&r->schedule);
    program_free(&r->program);
    free(r->file);
    free(r->racy_names);
    free(r->argv);
    sbuf_free(&r->said);
}

/* ---- once ---- */

/* The finding of the schedule in what the execution showed. */
static const struct finding *reproduced(const struct replay *r, const struct job_result *result,
                                        const struct tale *t)
{
    for (size_t i = 0; i < result->findings.count; i++) {
        const struct finding *f = &result->findings.items[i];
        if ((result->died && f->kind == finding_find(r->schedule.kind)) ||
            tale_is_finding(t, f, &r->schedule))
            return f;
    }
    return NULL;
}

static void tell_difference(struct replay *r, const struct job_result *result, struct names *n)
{
    sbuf_printf(&r->said, "not reproduced: the schedule of %s did not show the %s again\n", r->file,
           r->schedule.kind ? r->schedule.kind : "bug");
    if (result->divergence[0])
        sbuf_printf(&r->said, "  the program did not follow the schedule: %s\n",
                    words_divergence(n, result->divergence));
    for (size_t i = 0; i < result->findings.count; i++)
        sbuf_printf(&r->said, "  it showed: %s, %s\n", result->findings.items[i].message,
               names_path_location(n, result->findings.items[i].pc));
}

static void tell_story(struct replay *r, struct tale *t, const struct finding *f, int all)
{
    struct report_finding told = {.schedule = r->schedule, .tale = *t};
    struct names n;
    struct sbuf *out = &r->said;
    struct style style = style_for(STDOUT_FILENO);
    style.all = all;
    if (f && !report_told(&told))
        vec_push(&told.tale.findings,
                 ((struct tale_finding){.finding = *f, .at = told.tale.events.count}));
    names_init(&n, &told.tale);
    sbuf_puts(out, "\nwhy\n");
    report_why(&n, &told, style, out);
    sbuf_puts(out, "\nschedule\n");
    report_columns(&n, &told, style, out);
    names_free(&n);
    *t = told.tale;
}

static void tell_result(struct replay *r, const struct replay_options *o, struct tale *t,
                        const struct job_result *result, const struct finding *f)
{
    struct names n;
    names_init(&n, t);
    if (f)
        sbuf_printf(&r->said, "reproduced: %s, %s\n",
                       words_about(&n, f->message, f->object, t->events.count),
                       r->schedule.location ? r->schedule.location : "?");
    else
        tell_difference(r, result, &n);
    names_free(&n);
    if (f && (o->verbose || o->all))
        tell_story(r, t, f, o->all);
}

/* Replays and reads the recording. */
static int record(struct replay *r, struct tale *t, struct error *e)
{
    struct job_result result;
    int fd = memfd_create("story", MFD_CLOEXEC), status = job_replay(&r->job, NULL, fd, &result, e);
    *t = (struct tale){0};
    if (!status) {
        tale_read(t, fd, "the recording", NULL);
        job_result_free(&result);
    }
    close(fd);
    return status;
}

/* The first time: recorded, compared with the schedule. *seen is the finding it showed. */
static int first_time(struct replay *r, const struct replay_options *o, struct finding *seen,
                      struct error *e)
{
    struct job_result result;
    struct tale t = {0};
    int fd = memfd_create("story", MFD_CLOEXEC);
    if (job_replay(&r->job, NULL, fd, &result, e)) {
        close(fd);
        return -1;
    }
    if (tale_read(&t, fd, "the recording", NULL))
        t = (struct tale){0};
    close(fd);
    const struct finding *f = reproduced(r, &result, &t);
    if (f)
        *seen = *f;
    tell_result(r, o, &t, &result, f);
    int status = f && !result.interrupted ? EXIT_BUG : EXIT_INCOMPLETE;
    tale_free(&t);
    job_result_free(&result);
    return status;
}

/* Any further time it must be the very same finding at the very same step. */
static int next_time(struct replay *r, const struct replay_options *o, const struct finding *seen,
                     struct error *e)
{
    struct job_result result;
    int status = EXIT_INCOMPLETE;
    if (job_replay(&r->job, NULL, -1, &result, e))
        return -1;
    for (size_t i = 0; i < result.findings.count; i++) {
        const struct finding *f = &result.findings.items[i];
        if (finding_same(finding_id(f), finding_id(seen)) && f->at_step == seen->at_step &&
            !strcmp(f->message, seen->message))
            status = EXIT_BUG;
    }
    if (status != EXIT_BUG) {
        sbuf_printf(&r->said, "not reproduced: another execution of the same schedule ended differently\n");
        for (size_t i = 0; i < result.findings.count; i++)
            sbuf_printf(&r->said, "  it showed: %s, at step %u and address %#llx\n",
                           result.findings.items[i].message, result.findings.items[i].at_step,
                   (unsigned long long)result.findings.items[i].pc);
        sbuf_printf(&r->said, "  instead of: step %u and address %#llx\n", seen->at_step,
               (unsigned long long)seen->pc);
    }
    job_result_free(&result);
    return status;
}

static int repeat(struct replay *r, const struct replay_options *o, struct error *e)
{
    struct finding seen = {0};
    long long times = o->times > 0 ? o->times : 1;
    int status = first_time(r, o, &seen, e);
    for (long long i = 1; i < times && status == EXIT_BUG; i++)
        status = next_time(r, o, &seen, e);
    if (times > 1 && status == EXIT_BUG)
        sbuf_printf(&r->said, "%lld times out of %lld\n", times, times);
    return status;
}

/* Replays, says what there is to say, and writes it. */
static int conclude(struct replay *r, const struct replay_options *o, struct error *e)
{
    double began = progress_now();
    int status = repeat(r, o, e);
    double seconds = progress_now() - began;
    int taken = o->junit && !strcmp(o->junit, "-");
    if (status >= 0 && !o->quiet && !taken)
        foreign_print(stdout, sbuf_str(&r->said),
                      style_for(STDOUT_FILENO).colour ? FOREIGN_COLOURS : FOREIGN_PLAIN);
    if (status >= 0 && verdict_junit(o->junit, "raddle replay", r->file, seconds, status, &r->said, e))
        return -1;
    return status;
}

static int become(struct replay *r, const struct replay_options *o, struct error *e)
{
    r->job.config.target.kind = finding_find(r->schedule.kind);
    r->job.config.target_steps = (uint32_t)r->schedule.at_step;
    return gdb_become(&r->job, (uint32_t)o->until, (uint16_t)o->in_debugger, e);
}

/* Replays once to learn the names of the threads, then gdb takes over. */
static int debug(struct replay *r, const struct replay_options *o, struct error *e)
{
    struct tale t;
    struct names n;
    char *script = o->gdb_script ? mem_strdup(o->gdb_script) : mem_strdup("/tmp/raddle-gdb-XXXXXX");
    if (!o->gdb_script)
        close(mkstemp(script));
    if (record(r, &t, e))
        return -1;
    names_init(&n, &t);
    struct gdb_plan plan = {.program = r->program.path,
                            .schedule = r->file,
                            .until = (uint32_t)o->until,
                            .steps = (uint32_t)r->schedule.steps.count,
                            .force = o->force,
                            .starts = o->gdb};
    int status = gdb_write_script(&plan, &n, script, e);
    if (!status && o->gdb)
        status = gdb_exec(r->program.path, script, &o->gdb_args, e);
    names_free(&n);
    tale_free(&t);
    free(script);
    return status;
}

int cmd_replay(int argc, char **argv)
{
    struct replay_options o = {0};
    struct replay r = {0};
    struct error e;
    int first = opt_parse(&cmd_replay_options, argc, argv, &o, &e), status = -1;
    if (first >= 0 && argc - first > 1 && !o.in_debugger) /* gdb adds the program and its arguments */
        first = error_set(&e, EXIT_USAGE, "raddle replay runs one schedule, not %d", argc - first);
    if (first >= 0 && (o.until || o.gdb_args.count) && !o.gdb && !o.gdb_script && !o.in_debugger)
        first = error_set(&e, EXIT_USAGE, "--until and --gdb-args need --gdb");
    if (first < 0)
        return error_print(&e);
    if (prepare(&r, &o, first < argc ? argv[first] : "raddle-out/latest", &e) == 0)
        status = o.in_debugger           ? become(&r, &o, &e)
                 : o.gdb || o.gdb_script ? debug(&r, &o, &e)
                                         : conclude(&r, &o, &e);
    discard(&r);
    return status < 0 ? error_print(&e) : status;
}
