/* raddle check-sequence: is a synchronization sequence possible in the program? */
#include "cli/cli.h"
#include "base/foreign.h"
#include "base/progress.h"
#include "cli/outdir.h"
#include "cli/verdict.h"
#include "trace/sequence.h"
#include "host/jobs.h"
#include "host/program.h"
#include "report/diagram.h"
#include "report/sequence_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct check_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_check_sequence.def"
#undef OPT
};
#define OPT_OWNER check_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_check_sequence.def"
#undef OPT
};

const struct opt_command cmd_check_sequence_options = {
    .name = "check-sequence",
    .usage = "[options] SEQUENCE [--] ./prog [args]",
    .summary = "is a sequence of synchronization operations possible?",
    .description =
        "SEQUENCE is a file with one operation per line: the thread, the operation, the object, and "
        "for a receive the message. raddle run --engine reach --save-sequences DIR writes such files; "
        "they can also be written by hand from a specification:\n\n"
        "    raddle sequence 1\n    2 sem-wait empty\n    1 receive deposit from 3#1\n\n"
        "The program is run so that exactly these operations happen in this order. It says `feasible`, "
        "or at which line the program could not follow and what its threads could have done "
        "instead.\n\n"
        "Exit status: 0 feasible, 1 infeasible, 3 the program could not be started, 64 usage.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

static void tell(const struct sequence_text *want, const struct sequence *got,
                 const struct objects *o, const char *file, struct sbuf *said)
{
    struct sbuf out = {0};
    if (!got->infeasible) {
        sbuf_printf(said, "feasible: all %zu operations of %s happened in this order\n",
                       want->ops.count, file);
        return;
    }
    sbuf_printf(said, "infeasible at event %u (line %d): %s\n", got->at + 1, want->lines.items[got->at],
           want->texts.items[got->at]);
    enum event_kind kind = (enum event_kind)want->ops.items[got->at].kind;
    if ((kind == EV_READ || kind == EV_WRITE) && !want->racy.len)
        sbuf_printf(said, "plain accesses are operations only where the file says so (racy PROGRAM+0x…), as "
               "--save-sequences does\n");
    sbuf_printf(said, "possible instead:\n");
    for (uint32_t i = 0; i < got->possible_count; i++) {
        out.len = 0;
        sequence_format(got, &got->possible[i], o, &out);
        sbuf_printf(said, "    %s%s\n", sbuf_str(&out), got->enabled[i] ? "" : "   (blocked)");
    }
    sbuf_free(&out);
}

static int draw(const struct check_options *o, int fd, struct error *e)
{
    struct tale t;
    struct sbuf out = {0};
    lseek(fd, 0, SEEK_SET);
    if (tale_read(&t, fd, "the recording", e))
        return -1;
    struct names n;
    names_init(&n, &t);
    int status = 0;
    if (o->svg) {
        diagram_svg(&n, &t, o->races, &out);
        status = outdir_write(o->svg, sbuf_str(&out), out.len, e);
    }
    if (o->dot && !status) {
        out.len = 0;
        diagram_dot(&n, &t, o->races, &out);
        status = outdir_write(o->dot, sbuf_str(&out), out.len, e);
    }
    names_free(&n);
    tale_free(&t);
    sbuf_free(&out);
    return status;
}

static int check(const struct check_options *o, const char *file, struct program *program,
                 char **argv, struct error *e)
{
    struct objects objects;
    struct sequence_text want;
    struct sequence got;
    struct sbuf said = {0};
    double began = progress_now();
    struct worker_spec spec = {.path = program->path, .argv = argv, .input = worker_spool_stdin()};
    struct run_config config = {.seed = 1,
                                .inputs_seed = 1,
                                .memory = 1 << 30,
                                .max_heap = 256 << 20,
                                .quarantine = 16 << 20,
                                .max_steps = (uint32_t)o->max_steps,
                                .max_threads = 255,
                                .bound = -1,
                                .record_fd = -1,
                                .hang_ms = 5000};
    if (objects_open(&objects, program->path, e))
        return -1;
    if (sequence_read(&want, file, &objects, e)) {
        objects_free(&objects);
        return -1;
    }
    int fd = o->svg || o->dot ? memfd_create("raddle-story", MFD_CLOEXEC) : -1;
    int status = job_sequence(&spec, &config, want.ops.items, (uint32_t)want.ops.count,
                              sbuf_str(&want.racy), fd, &got, e);
    if (!status) {
        double seconds = progress_now() - began;
        tell(&want, &got, &objects, file, &said);
        if (!o->junit || strcmp(o->junit, "-"))
            foreign_print(stdout, sbuf_str(&said), FOREIGN_PLAIN);
        status = verdict_junit(o->junit, "raddle check-sequence", file, seconds, got.infeasible, &said, e);
    }
    if (!status) {
        status = fd >= 0 && draw(o, fd, e) ? -1 : got.infeasible;
    }
    sbuf_free(&said);
    sequence_text_free(&want);
    objects_free(&objects);
    return status;
}

int cmd_check_sequence(int argc, char **argv)
{
    struct check_options o = {.max_steps = 20000};
    struct program program;
    struct error e;
    int first = opt_parse(&cmd_check_sequence_options, argc, argv, &o, &e);
    if (first >= 0 && argc - first < 2)
        first = error_set(&e, EXIT_USAGE, "raddle check-sequence wants a sequence and a program");
    if (first >= 0 && (o.max_steps < 1 || o.max_steps > 50000000))
        first = error_set(&e, EXIT_USAGE, "--max-steps must be between 1 and 50000000");
    if (first < 0)
        return error_print(&e);
    const char *file = argv[first++];
    if (!strcmp(argv[first], "--") && first + 1 < argc)
        first++;
    if (program_open(&program, argv[first], &e))
        return error_print(&e);
    int status = check(&o, file, &program, &argv[first], &e);
    program_free(&program);
    return status < 0 ? error_print(&e) : status;
}
