/* Options that do not stand on the command line: a file raddle.conf where the command is called, then
 * RADDLE_OPTIONS. Both become words as they would stand on the command line and are parsed like it, so
 * that the same names are known and the same values refused. */
#include "base/opt.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "base/sbuf.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outside_words {
    const char **items;
    size_t count, room;
};

/* Parses the words; `from` is who says them, for errors and for the reader. */
static int take_words(const struct opt_command *c, struct outside_words *w, const char *from, void *into,
                      struct sbuf *told, struct error *e)
{
    struct error inner = {0};
    VEC(char *) argv = {0};
    vec_push(&argv, mem_strdup(c->name));
    for (size_t i = 0; i < w->count; i++)
        vec_push(&argv, mem_strdup(w->items[i])); /* options point into them, for good */
    int first = opt_parse(c, (int)argv.count, argv.items, into, &inner);
    if (first >= 0 && first < (int)argv.count)
        first = error_set(&inner, EXIT_USAGE, "'%s' is no option", argv.items[first]);
    if (first < 0)
        return error_set(e, EXIT_USAGE, "%s: %s", from, inner.what);
    sbuf_printf(told, "%s%s:", told->len ? "; " : "", from);
    for (size_t i = 0; i < w->count; i++)
        sbuf_printf(told, " %s", w->items[i]);
    vec_free(&argv);
    return 0;
}

/* The next word as a shell would see it, with quotes and backslashes; NULL at the end. */
static char *shell_word(const char **at)
{
    struct sbuf word = {0};
    const char *p = *at + strspn(*at, " \t\n");
    char quote = 0;
    if (!*p)
        return NULL;
    for (; *p && (quote || !isspace((unsigned char)*p)); p++)
        if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? 0 : *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            sbuf_putc(&word, *++p);
        else
            sbuf_putc(&word, *p);
    *at = p;
    return word.s ? word.s : mem_strdup("");
}

static int take_variable(const struct opt_command *c, void *into, struct sbuf *told, struct error *e)
{
    const char *text = getenv("RADDLE_OPTIONS");
    struct outside_words w = {0};
    for (char *word; text && (word = shell_word(&text));)
        vec_push(&w, word);
    int status = w.count ? take_words(c, &w, "RADDLE_OPTIONS", into, told, e) : 0;
    for (size_t i = 0; i < w.count; i++)
        free((char *)w.items[i]);
    vec_free(&w);
    return status;
}

/* "name = value", "name value" or "name": the word "--name=value" or "--name" (allocated); NULL if the
 * line is empty. */
static char *line_word(char *line)
{
    char *name = line + strspn(line, " \t");
    size_t end = strlen(name);
    while (end && isspace((unsigned char)name[end - 1]))
        name[--end] = 0;
    if (!*name || *name == '#')
        return NULL;
    size_t n = strcspn(name, " \t=");
    const char *value = name + n + strspn(name + n, " \t");
    if (*value == '=')
        value += 1 + strspn(value + 1, " \t");
    return *value ? mem_printf("--%.*s=%s", (int)n, name, value) : mem_printf("--%.*s", (int)n, name);
}

static int take_file(const struct opt_command *c, void *into, struct sbuf *told, struct error *e)
{
    const char *named = getenv("RADDLE_CONF"), *path = named ? named : "raddle.conf";
    FILE *f = *path ? fopen(path, "r") : NULL;
    char *line = NULL, from[512];
    size_t room = 0;
    int status = 0, number = 0;
    if (!f && *path && (named || errno != ENOENT))
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    while (f && !status && getline(&line, &room, f) > 0) {
        struct outside_words w = {0};
        char *word = line_word(line);
        snprintf(from, sizeof from, "%s:%d", path, ++number);
        if (word) {
            vec_push(&w, word);
            status = take_words(c, &w, from, into, told, e);
        }
        vec_free(&w);
        free(word);
    }
    if (f)
        fclose(f);
    free(line);
    return status;
}

int opt_outside(const struct opt_command *c, void *into, struct error *e)
{
    struct sbuf told = {0};
    int status = take_file(c, into, &told, e) || take_variable(c, into, &told, e) ? -1 : 0;
    if (!status && told.len)
        foreign_printf(stderr, "raddle: options of %s\n", sbuf_str(&told));
    sbuf_free(&told);
    return status;
}
