/* Option parsing, help and man pages from a command's table (see opt.h). Long options may be
 * abbreviated to nothing: a misspelt option is an error that names the closest one, because a
 * silently ignored option would make a verdict mean something else than the user thinks. */
#include "base/opt.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int opt_parse_time(const char *s, double *seconds)
{
    char *end;
    double v = strtod(s, &end);
    if (end == s || v < 0)
        return -1;
    double unit = !*end || !strcmp(end, "s") ? 1
                  : !strcmp(end, "ms")       ? 1e-3
                  : !strcmp(end, "m")        ? 60
                  : !strcmp(end, "h")        ? 3600
                  : !strcmp(end, "d")        ? 86400
                                             : 0;
    if (unit == 0)
        return -1;
    *seconds = v * unit;
    return 0;
}

int opt_parse_size(const char *s, unsigned long long *bytes)
{
    char *end;
    double v = strtod(s, &end);
    if (end == s || v < 0)
        return -1;
    static const char units[] = "KMGT";
    double unit = 1;
    if (*end) {
        const char *at = strchr(units, toupper((unsigned char)*end));
        if (!at)
            return -1;
        for (const char *u = units; u <= at; u++)
            unit *= 1024;
        end++;
        if (!strcmp(end, "iB") || !strcmp(end, "B"))
            end += strlen(end);
    }
    if (*end)
        return -1;
    *bytes = (unsigned long long)(v * unit);
    return 0;
}

static int edit_distance(const char *a, const char *b)
{
    int row[64], n = (int)strlen(b);
    if (n > 62)
        return 99;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; *a; a++, i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int change = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            int insert = row[j - 1] + 1, delete = row[j] + 1;
            row[j] = change < insert ? change : insert;
            row[j] = row[j] < delete ? row[j] : delete;
        }
    }
    return row[n];
}

static int unknown(const struct opt_command *c, const char *word, struct error *e)
{
    const char *best = NULL;
    int least = 4;
    for (size_t i = 0; i < c->count; i++) {
        int d = edit_distance(word + (word[1] == '-' ? 2 : 1), c->opts[i].name);
        if (d < least) {
            least = d;
            best = c->opts[i].name;
        }
    }
    error_set(e, EXIT_USAGE, "raddle %s: unknown option %s", c->name, word);
    if (best)
        return error_todo(e, "did you mean --%s? raddle %s --help lists all options", best, c->name);
    return error_todo(e, "raddle %s --help lists all options", c->name);
}

static int is_choice(const char *choices, const char *value)
{
    size_t n = strlen(value);
    for (const char *p = choices; p; p = strchr(p, '|')) {
        p += *p == '|';
        if (!strncmp(p, value, n) && (!p[n] || p[n] == '|'))
            return 1;
    }
    return 0;
}

static int bad_value(const struct opt *o, const char *value, struct error *e)
{
    return error_set(e, EXIT_USAGE, "--%s wants %s, not '%s'", o->name, o->arg, value);
}

static int store(const struct opt *o, const char *value, void *into, struct error *e)
{
    void *field = (char *)into + o->offset;
    char *end;
    switch (o->type) {
    case OPT_FLAG:
        *(int *)field = 1;
        return 0;
    case OPT_INT:
        errno = 0;
        *(long long *)field = strtoll(value, &end, 0);
        return end == value || *end || errno ? bad_value(o, value, e) : 0;
    case OPT_STRING:
        if (strchr(o->arg, '|') && !is_choice(o->arg, value))
            return bad_value(o, value, e);
        *(const char **)field = value;
        return 0;
    case OPT_TIME:
        return opt_parse_time(value, field) ? bad_value(o, value, e) : 0;
    case OPT_SIZE:
        return opt_parse_size(value, field) ? bad_value(o, value, e) : 0;
    case OPT_JOINED:
        *(const char **)field =
            *(const char **)field ? mem_printf("%s;%s", *(const char **)field, value) : value;
        return 0;
    case OPT_LIST:
        vec_push((struct opt_list *)field, value);
        return 0;
    }
    return -1;
}

static const struct opt *find_long(const struct opt_command *c, const char *name, size_t n)
{
    for (size_t i = 0; i < c->count; i++)
        if (strlen(c->opts[i].name) == n && !strncmp(c->opts[i].name, name, n))
            return &c->opts[i];
    return NULL;
}

static const struct opt *find_letter(const struct opt_command *c, char letter)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->opts[i].letter && c->opts[i].letter == letter)
            return &c->opts[i];
    return NULL;
}

static int optional_missing(const struct opt *o, void *into)
{
    void *field = (char *)into + o->offset;
    if (o->type == OPT_TIME)
        *(double *)field = -1;
    else if (o->type == OPT_INT)
        *(long long *)field = -1;
    else
        *(const char **)field = "";
    return 0;
}

/* Takes the option at argv[*at] (and its value, advancing *at). */
static int take(const struct opt_command *c, const struct opt *o, const char *attached, int argc,
                char **argv, int *at, void *into, struct error *e)
{
    if (o->type == OPT_FLAG) {
        if (attached)
            return error_set(e, EXIT_USAGE, "--%s takes no value", o->name);
        return store(o, NULL, into, e);
    }
    if (attached)
        return store(o, attached, into, e);
    int optional = o->arg[0] == '[';
    const char *next = *at + 1 < argc ? argv[*at + 1] : NULL;
    if (optional && !(next && isdigit((unsigned char)next[0])))
        return optional_missing(o, into);
    if (!next) {
        error_set(e, EXIT_USAGE, "--%s needs a value: %s", o->name, o->arg);
        return error_todo(e, "raddle %s --help lists all options", c->name);
    }
    ++*at;
    return store(o, next, into, e);
}

