/* gdb starts the program, so what worker_start would do is done here or told to gdb: the region's
 * descriptor and the environment are inherited, randomization is off by gdb itself, standard input
 * is redirected on the command line of `run`. The runtime calls raddle_stopped() at the failing
 * point; the first frame outside of the runtime is then selected. */
#include "cli/gdb.h"

#include "base/mem.h"
#include "base/sbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char select_frame[] =
    "python\n"
    "def raddle_select():\n"
    "    if not gdb.selected_thread():\n"
    "        print('raddle: the execution has ended before it came to that point')\n"
    "        return\n"
    "    f = gdb.newest_frame()\n"
    "    while f is not None:\n"
    "        s = gdb.solib_name(f.pc())\n"
    "        if s is None or ('libraddle-rt' not in s and '/libc.so' not in s):\n"
    "            f.select()\n"
    "            gdb.execute('frame')\n"
    "            return\n"
    "        f = f.older()\n"
    "raddle_select()\n"
    "end\n";

/* A word for the shell that gdb's `run` uses. */
static void put_quoted(struct sbuf *b, const char *word)
{
    sbuf_puts(b, " '");
    for (; *word; word++)
        if (*word == '\'')
            sbuf_puts(b, "'\\''");
        else
            sbuf_putc(b, *word);
    sbuf_putc(b, '\'');
}

static void put_script(struct sbuf *b, const struct job *j, int region, int input)
{
    const struct worker_spec *s = j->spec;
    sbuf_puts(b, "set pagination off\nset confirm off\nset breakpoint pending on\n"
                 "set print thread-events off\nset disable-randomization on\nset debuginfod enabled off\n"
                 "handle SIGUSR2 nostop noprint\nhandle SIGSEGV nostop noprint pass\n"
                 "handle SIGSYS nostop noprint pass\n");
    sbuf_printf(b, "set environment " SHARED_ENV " %d\nset exec-wrapper env -u LINES -u COLUMNS\n",
                region);
    if (s->directory)
        sbuf_printf(b, "cd %s\n", s->directory);
    sbuf_puts(b, "set args");
    for (int i = 1; s->argv[0] && s->argv[i]; i++)
        put_quoted(b, s->argv[i]);
    if (input >= 0)
        sbuf_printf(b, " </proc/self/fd/%d\n", input);
    else
        sbuf_puts(b, " </dev/null\n");
    sbuf_puts(b, "break raddle_stopped\nrun\n");
    sbuf_puts(b, select_frame);
}

static char *script_file(const struct job *j, int region, int input, struct error *e)
{
    char *path = mem_strdup("/tmp/raddle-gdb-XXXXXX");
    struct sbuf script = {0};
    int fd = mkstemp(path);
    put_script(&script, j, region, input);
    sbuf_printf(&script, "shell rm -f %s\n", path);
    if (fd < 0 || write(fd, sbuf_str(&script), script.len) != (ssize_t)script.len) {
        error_set(e, EXIT_INTERNAL, "cannot write %s: %s", path, strerror(errno));
        free(path);
        path = NULL;
    }
    if (fd >= 0)
        close(fd);
    sbuf_free(&script);
    return path;
}

int gdb_exec(const struct job *j, const char *program, uint32_t until, const struct opt_list *args,
             struct error *e)
{
    struct region r;
    struct run_config c = j->config;
    c.gdb = 1;
    c.until_step = until;
    c.show_output = 1;
    c.hang_ms = UINT32_MAX;
    if (region_create(&r, &c, e) || job_fill_region(j, &r, e))
        return -1;
    int region = fcntl(r.fd, F_DUPFD, WORKER_FDS);
    int input = j->spec->input >= 0 ? fcntl(j->spec->input, F_DUPFD, WORKER_FDS) : -1;
    char *script = script_file(j, region, input, e);
    if (!script)
        return -1;
    VEC(const char *) argv = {0};
    vec_push(&argv, "gdb");
    vec_push(&argv, "-q");
    vec_push(&argv, "-x");
    vec_push(&argv, script);
    for (size_t i = 0; i < args->count; i++)
        vec_push(&argv, args->items[i]);
    vec_push(&argv, program);
    vec_push(&argv, NULL);
    execvp("gdb", (char **)argv.items);
    unlink(script);
    error_set(e, EXIT_CANNOT_START, "cannot start gdb: %s", strerror(errno));
    return error_todo(e, "install gdb, or use raddle replay without --gdb");
}
