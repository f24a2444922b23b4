/* See run_tests.h. A file NAME.inputs has the lines THREAD.INDEX TYPE VALUE NAME that a schedule file has
 * behind "input"; NAME.h has the same as constants of C. */
#include "cli/run_tests.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "base/stop.h"
#include "cli/formats.h"
#include "cli/outdir.h"
#include "cli/verdict.h"
#include "report/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDING ".inputs"

static int is_test(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > strlen(ENDING) && !strcmp(d->d_name + n - strlen(ENDING), ENDING);
}

static int list_tests(const char *directory, struct dirent ***all)
{
    return scandir(directory, all, is_test, alphasort);
}

static void free_list(struct dirent **all, int n)
{
    for (int i = 0; i < n; i++)
        free(all[i]);
    free(all);
}

int run_tests_prepare(const char *directory, struct run_config *c, struct error *e)
{
    struct dirent **all;
    if (!directory)
        return 0;
    if (mkdir(directory, 0777) && errno != EEXIST)
        return error_set(e, EXIT_USAGE, "cannot make %s: %s", directory, strerror(errno));
    char *path = realpath(directory, NULL);
    int fits = path && strlen(path) < sizeof c->save_tests;
    snprintf(c->save_tests, sizeof c->save_tests, "%s", fits ? path : "");
    free(path);
    if (!fits)
        return error_set(e, EXIT_USAGE, "--save-tests: the name of the folder is too long");
    int n = list_tests(directory, &all);
    if (n > 0) {
        free_list(all, n);
        error_set(e, EXIT_USAGE, "%s has tests already", directory);
        return error_todo(e, "give --save-tests another folder, or remove it");
    }
    free(all);
    return 0;
}

int run_tests_queries(const char *file, struct run_config *c, struct error *e)
{
    char here[sizeof c->save_queries] = "";
    if (!file)
        return 0;
    if (formats_check_file(file, e))
        return -1;
    if (file[0] != '/' && !getcwd(here, sizeof here))
        return error_set(e, EXIT_USAGE, "--save-queries: the name of the folder is too long");
    if ((size_t)snprintf(c->save_queries, sizeof c->save_queries, "%s%s%s", here, *here ? "/" : "", file) >=
        sizeof c->save_queries)
        return error_set(e, EXIT_USAGE, "--save-queries: the name of the file is too long");
    return 0;
}

/* The lines of a file; NULL if it cannot be read. */
static char *read_test(const char *directory, const char *name, size_t most)
{
    char *path = mem_printf("%s/%s", directory, name);
    FILE *f = fopen(path, "r");
    char *text = f ? mem_alloc(most + 1) : NULL;
    size_t n = f ? fread(text, 1, most, f) : 0;
    if (f)
        fclose(f);
    free(path);
    if (!text || !n || n == most) {
        free(text);
        return NULL;
    }
    return text;
}

static int write_header(const char *directory, const char *name, struct error *e)
{
    struct sbuf out = {0};
    char *text = read_test(directory, name, SHARED_INPUTS);
    char *path = mem_printf("%s/%.*s.h", directory, (int)(strlen(name) - strlen(ENDING)), name);
    if (text)
        report_inputs_header(text, &out);
    int failed = text ? outdir_write(path, sbuf_str(&out), out.len, e)
                      : error_set(e, EXIT_UNWRITTEN, "%s/%s cannot be read again", directory, name);
    sbuf_free(&out);
    free(path);
    free(text);
    return failed;
}

int run_tests_headers(const char *directory, int quiet, struct error *e)
{
    struct dirent **all;
    int n = directory ? list_tests(directory, &all) : -1, failed = 0;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++)
        failed |= write_header(directory, all[i]->d_name, e);
    free_list(all, n);
    if (!quiet)
        printf("%d tests in %s: raddle run --tests %s runs them\n", n, directory, directory);
    return failed;
}

/* ---- running them ------------------------------------------------------------------------------ */

static int run_one(const char *directory, const char *name, const struct run_config *given,
                   int (*explore)(void *, const struct run_config *, const char *), void *context)
{
    struct run_config config = *given;
    char *text = read_test(directory, name, sizeof config.inputs);
    int status = 0;
    printf("%.*s: ", (int)(strlen(name) - strlen(ENDING)), name);
    if (!text) {
        printf("cannot be read\n");
        return EXIT_CANNOT_START;
    }
    fflush(stdout);
    memcpy(config.inputs, text, strlen(text) + 1);
    free(text);
    pid_t child = fork();
    if (child == 0)
        exit(explore(context, &config, name));
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return EXIT_INTERNAL;
    return WEXITSTATUS(status);
}

int run_tests(const char *directory, const struct run_config *config,
              int (*explore)(void *context, const struct run_config *config, const char *name),
              void *context)
{
    struct dirent **all;
    struct error e;
    int worst = 0, counts[3] = {0}, n = list_tests(directory, &all);
    if (n <= 0) {
        error_set(&e, EXIT_USAGE, "%s has no tests", directory);
        error_todo(&e, "raddle run --save-tests %s writes some", directory);
        return error_print(&e);
    }
    int run = 0;
    for (; run < n && !stop_signal(); run++) {
        int status = run_one(directory, all[run]->d_name, config, explore, context);
        worst = verdict_worse(worst, status);
        if (status >= 0 && status < 3)
            counts[status]++;
    }
    printf("%d tests: %d with a bug, %d incomplete, %d without\n", run, counts[1], counts[2], counts[0]);
    if (run < n) {
        printf("stopped by a signal: %d were not run\n", n - run);
        worst = verdict_worse(worst, EXIT_INCOMPLETE);
    }
    free_list(all, n);
    return worst;
}