static int parse_long(const struct opt_command *c, int argc, char **argv, int *at, void *into,
                      struct error *e)
{
    const char *name = argv[*at] + 2, *eq = strchr(name, '=');
    size_t n = eq ? (size_t)(eq - name) : strlen(name);
    const struct opt *o = find_long(c, name, n);
    if (!o && n > 3 && !strncmp(name, "no-", 3)) {
        o = find_long(c, name + 3, n - 3);
        if (o && o->type == OPT_FLAG && !eq) {
            *(int *)((char *)into + o->offset) = 0;
            return 0;
        }
        o = NULL;
    }
    if (!o)
        return unknown(c, argv[*at], e);
    return take(c, o, eq ? eq + 1 : NULL, argc, argv, at, into, e);
}

static int parse_one(const struct opt_command *c, int argc, char **argv, int *at, void *into,
                     struct error *e)
{
    char *word = argv[*at];
    if (!strcmp(word, "--help") || (!strcmp(word, "-h") && !find_letter(c, 'h'))) {
        opt_print_help(c);
        exit(0);
    }
    if (!strcmp(word, "--help-man")) {
        opt_print_man(c);
        exit(0);
    }
    if (word[1] == '-')
        return parse_long(c, argc, argv, at, into, e);
    const struct opt *o = find_letter(c, word[1]);
    if (!o || (o->type == OPT_FLAG && word[2]))
        return unknown(c, word, e);
    return take(c, o, word[2] ? word + 2 : NULL, argc, argv, at, into, e);
}

int opt_parse(const struct opt_command *c, int argc, char **argv, void *into, struct error *e)
{
    VEC(char *) operands = {0};
    int i = 1;
    for (; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            i++;
            break;
        }
        if (argv[i][0] != '-' || !argv[i][1]) {
            if (c->stop_at_operand)
                break;
            vec_push(&operands, argv[i]);
        } else if (parse_one(c, argc, argv, &i, into, e)) {
            vec_free(&operands);
            return -1;
        }
    }
    for (; i < argc; i++)
        vec_push(&operands, argv[i]);
    int first = argc - (int)operands.count;
    if (operands.count)
        memcpy(argv + first, operands.items, operands.count * sizeof *operands.items);
    vec_free(&operands);
    return first;
}

static void print_wrapped(const char *text, int indent, int width)
{
    int column = indent;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, " \n");
        if (column + (int)n > width && column > indent) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        printf("%.*s", (int)n, p);
        column += (int)n;
        p += n;
        if (*p == '\n') {
            printf("\n%*s", indent, "");
            column = indent;
            p++;
        } else if (*p == ' ') {
            putchar(' ');
            column++;
            p++;
        }
    }
    putchar('\n');
}

static void option_words(const struct opt *o, char *out, size_t size)
{
    char letter[8] = "";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    if (o->type == OPT_FLAG)
        snprintf(out, size, "%s--%s", letter, o->name);
    else if (o->type == OPT_STRING && o->arg[0] == '[') /* only "--name=value" can give it */
        snprintf(out, size, "%s--%s[=%s", letter, o->name, o->arg + 1);
    else
        snprintf(out, size, "%s--%s %s", letter, o->name, o->arg);
}

/* As wide as the terminal, from 60 to 90 columns. */
static int help_width(void)
{
    struct winsize w;
    int columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col - 1 : 90;
    return columns < 59 ? 59 : columns > 90 ? 90 : columns;
}

void opt_print_help(const struct opt_command *c)
{
    int width = help_width();
    printf("usage: raddle %s %s\n\n", c->name, c->usage);
    print_wrapped(c->summary, 0, width);
    if (c->description) {
        putchar('\n');
        print_wrapped(c->description, 0, width);
    }
    if (c->count)
        printf("\nOptions:\n");
    for (size_t i = 0; i < c->count; i++) {
        char words[160];
        option_words(&c->opts[i], words, sizeof words);
        if (strlen(words) > 24)
            printf("  %s\n%*s", words, 28, "");
        else
            printf("  %-26s", words);
        print_wrapped(c->opts[i].help, 28, width);
    }
}

static void man_text(const char *s)
{
    int line_start = 1;
    for (; *s; s++) {
        if (line_start && (*s == '.' || *s == '\''))
            fputs("\\&", stdout);
        if (*s == '\\')
            fputs("\\e", stdout);
        else if (*s == '-')
            fputs("\\-", stdout);
        else
            putchar(*s);
        line_start = *s == '\n';
    }
}

void opt_print_man(const struct opt_command *c)
{
    printf(".TH RADDLE-");
    for (const char *p = c->name; *p; p++)
        putchar(toupper((unsigned char)*p));
    printf(" 1 \"\" raddle \"raddle manual\"\n.SH NAME\nraddle-%s \\- ", c->name);
    man_text(c->summary);
    printf("\n.SH SYNOPSIS\n.B raddle %s\n", c->name);
    man_text(c->usage);
    if (c->description) {
        printf("\n.SH DESCRIPTION\n");
        for (const char *p = c->description; *p;) {
            size_t n = strcspn(p, "\n");
            char *line = mem_strndup(p, n);
            man_text(line);
            free(line);
            p += n;
            printf(strncmp(p, "\n\n", 2) ? "\n" : "\n.PP\n");
            p += strspn(p, "\n");
        }
    }
    if (c->count)
        printf("\n.SH OPTIONS\n");
    for (size_t i = 0; i < c->count; i++) {
        char words[160];
        option_words(&c->opts[i], words, sizeof words);
        printf(".TP\n.B ");
        man_text(words);
        putchar('\n');
        man_text(c->opts[i].help);
        putchar('\n');
    }
    printf(".SH SEE ALSO\n.BR raddle (1)\n");
}
