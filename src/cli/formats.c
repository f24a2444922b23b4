#include "cli/formats.h"

#include "cli/outdir.h"
#include "report/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
    const char *path;
    void (*write)(const struct report *r, struct sbuf *out);
};

enum { FORMATS = 8 };

static void list(const struct formats *f, struct wanted out[FORMATS])
{
    const struct wanted all[FORMATS] = {
        {f->json, report_json},       {f->html, report_html},         {f->sarif, report_sarif},
        {f->junit, report_junit},     {f->tap, report_tap},           {f->quality, report_quality},
        {f->markdown, report_markdown}, {f->perfetto, report_perfetto},
    };
    memcpy(out, all, sizeof all);
}

static int is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

int formats_check(const struct formats *f, struct error *e)
{
    struct wanted all[FORMATS];
    const char *first = NULL;
    list(f, all);
    for (int i = 0; i < FORMATS; i++) {
        if (is_stdout(all[i].path) && first)
            return error_set(e, EXIT_USAGE, "only one format can be written to standard output");
        first = is_stdout(all[i].path) ? all[i].path : first;
        if (!all[i].path || is_stdout(all[i].path))
            continue;
        FILE *file = fopen(all[i].path, "a");
        if (!file)
            return error_set(e, EXIT_USAGE, "cannot write %s", all[i].path);
        fclose(file);
    }
    return 0;
}

static int append(const char *path, const struct sbuf *text, struct error *e)
{
    FILE *file = fopen(path, "a");
    int bad = !file || fwrite(sbuf_str(text), 1, text->len, file) != text->len;
    if (file)
        bad |= fclose(file) != 0;
    return bad ? error_set(e, EXIT_INTERNAL, "cannot write %s", path) : 0;
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

static int write_one(const struct wanted *w, const struct report *r)
{
    struct sbuf text = {0};
    struct error e;
    int bad = 0;
    w->write(r, &text);
    if (is_stdout(w->path))
        fwrite(sbuf_str(&text), 1, text.len, stdout);
    else if (outdir_write(w->path, sbuf_str(&text), text.len, &e))
        bad = (error_print(&e), -1);
    sbuf_free(&text);
    return bad;
}

int formats_wanted(const struct formats *f)
{
    struct wanted all[FORMATS];
    int n = f->github != 0;
    list(f, all);
    for (int i = 0; i < FORMATS; i++)
        n += all[i].path != NULL;
    return n;
}

int formats_take_stdout(const struct formats *f)
{
    struct wanted all[FORMATS];
    int taken = 0;
    list(f, all);
    for (int i = 0; i < FORMATS; i++)
        taken |= is_stdout(all[i].path);
    return taken;
}

int formats_write(const struct formats *f, const struct report *r)
{
    struct wanted all[FORMATS];
    int bad = f->github ? write_github(r) : 0;
    list(f, all);
    for (int i = 0; i < FORMATS; i++)
        if (all[i].path)
            bad |= write_one(&all[i], r);
    return bad;
}
