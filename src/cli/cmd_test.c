/* raddle test: explores every test of programs that use <raddle/test.h>, each by a raddle run of its
 * own, and prints TAP. The program names its tests (--raddle-list) and runs one (--raddle-test NAME). */
#include "base/mem.h"
#include "base/foreign.h"
#include "base/progress.h"
#include "base/sbuf.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/outdir.h"
#include "report/html_page.h"
#include "report/junit.h"
#include "report/report.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
        "as TAP: a bug is \"not ok\", followed by the report; a search that is not complete is skipped "
        "and says so.\n\n"
        "Exit status: 0 all tests are safe, 1 a bug, 2 no bug but something incomplete, 3 a test "
        "could not be run, 64 usage, 74 no bug, but a file that was asked for could not be written.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

typedef VEC(char *) words;

struct tally {
    const struct test_options *options;
    int number, status;
    struct sbuf cases; /* JUnit, of the program under way */
    int counts[JUNIT_OUTCOMES];
    double seconds;
    struct html_page page; /* --html: the tests one after the other, … */
    struct sbuf rows;      /* … and the table that leads to them */
    int results[JUNIT_OUTCOMES]; /* of all programs */
    int left_out;          /* after a signal */
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

/* What was printed, or the same told again for the width of this terminal. */
static void print_report(const char *directory, const struct sbuf *printed)
{
    struct style style = style_for(STDOUT_FILENO);
    struct sbuf text = {0};
    struct report r;
    struct error e;
    if (style.terminal && !report_load(&r, directory, &e)) {
        style.width -= 4;
        style.colour = 0;
        report_text(&r, style, &text);
        report_free(&r);
    }
    print_indented(sbuf_str(text.len ? &text : printed));
    sbuf_free(&text);
}

static void add_case(struct tally *t, const char *program, const char *name, int status,
                     double seconds, const struct sbuf *report)
{
    enum junit_outcome outcome = junit_outcome(status);
    junit_case(&t->cases,
               &(struct junit_case){program, name, seconds, outcome, sbuf_str(report), sbuf_str(report)});
    t->counts[outcome]++;
    t->results[outcome]++;
    t->seconds += seconds;
}

/* A row in the table, and below it what the output folder has; without one what was printed. */
static void add_to_page(struct tally *t, const char *name, const char *verdict, const char *directory,
                        int status, const struct sbuf *said)
{
    static const char *const classes[] = {[JUNIT_PASSED] = "safe", [JUNIT_FAILED] = "bug",
                                          [JUNIT_SKIPPED] = "incomplete", [JUNIT_ERROR] = "bug"};
    const char *class = classes[junit_outcome(status)];
    struct report r;
    struct error e;
    if (!t->options->html)
        return;
    sbuf_printf(&t->rows, "<tr><td><a href=\"#test%d\">", t->number);
    sbuf_html(&t->rows, name);
    sbuf_printf(&t->rows, "</a><td class=\"%s\">", class);
    sbuf_html(&t->rows, verdict);
    sbuf_printf(&t->page.body, "<h1 class=\"%s\" id=\"test%d\">", class, t->number);
    sbuf_html(&t->page.body, name);
    sbuf_puts(&t->page.body, ": ");
    sbuf_html(&t->page.body, verdict);
    sbuf_puts(&t->page.body, "</h1>\n");
    if (junit_outcome(status) != JUNIT_ERROR && !report_load(&r, directory, &e)) {
        html_add(&t->page, &r);
        report_free(&r);
        return;
    }
    sbuf_puts(&t->page.body, "<pre>");
    sbuf_html(&t->page.body, sbuf_str(said));
    sbuf_puts(&t->page.body, "</pre>\n");
}

/* The worst counts: 1 before 3 before 74 before 2 before 0. */
static void note_status(struct tally *t, int status)
{
    static const int order[] = {EXIT_SAFE, EXIT_INCOMPLETE, EXIT_UNWRITTEN, EXIT_CANNOT_START, EXIT_BUG};
    int have = 0, got = 3;
    for (int i = 0; i < 5; i++) {
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
    double start = progress_now();
    int status = capture(w.items, &report);
    char *verdict = first_line(&report);
    int good = status == EXIT_SAFE || status == EXIT_INCOMPLETE;
    foreign_printf(stdout, "%s %d - %s%s%s\n", good ? "ok" : "not ok", ++t->number, name,
           status == EXIT_INCOMPLETE ? " # SKIP " : "", status == EXIT_INCOMPLETE ? verdict : "");
    if (!good)
        print_report(directory, &report);
    add_case(t, program, name, status, progress_now() - start, &report);
    add_to_page(t, name, verdict, directory, status, &report);
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
    junit_suite(into, program, &t->cases, t->counts, t->seconds);
    sbuf_free(&t->cases);
    t->cases = (struct sbuf){0};
    memset(t->counts, 0, sizeof t->counts);
    t->seconds = 0;
}

static int write_junit(const char *path, const struct sbuf *suites, struct error *e)
{
    struct sbuf xml = {0};
    junit_document(&xml, suites);
    int status = outdir_write(path, sbuf_str(&xml), xml.len, e);
    sbuf_free(&xml);
    return status;
}

static int write_page(struct tally *t, struct error *e)
{
    struct html_page page = {.sections = t->page.sections};
    struct sbuf out = {0};
    int bad = t->results[JUNIT_FAILED] + t->results[JUNIT_ERROR], cut = t->results[JUNIT_SKIPPED];
    char *verdict = mem_printf("%d test%s: %d with a bug, %d incomplete, %d safe%s", t->number,
                               t->number == 1 ? "" : "s", bad, cut, t->results[JUNIT_PASSED],
                               t->left_out ? "; interrupted" : "");
    sbuf_puts(&page.body, "<div class=\"wide\"><table class=\"tests\"><thead><tr><th>test<th>verdict</thead>"
                          "<tbody>\n");
    sbuf_puts(&page.body, sbuf_str(&t->rows));
    sbuf_puts(&page.body, "</tbody></table></div>\n");
    sbuf_puts(&page.body, sbuf_str(&t->page.body));
    page.files = t->page.files;
    html_end(&page, bad ? "bug" : cut || t->left_out ? "incomplete" : "safe", verdict, &out);
    int status = outdir_write(t->options->html, sbuf_str(&out), out.len, e);
    sbuf_free(&t->page.body);
    sbuf_free(&t->rows);
    sbuf_free(&out);
    free(verdict);
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
    if (!failed && o.html && !o.list)
        failed = write_page(&t, &e);
    sbuf_free(&suites);
    if (!failed)
        return t.status;
    int status = error_print(&e);
    return status == EXIT_UNWRITTEN ? error_unwritten(t.status) : status;
}
