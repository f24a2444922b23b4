/* Links are put in last, behind the filter for foreign text: so no program can write one. A
 * location is linked where it stands as a word; the table of those that the report can mention
 * comes from the recordings. */
#include "cli/terminal.h"

#include "base/foreign.h"
#include "base/progress.h"
#include "report/steps.h"
#include "report/style.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct link {
    char *word; /* "pool.c:79" */
    char *path; /* "/home/me/pool.c" */
    unsigned line;
};

struct links {
    VEC(struct link) items;
};

/* ---- does the terminal have links? ---- */

static int is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static int one_of(const char *name, const char *const *words)
{
    const char *value = getenv(name);
    for (; value && *words; words++)
        if (!strcmp(value, *words))
            return 1;
    return 0;
}

static int has_links(void)
{
    static const char *const programs[] = {"iTerm.app", "WezTerm", "vscode", "ghostty",
                                           "Hyper",     "Tabby",   NULL};
    static const char *const terms[] = {"xterm-kitty",   "alacritty", "foot",
                                        "xterm-ghostty", "wezterm",   NULL};
    const char *wanted = getenv("RADDLE_LINKS"), *vte = getenv("VTE_VERSION");
    if (wanted && *wanted)
        return strcmp(wanted, "0") != 0;
    if (!progress_colour(stdout))
        return 0;
    return (vte && atoi(vte) >= 5000) || is_set("WT_SESSION") || is_set("KONSOLE_VERSION") ||
           is_set("KITTY_WINDOW_ID") || one_of("TERM_PROGRAM", programs) || one_of("TERM", terms);
}

/* ---- which words are links ---- */

static void add(struct links *l, const char *word, const char *location)
{
    unsigned line;
    size_t n = steps_place(location, &line);
    for (size_t i = 0; i < l->items.count; i++)
        if (!strcmp(l->items.items[i].word, word))
            return;
    char *file = n ? mem_strndup(location, n) : NULL, *path = file ? realpath(file, NULL) : NULL;
    if (path)
        vec_push(&l->items, ((struct link){mem_strdup(word), path, line}));
    free(file);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Every place of a recording, each looked up once. */
static void add_finding(struct links *l, const struct report_finding *f)
{
    VEC(uint64_t) places = {0};
    struct names n;
    if (f->schedule.location)
        add(l, f->schedule.location, f->schedule.location);
    for (size_t i = 0; i < f->tale.events.count; i++)
        for (uint32_t k = 0; k < f->tale.events.items[i].frames; k++)
            vec_push(&places, f->tale.events.items[i].pc[k]);
    for (size_t i = 0; i < f->tale.stacks.count; i++)
        for (uint32_t k = 0; k < f->tale.stacks.items[i].frames; k++)
            vec_push(&places, f->tale.stacks.items[i].pc[k]);
    if (places.count)
        qsort(places.items, places.count, sizeof *places.items, by_value);
    names_init(&n, &f->tale);
    for (size_t i = 0; i < places.count; i++)
        if (!i || places.items[i] != places.items[i - 1])
            add(l, names_location(&n, places.items[i]), names_path_location(&n, places.items[i]));
    names_free(&n);
    vec_free(&places);
}

static void free_links(struct links *l)
{
    for (size_t i = 0; i < l->items.count; i++) {
        free(l->items.items[i].word);
        free(l->items.items[i].path);
    }
    vec_free(&l->items);
}

/* ---- putting them in ---- */

static int in_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_./-+", c));
}

static const struct link *link_at(const struct links *l, const char *text)
{
    for (size_t i = 0; i < l->items.count; i++) {
        size_t n = strlen(l->items.items[i].word);
        if (!strncmp(text, l->items.items[i].word, n) && !isalnum((unsigned char)text[n]))
            return &l->items.items[i];
    }
    return NULL;
}

static void put_address(struct sbuf *out, const struct link *l)
{
    char host[256] = "localhost";
    gethostname(host, sizeof host - 1);
    sbuf_printf(out, "\033]8;;file://%s", host);
    for (const char *c = l->path; *c; c++)
        if (in_word(*c))
            sbuf_putc(out, *c);
        else
            sbuf_printf(out, "%%%02X", (unsigned char)*c);
    sbuf_printf(out, "#%u\033\\", l->line);
}

static void put_linked(struct sbuf *out, const struct links *l, const char *text)
{
    for (char before = 0; *text;) {
        const struct link *link = in_word(before) ? NULL : link_at(l, text);
        if (!link) {
            before = *text;
            sbuf_putc(out, *text++);
            continue;
        }
        put_address(out, link);
        sbuf_puts(out, link->word);
        sbuf_puts(out, "\033]8;;\033\\");
        text += strlen(link->word);
        before = 'x';
    }
}

void terminal_print(const char *text, const struct report *r)
{
    struct sbuf safe = {0}, out = {0};
    struct links l = {0};
    foreign_put(&safe, text, progress_colour(stdout) ? FOREIGN_COLOURS : FOREIGN_PLAIN);
    for (size_t i = 0; r && has_links() && i < r->findings.count; i++)
        add_finding(&l, &r->findings.items[i]);
    if (l.items.count)
        put_linked(&out, &l, sbuf_str(&safe));
    const struct sbuf *shown = l.items.count ? &out : &safe;
    fwrite(sbuf_str(shown), 1, shown->len, stdout);
    free_links(&l);
    sbuf_free(&safe);
    sbuf_free(&out);
}

int terminal_width(FILE *f)
{
    struct style s = style_for(fileno(f));
    return s.terminal ? s.width : 0;
}

void terminal_wrap(FILE *f, const char *text)
{
    struct sbuf out = {0};
    struct style s = style_for(fileno(f));
    while (*text) {
        size_t n = strcspn(text, "\n"), blanks = strspn(text, " ");
        char *line = mem_strndup(text, n);
        if (s.terminal && style_columns(line) > (size_t)s.width && blanks < n) {
            sbuf_pad(&out, ' ', blanks);
            style_wrap(s, &out, line + blanks, blanks, blanks + 4);
        } else
            sbuf_puts(&out, line);
        free(line);
        text += n + (text[n] == '\n');
        sbuf_putc(&out, '\n');
    }
    foreign_print(f, sbuf_str(&out), FOREIGN_PLAIN);
    sbuf_free(&out);
}
