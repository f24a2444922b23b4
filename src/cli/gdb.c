/* gdb starts the program through a wrapper, raddle replay --in-debugger, which makes the memory that a worker
 * shares with its host, follows the schedule's options and becomes the program: so every `run` replays again.
 * The rest is a script in gdb's Python (gdb.py), which is told here what it has to know. */
#include "cli/gdb.h"

#include "base/mem.h"
#include "base/sbuf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char gdb_script[], gdb_script_end[];

int gdb_threads(const struct tale *t)
{
    int most = 0;
    for (size_t i = 0; i < t->events.count; i++)
        if (t->events.items[i].event.thread > most)
            most = t->events.items[i].event.thread;
    for (size_t i = 0; i < t->stacks.count; i++)
        if ((int)t->stacks.items[i].thread > most)
            most = (int)t->stacks.items[i].thread;
    return most + 1;
}

/* A word for the shell that gdb's `run` uses. */
static void put_quoted(struct sbuf *b, const char *word)
{
    sbuf_puts(b, " '");
    for (; *word; word++)
        if (*word == '\'')
            sbuf_puts(b, "'\\''");
        else if (*word == '%') /* the step is filled in with Python's % */
            sbuf_puts(b, "%%");
        else
            sbuf_putc(b, *word);
    sbuf_putc(b, '\'');
}

/* raddle replay --in-debugger=N --until %d SCHEDULE */
static int put_wrapper(const struct gdb_plan *p, int threads, struct sbuf *b, struct error *e)
{
    char self[PATH_MAX], *schedule = realpath(p->schedule, NULL);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0 || !schedule)
        return error_set(e, EXIT_INTERNAL, "cannot find %s: %s", n < 0 ? "raddle" : p->schedule,
                         strerror(errno));
    self[n] = 0;
    put_quoted(b, self);
    sbuf_printf(b, " replay --in-debugger %d --until %%d%s --", threads, p->force ? " --force" : "");
    put_quoted(b, schedule);
    free(schedule);
    return 0;
}

int gdb_write_script(const struct gdb_plan *p, struct names *n, const char *path, struct error *e)
{
    struct sbuf b = {0}, wrapper = {0};
    int threads = gdb_threads(n->tale), status = put_wrapper(p, threads, &wrapper, e);
    sbuf_puts(&b, "python\nRADDLE = {'threads': [");
    for (int t = 0; t < threads; t++) {
        sbuf_json(&b, names_thread_full(n, t));
        sbuf_puts(&b, ", ");
    }
    sbuf_puts(&b, "], 'wrapper': ");
    sbuf_json(&b, sbuf_str(&wrapper) + 1);
    sbuf_printf(&b, ", 'until': %u, 'steps': %u, 'starts': %s}\n", p->until, p->steps,
                p->starts ? "True" : "False");
    sbuf_add(&b, gdb_script, (size_t)(gdb_script_end - gdb_script));
    sbuf_puts(&b, "end\n");
    FILE *f = status ? NULL : fopen(path, "w");
    if (!status && (!f || fwrite(b.s, 1, b.len, f) != b.len))
        status = error_set(e, EXIT_INTERNAL, "cannot write %s: %s", path, strerror(errno));
    if (f && fclose(f) && !status)
        status = error_set(e, EXIT_INTERNAL, "cannot write %s: %s", path, strerror(errno));
    sbuf_free(&b);
    sbuf_free(&wrapper);
    return status;
}

int gdb_exec(const char *program, const char *script, const struct opt_list *args, struct error *e)
{
    VEC(const char *) argv = {0};
    char *forget = mem_printf("shell rm -f %s", script);
    vec_push(&argv, "gdb");
    vec_push(&argv, "-q");
    vec_push(&argv, "-x");
    vec_push(&argv, script);
    vec_push(&argv, "-ex");
    vec_push(&argv, forget);
    for (size_t i = 0; i < args->count; i++)
        vec_push(&argv, args->items[i]);
    vec_push(&argv, program);
    vec_push(&argv, NULL);
    execvp("gdb", (char **)argv.items);
    unlink(script);
    error_set(e, EXIT_CANNOT_START, "cannot start gdb: %s", strerror(errno));
    return error_todo(e, "install gdb, or use raddle replay without --gdb");
}

int gdb_become(const struct job *j, uint32_t until, uint16_t threads, struct error *e)
{
    struct region r;
    struct worker_spec spec = *j->spec;
    struct run_config c = j->config;
    c.gdb = threads;
    c.until_step = until;
    c.show_output = 1;
    c.hang_ms = UINT32_MAX;
    c.isolate = ISOLATE_NONE; /* there is only this one execution, and a child has no other threads */
    spec.show_output = 1;
    unsetenv("LINES"); /* gdb's, not the program's */
    unsetenv("COLUMNS");
    if (region_create(&r, &c, e) || job_fill_region(j, &r, e))
        return -1;
    if (!worker_prepare(&spec, &r, -1, -1))
        execv(spec.path, spec.argv);
    return error_set(e, EXIT_CANNOT_START, "cannot start %s: %s", spec.path, strerror(errno));
}
