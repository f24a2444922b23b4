#include "cli/formats.h"

#include "cli/outdir.h"
#include "report/formats.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    size_t option; /* the member of struct formats that has its file */
    void (*write)(const struct report *r, struct sbuf *out);
} table[] = {
#define FORMAT_STRING(field) {offsetof(struct formats, field), report_##field},
#define FORMAT_FLAG(field)
#define FORMAT(type, field, name, arg, help) FORMAT_##type(field)
#include "report/formats.def"
#undef FORMAT
};

enum { FORMATS = sizeof table / sizeof table[0] };

/* The file of one of them; NULL: it is not wanted. */
static const char *path_of(const struct formats *f, int format)
{
    return *(const char *const *)((const char *)f + table[format].option);
}

static int is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

void formats_coverage(const char **coverage, struct formats *f)
{
    size_t n = *coverage ? strlen(*coverage) : 0;
    if (n < 5 || strcmp(*coverage + n - 5, ".info") || f->lcov)
        return;
    f->lcov = *coverage;
    *coverage = NULL;
}

int formats_check_file(const char *path, struct error *e)
{
    if (!path || is_stdout(path))
        return 0;
    FILE *file = fopen(path, "a");
    if (!file)
        return error_set(e, EXIT_USAGE, "cannot write %s", path);
    fclose(file);
    return 0;
}

int formats_check(const struct formats *f, struct error *e)
{
    int stdouts = 0;
    for (int i = 0; i < FORMATS; i++) {
        const char *path = path_of(f, i);
        stdouts += is_stdout(path);
        if (stdouts > 1)
            return error_set(e, EXIT_USAGE, "only one format can be written to standard output");
        if (formats_check_file(path, e))
            return -1;
    }
    return 0;
}

static int append(const char *path, const struct sbuf *text, struct error *e)
{
    FILE *file = fopen(path, "a");
    int bad = !file || fwrite(sbuf_str(text), 1, text->len, file) != text->len;
    if (file)
        bad |= fclose(file) != 0;
    return bad ? error_set(e, EXIT_UNWRITTEN, "cannot write %s", path) : 0;
}

static int write_github(const struct report *r)
{
    struct sbuf text = {0}, summary = {0};
    struct error e;
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    report_annotations(r, &text);
    fputs(sbuf_str(&text), stdout);
    report_markdown(r, &summary);
    int bad = path && *path && append(path, &summary, &e) ? (error_print(&e), -1) : 0;
    sbuf_free(&text);
    sbuf_free(&summary);
    return bad;
}

static int write_one(int format, const char *path, const struct report *r)
{
    struct sbuf text = {0};
    struct error e;
    int bad = 0;
    table[format].write(r, &text);
    if (is_stdout(path))
        fwrite(sbuf_str(&text), 1, text.len, stdout);
    else if (outdir_write(path, sbuf_str(&text), text.len, &e))
        bad = (error_print(&e), -1);
    sbuf_free(&text);
    return bad;
}

int formats_wanted(const struct formats *f)
{
    int n = f->github != 0;
    for (int i = 0; i < FORMATS; i++)
        n += path_of(f, i) != NULL;
    return n;
}

int formats_take_stdout(const struct formats *f)
{
    int taken = 0;
    for (int i = 0; i < FORMATS; i++)
        taken |= is_stdout(path_of(f, i));
    return taken;
}

int formats_write(const struct formats *f, const struct report *r)
{
    int bad = f->github ? write_github(r) : 0;
    for (int i = 0; i < FORMATS; i++)
        if (path_of(f, i))
            bad |= write_one(i, path_of(f, i), r);
    return bad;
}
