/* Every row runs in a forked copy of this process, so that nothing of one exploration is left for the
 * next; its first line of output is its verdict. Values reach the program in its arguments ({name}),
 * in environment variables ({name} in their values) and through raddle_param(), which reads the
 * environment variable RADDLE_PARAM_name. */
#include "cli/inputs.h"

#include "base/bounded.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cli/outdir.h"
#include "cli/verdict.h"
#include "pairs/bridge.h"
#include "report/junit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_parameters(const struct bridge *b, size_t row)
{
    for (size_t p = 0; p < b->model.params.count; p++) {
        char *name = mem_printf("RADDLE_PARAM_%s", b->model.params.items[p].name);
        setenv(name, b->rows[row].values[p], 1);
        free(name);
    }
}

/* Variables that hold a {name} of the model; braces that mean something else are left alone. */
static void set_environment(const struct bridge *b, size_t row)
{
    extern char **environ;
    for (char **v = environ; *v; v++) {
        char *one[] = {*v, NULL};
        struct error e;
        char **filled = strchr(*v, '{') ? bridge_words(b, row, one, &e) : NULL;
        if (filled && strcmp(filled[0], *v))
            *v = mem_strdup(filled[0]);
        if (filled)
            bridge_free_words(filled);
    }
}

static void run_row(const struct inputs *in, const struct bridge *b, size_t row, char **command,
                    int out)
{
    char *directory = mem_printf("%s/row-%zu", in->directory, row + 1);
    set_parameters(b, row);
    set_environment(b, row);
    dup2(out, STDOUT_FILENO);
    int status = in->explore(in->context, command, directory, b->count - row);
    fflush(NULL);
    _exit(status);
}

static char *first_line(int fd, pid_t child)
{
    char text[4096];
    size_t n = 0;
    int told = stop_asked();
    for (ssize_t k; n < sizeof text - 1 &&
                    (k = stop_read(fd, text + n, sizeof text - 1 - n, child, &told)) > 0;)
        n += (size_t)k;
    for (char rest[4096]; stop_read(fd, rest, sizeof rest, child, &told) > 0;)
        ;
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
    return mem_strdup(text);
}

static enum bridge_outcome outcome_of(int status)
{
    return status == EXIT_SAFE  ? BRIDGE_PASSED
           : status == EXIT_BUG ? BRIDGE_FAILED
                                : BRIDGE_INCOMPLETE;
}

/* The exit status of the row's exploration, or -1. */
static int explore_row(const struct inputs *in, struct bridge *b, size_t row, struct error *e)
{
    int ends[2], status = 0;
    char **command = bridge_words(b, row, in->command, e);
    if (!command)
        return -1;
    fflush(NULL);
    if (pipe(ends))
        return error_set(e, EXIT_INTERNAL, "cannot make a pipe for row %zu", row + 1);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        stop_child(parent);
        run_row(in, b, row, command, ends[1]);
    }
    close(ends[1]);
    char *verdict = first_line(ends[0], pid);
    close(ends[0]);
    bridge_free_words(command);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) {
        free(verdict);
        return error_set(e, EXIT_INTERNAL, "row %zu could not be explored", row + 1);
    }
    bridge_set(b, row, outcome_of(WEXITSTATUS(status)), verdict);
    free(verdict);
    return WEXITSTATUS(status);
}

/* "row 2: threads=3 size=big" (allocated). */
static char *name_of(const struct bridge *b, size_t row)
{
    struct sbuf name = {0};
    sbuf_printf(&name, "row %zu:", row + 1);
    for (size_t p = 0; p < b->model.params.count; p++) {
        sbuf_putc(&name, ' ');
        sbuf_puts(&name, b->model.params.items[p].name);
        sbuf_putc(&name, '=');
        sbuf_puts(&name, b->rows[row].values[p]);
    }
    return name.s;
}

static void put_junit(const struct bridge *b, const char *class, struct sbuf *out)
{
    static const enum junit_outcome outcomes[] = {[BRIDGE_NOT_RUN] = JUNIT_SKIPPED,
                                                  [BRIDGE_PASSED] = JUNIT_PASSED,
                                                  [BRIDGE_FAILED] = JUNIT_FAILED,
                                                  [BRIDGE_INCOMPLETE] = JUNIT_SKIPPED};
    struct sbuf cases = {0}, suites = {0};
    int counts[JUNIT_OUTCOMES] = {0};
    for (size_t i = 0; i < b->count; i++) {
        const char *message = b->rows[i].message ? b->rows[i].message : "not explored";
        enum junit_outcome outcome = outcomes[b->rows[i].outcome];
        char *name = name_of(b, i);
        junit_case(&cases, &(struct junit_case){class, name, 0, outcome, message, message});
        counts[outcome]++;
        free(name);
    }
    junit_suite(&suites, class, &cases, counts, 0);
    junit_document(out, &suites);
    sbuf_free(&cases);
    sbuf_free(&suites);
}

