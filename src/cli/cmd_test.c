/* raddle test: explores every test of programs that use <raddle/test.h>, each by a raddle run of its
 * own, and prints TAP. The program names its tests (--raddle-list) and runs one (--raddle-test NAME). */
#include "base/mem.h"
#include "base/foreign.h"
#include "base/sbuf.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/outdir.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct test_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_test.def"
#undef OPT
};
#define OPT_OWNER test_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_test.def"
#undef OPT
};

const struct opt_command cmd_test_options = {
    .name = "test",
    .usage = "[options] PROGRAM…",
    .summary = "explore the tests of programs that use <raddle/test.h>",
    .description =
        "Each test of each program is explored by itself, as raddle run does, with the options of "
        "--run and then those that the test asks for (RADDLE_TEST_WITH). The results are printed "
        "as TAP: a bug is \"not ok\", followed by the report; a search that is not complete passes "
        "and says so.\n\n"
        "Exit status: 0 all tests are safe, 1 a bug, 2 no bug but something incomplete, 3 a test "
        "could not be run, 64 usage.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

typedef VEC(char *) words;

struct tally {
    const struct test_options *options;
    int number, status;
    struct sbuf junit; /* test cases of the program under way */
    int cases, failures;
    int left_out; /* after a signal */
};

/* Splits at blanks; the words point into text. */
static void split(char *text, words *into)
{
    for (char *w = strtok(text, " \t"); w; w = strtok(NULL, " \t"))
        vec_push(into, w);
}

/* Runs the command and takes what it prints; its exit status, or -1. */
static int capture(char **command, struct sbuf *out)
{
    int ends[2], status = 0;
    fflush(NULL);
    if (pipe(ends))
        return -1;
    pid_t parent = getpid(), pid = fork();
    int told = stop_asked();
    if (pid == 0) {
        stop_child(parent);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(command[0], command);
        _exit(127);
    }
    close(ends[1]);
    char text[4096];
    for (ssize_t n; pid > 0 && (n = stop_read(ends[0], text, sizeof text, pid, &told)) > 0;)
        sbuf_add(out, text, n > 0 ? (size_t)n : 0);
    close(ends[0]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* "verdict: what, where" as the first line of the report says it. */
static char *first_line(const struct sbuf *text)
{
    return mem_strndup(sbuf_str(text), strcspn(sbuf_str(text), "\n"));
}

static void print_indented(const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        foreign_printf(stdout, "#   %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static void add_case(struct tally *t, const char *program, const char *name, int status,
                     double seconds, const struct sbuf *report)
{
    char *verdict = first_line(report);
    sbuf_puts(&t->junit, "    <testcase classname=\"");
    sbuf_html(&t->junit, program);
    sbuf_puts(&t->junit, "\" name=\"");
    sbuf_html(&t->junit, name);
    sbuf_printf(&t->junit, "\" time=\"%.3f\">", seconds);
    if (status != EXIT_SAFE && status != EXIT_INCOMPLETE) {
        sbuf_puts(&t->junit, "<failure message=\"");
        sbuf_html(&t->junit, verdict);
        sbuf_puts(&t->junit, "\">");
        sbuf_html(&t->junit, sbuf_str(report));
        sbuf_puts(&t->junit, "</failure>");
        t->failures++;
    } else if (status == EXIT_INCOMPLETE) {
        sbuf_puts(&t->junit, "<system-out>");
        sbuf_html(&t->junit, verdict);
        sbuf_puts(&t->junit, "</system-out>");
    }
    sbuf_puts(&t->junit, "</testcase>\n");
    t->cases++;
    free(verdict);
}

/* The worst counts: 1 before 3 before 2 before 0. */
static void note_status(struct tally *t, int status)
{
    static const int order[] = {EXIT_SAFE, EXIT_INCOMPLETE, EXIT_CANNOT_START, EXIT_BUG};
    int have = 0, got = 2;
    for (int i = 0; i < 4; i++) {
        have = order[i] == t->status ? i : have;
        got = order[i] == status ? i : got;
    }
    t->status = order[got > have ? got : have];
}

static void explore(struct tally *t, const char *program, const char *name, const char *options)
{
    char *common = mem_strdup(t->options->run ? t->options->run : ""), *own = mem_strdup(options);
    char *directory = mem_printf("%s/%s", t->options->out, name);
    words w = {0};
    struct sbuf report = {0};
    char *head[] = {"/proc/self/exe", "run", "--out", directory};
    char *tail[] = {"--", (char *)program, "--raddle-test", (char *)name, NULL};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        vec_push(&w, head[i]);
    split(common, &w);
    split(own, &w);
    for (size_t i = 0; i < sizeof tail / sizeof tail[0]; i++)
        vec_push(&w, tail[i]);
    double start = seconds_now();
    int status = capture(w.items, &report);
    char *verdict = first_line(&report);
    int good = status == EXIT_SAFE || status == EXIT_INCOMPLETE;
    foreign_printf(stdout, "%s %d - %s%s%s\n", good ? "ok" : "not ok", ++t->number, name,
           status == EXIT_INCOMPLETE ? " # " : "", status == EXIT_INCOMPLETE ? verdict : "");
    if (!good)
        print_indented(sbuf_str(&report));
    add_case(t, program, name, status, seconds_now() - start, &report);
    note_status(t, status);
    free(verdict);
    vec_free(&w);
    sbuf_free(&report);
    free(directory);
    free(common);
    free(own);
}

static void one_test(struct tally *t, const char *program, char *line)
{
    char *options = strchr(line, '\t');
    if (!options)
        return;
    *options++ = 0;
    if (t->options->filter && fnmatch(t->options->filter, line, 0))
        return;
    if (stop_asked()) {
        t->left_out++;
        return;
    }
    if (t->options->list)
        foreign_printf(stdout, "%s%s%s\n", line, *options ? "  " : "", options);
    else
        explore(t, program, line, options);
}

static int one_program(struct tally *t, const char *program, struct error *e)
{
    char *path = strchr(program, '/') ? mem_strdup(program) : mem_printf("./%s", program);
    char *command[] = {path, "--raddle-list", NULL};
    struct sbuf names = {0};
    int status = capture(command, &names);
    if (status != 0) {
        error_set(e, EXIT_CANNOT_START, "%s does not name its tests", program);
        error_todo(e, "a program of tests includes <raddle/test.h>");
        free(path);
        return -1;
    }
    for (char *at = (char *)sbuf_str(&names), *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = 0;
        one_test(t, path, at);
    }
    sbuf_free(&names);
    free(path);
    return 0;
}

static void close_suite(struct tally *t, const char *program, struct sbuf *into)
{
    sbuf_puts(into, "  <testsuite name=\"");
    sbuf_html(into, program);
    sbuf_printf(into, "\" tests=\"%d\" failures=\"%d\">\n%s  </testsuite>\n", t->cases, t->failures,
                sbuf_str(&t->junit));
    sbuf_free(&t->junit);
    t->junit = (struct sbuf){0};
    t->cases = t->failures = 0;
}

static int write_junit(const char *path, const struct sbuf *suites, struct error *e)
{
    struct sbuf xml = {0};
    sbuf_printf(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n%s</testsuites>\n",
                sbuf_str(suites));
    int status = outdir_write(path, sbuf_str(&xml), xml.len, e);
    sbuf_free(&xml);
    return status;
}

int cmd_test(int argc, char **argv)
{
    struct test_options o = {.out = "raddle-out/test"};
    struct tally t = {.options = &o};
    struct sbuf suites = {0};
    struct error e;
    int first = opt_parse(&cmd_test_options, argc, argv, &o, &e), failed = 0;
    if (first >= 0 && first == argc) {
        error_set(&e, EXIT_USAGE, "raddle test: no program given");
        first = error_todo(&e, "usage: raddle test %s", cmd_test_options.usage);
    }
    if (first < 0)
        return error_print(&e);
    stop_watch();
    for (int i = first; i < argc && !failed; i++) {
        failed = one_program(&t, argv[i], &e);
        close_suite(&t, argv[i], &suites);
    }
    if (!failed && t.left_out) {
        printf("# interrupted: %d further test%s not run\n", t.left_out, t.left_out == 1 ? " was" : "s were");
        note_status(&t, EXIT_INCOMPLETE);
    }
    if (!failed && !o.list)
        printf("1..%d\n", t.number);
    if (!failed && o.junit)
        failed = write_junit(o.junit, &suites, &e);
    sbuf_free(&suites);
    return failed ? error_print(&e) : t.status;
}
