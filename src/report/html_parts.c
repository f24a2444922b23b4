#include "report/html_parts.h"

#include "base/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void html_script_json(struct sbuf *out, const char *text)
{
    struct sbuf json = {0};
    sbuf_json(&json, text);
    for (const char *c = sbuf_str(&json); *c; c++)
        if (*c == '<')
            sbuf_puts(out, "\\u003c");
        else
            sbuf_putc(out, *c);
    sbuf_free(&json);
}

void html_count(struct sbuf *out, uint64_t n, const char *what)
{
    sbuf_printf(out, "%s %s%s", progress_number(n), what, n == 1 ? "" : "s");
}

/* ---- sources ---- */

/* The text of a file (allocated, "" if it cannot be read or is too large). */
static char *read_source(const struct html_file *file, size_t most)
{
    FILE *f = file->path ? fopen(file->path, "r") : NULL;
    f = f ? f : fopen(file->name, "r");
    char *text = mem_alloc(most + 1);
    size_t n = f ? fread(text, 1, most + 1, f) : 0;
    if (f)
        fclose(f);
    if (n > most || memchr(text, 0, n))
        n = 0;
    text[n] = 0;
    return text;
}

static void put_source_json(struct sbuf *out, const char *path, const char *text)
{
    sbuf_puts(out, "{\"path\":");
    html_script_json(out, path);
    sbuf_puts(out, ",\"text\":");
    html_script_json(out, text);
    sbuf_putc(out, '}');
}

void html_sources(const struct html_file *files, size_t count, size_t each, size_t all, struct sbuf *out)
{
    struct sbuf json = {0};
    size_t used = 0;
    if (count)
        sbuf_puts(out, "<h2>Sources</h2>");
    for (size_t i = 0; i < count; i++) {
        char *text = read_source(&files[i], each);
        if (used + strlen(text) > all)
            *text = 0;
        used += strlen(text);
        sbuf_puts(&json, i ? "," : "");
        put_source_json(&json, files[i].name, text);
        sbuf_puts(out, "<details><summary class=\"mono\">");
        sbuf_html(out, files[i].name);
        sbuf_puts(out, "</summary><pre>");
        sbuf_html(out, *text ? text : "(not shown: it cannot be read, or is too large)");
        sbuf_puts(out, "</pre></details>\n");
        free(text);
    }
    sbuf_printf(out, "<script type=\"application/json\" id=\"sources\">[%s]</script>\n", sbuf_str(&json));
    sbuf_free(&json);
}