static int write_junit(const struct inputs *in, const struct bridge *b)
{
    struct sbuf xml = {0};
    struct error e;
    int failed = 0;
    if (!in->junit)
        return 0;
    put_junit(b, in->command[0], &xml);
    if (!strcmp(in->junit, "-"))
        fwrite(sbuf_str(&xml), 1, xml.len, stdout);
    else if (outdir_write(in->junit, sbuf_str(&xml), xml.len, &e))
        failed = error_print(&e);
    sbuf_free(&xml);
    return failed;
}

/* Where the story of each failing row is. */
static void put_folders(const struct inputs *in, const struct bridge *b, struct sbuf *out)
{
    size_t told = 0;
    struct sbuf folder = {0};
    sbuf_word(&folder, in->directory);
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].outcome == BRIDGE_FAILED && told++ < 10)
            sbuf_printf(out, "%sraddle replay %s/row-%zu\n", told == 1 ? "\n" : "", sbuf_str(&folder), i + 1);
    sbuf_free(&folder);
    if (told > 10)
        sbuf_printf(out, "and %zu more rows in %s\n", told - 10, in->directory);
}

/* What could not be written is told: not 0. */
static int print(const struct inputs *in, const struct bridge *b)
{
    struct sbuf text = {0}, json = {0};
    struct error e;
    bridge_report_text(b, &text);
    put_folders(in, b, &text);
    bridge_report_json(b, &json);
    sbuf_putc(&json, '\n');
    int to_stdout = in->json && !strcmp(in->json, "-");
    if (to_stdout || !in->junit || strcmp(in->junit, "-"))
        foreign_print(stdout, sbuf_str(to_stdout ? &json : &text), FOREIGN_PLAIN);
    int failed = write_junit(in, b);
    if (in->json && !to_stdout && outdir_write(in->json, sbuf_str(&json), json.len, &e))
        failed = error_print(&e);
    char *kept = mem_printf("%s/inputs.json", in->directory);
    if (outdir_write(kept, sbuf_str(&json), json.len, &e))
        failed = error_print(&e);
    outdir_link_latest(in->directory);
    free(kept);
    sbuf_free(&text);
    sbuf_free(&json);
    return failed;
}

/* The rows from here on were not explored, and say so. */
static void leave_out(struct bridge *b, size_t row, const char *why)
{
    for (; row < b->count; row++) {
        char *verdict = mem_printf("incomplete: not explored, %s", why);
        bridge_set(b, row, BRIDGE_INCOMPLETE, verdict);
        free(verdict);
    }
}

int inputs_run(const struct inputs *in)
{
    struct bridge b;
    struct error e;
    struct progress p;
    double left = in->deadline ? in->deadline - progress_now() : 0;
    bounded_begin(&(struct bounded){"choosing the rows of --inputs", left, 0, in->directory});
    int bad = bridge_open(&b, in->model, NULL, &e);
    bounded_end();
    if (bad) {
        rmdir(in->directory); /* nothing is in it, unless it was there before */
        return error_print(&e);
    }
    progress_begin(&p, in->quiet);
    int status = EXIT_SAFE;
    for (size_t i = 0; i < b.count; i++) {
        if (stop_asked() || (in->deadline && progress_now() >= in->deadline)) {
            status = verdict_worse(status, EXIT_INCOMPLETE);
            leave_out(&b, i, stop_asked() ? "interrupted" : "the time was up (--time)");
            break;
        }
        progress_line(&p, "row %zu of %zu", i + 1, b.count);
        int row = explore_row(in, &b, i, &e);
        if (row < 0 || (row >= EXIT_CANNOT_START && row != EXIT_UNWRITTEN)) {
            progress_end(&p);
            bridge_close(&b);
            return row < 0 ? error_print(&e) : row;
        }
        status = verdict_worse(status, row);
    }
    progress_end(&p);
    status = print(in, &b) ? error_unwritten(status) : status;
    bridge_close(&b);
    return status;
}
