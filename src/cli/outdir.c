#include "cli/outdir.h"
#include "base/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROOT "raddle-out"

static int make_parents(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        int failed = mkdir(path, 0777) && errno != EEXIST;
        *p = '/';
        if (failed)
            return -1;
    }
    return 0;
}

static char *cannot(char *path, struct error *e)
{
    error_set(e, EXIT_USAGE, "cannot make the output folder %s: %s", path, strerror(errno));
    error_todo(e, "--out DIR puts the results somewhere else");
    free(path);
    return NULL;
}

static char *make_given(const char *wanted, struct error *e)
{
    char *path = mem_strdup(wanted);
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    if (make_parents(path) || (mkdir(path, 0777) && errno != EEXIST))
        return cannot(path, e);
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        return cannot(path, e);
    }
    return access(path, W_OK | X_OK) ? cannot(path, e) : path;
}

char *outdir_make(const char *wanted, const char *program, struct error *e)
{
    if (wanted)
        return make_given(wanted, e);
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    char stamp[32];
    time_t now = time(NULL);
    struct tm tm;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
    for (int i = 1;; i++) {
        char *path = i == 1 ? mem_printf(ROOT "/%s-%s", name, stamp)
                            : mem_printf(ROOT "/%s-%s-%d", name, stamp, i);
        if (make_parents(path))
            return cannot(path, e);
        if (!mkdir(path, 0777))
            return path;
        if (errno != EEXIST || i == 1000)
            return cannot(path, e);
        free(path);
    }
}

int outdir_write(const char *path, const char *text, size_t n, struct error *e)
{
    FILE *f = fopen(path, "w");
    int failed = !f || fwrite(text, 1, n, f) != n;
    if (f && fclose(f))
        failed = 1;
    return failed ? error_set(e, EXIT_UNWRITTEN, "cannot write %s: %s", path, strerror(errno)) : 0;
}

static int write_in(const char *directory, const char *name, const struct sbuf *text, struct error *e)
{
    char *path = mem_printf("%s/%s", directory, name);
    int status = outdir_write(path, sbuf_str(text), text->len, e);
    free(path);
    return status;
}

static int copy_in(const char *directory, const char *name, int fd, struct error *e)
{
    struct sbuf all = {0};
    char part[65536];
    ssize_t n;
    for (off_t at = 0; (n = pread(fd, part, sizeof part, at)) > 0; at += n)
        sbuf_add(&all, part, (size_t)n);
    int status = write_in(directory, name, &all, e);
    sbuf_free(&all);
    return status;
}

static int write_finding(const char *directory, const struct report *r, size_t i, int story,
                         struct error *e)
{
    struct sbuf text = {0};
    schedule_format(&r->findings.items[i].schedule, &text);
    int status = write_in(directory, report_file_name("schedule", i), &text, e);
    sbuf_free(&text);
    if (story >= 0)
        status |= copy_in(directory, report_file_name("story", i), story, e);
    return status;
}

static int write_reports(const char *directory, const struct report *r, struct error *e)
{
    struct sbuf raw = {0}, text = {0}, json = {0}, summary = {0}, command = {0};
    report_text(r, (struct style){.width = 100}, &raw);
    foreign_put(&text, sbuf_str(&raw), FOREIGN_PLAIN);
    sbuf_free(&raw);
    report_json(r, &json);
    report_format_summary(r, &summary);
    for (size_t i = 0; i < r->command.count; i++)
        sbuf_printf(&command, "%s%s", i ? " " : "", r->command.items[i]);
    sbuf_putc(&command, '\n');
    int status = write_in(directory, "summary", &summary, e);
    status |= write_in(directory, "report.txt", &text, e);
    status |= write_in(directory, "report.json", &json, e);
    status |= write_in(directory, "command", &command, e);
    sbuf_free(&text);
    sbuf_free(&json);
    sbuf_free(&summary);
    sbuf_free(&command);
    return status;
}

/* raddle-out/latest, replaced in one step. A missing link is no reason to fail. */
void outdir_link_latest(const char *directory)
{
    if (strncmp(directory, ROOT "/", sizeof ROOT))
        return;
    unlink(ROOT "/.latest");
    if (!symlink(directory + sizeof ROOT, ROOT "/.latest") && rename(ROOT "/.latest", ROOT "/latest"))
        unlink(ROOT "/.latest");
}

int outdir_fill(const char *directory, const struct report *r, const int *story, int input,
                struct error *e)
{
    int status = 0;
    for (size_t i = 0; i < r->findings.count; i++)
        status |= write_finding(directory, r, i, story[i], e);
    if (input >= 0 && r->findings.count)
        status |= copy_in(directory, "stdin", input, e);
    status |= write_reports(directory, r, e);
    outdir_link_latest(directory);
    return status;
}

static int has_file(const char *folder, const char *name)
{
    char *path = mem_printf("%s/%s", folder, name);
    int there = !access(path, F_OK);
    free(path);
    return there;
}

char *outdir_result(const char *given)
{
    if (has_file(given, "schedule") || !has_file(given, "inputs.json"))
        return mem_strdup(given);
    for (size_t row = 1;; row++) {
        char *folder = mem_printf("%s/row-%zu", given, row);
        if (access(folder, F_OK)) {
            free(folder);
            return mem_strdup(given);
        }
        if (has_file(folder, "schedule")) {
            foreign_printf(stderr, "raddle: the first row of --inputs with a bug: %s\n", folder);
            return folder;
        }
        free(folder);
    }
}
