/* getopt and getopt_long for programs whose arguments are symbolic inputs, as libc.c. What they do is what
 * glibc's manual says: arguments that are no options are moved behind them, unless the letters begin with
 * '+' or '-'; names can be cut short. */
#include "rewrite/libc.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

char *raddle_sym_strchr(const char *s, int c);
size_t raddle_sym_strlen(const char *s);
int raddle_sym_strncmp(const char *a, const char *b, size_t n);

static struct {
    int begun;   /* 1: here, 2: with the originals */
    int in_order;
    char *next;  /* letters of an argument that are left */
    int first, last; /* the arguments in between were no options and passed over */
} line; /* the command line that is read */

struct command_line {
    int argc;
    char **argv;
    const char *letters;
    int silent, in_turn; /* the letters began with ':', with '-' */
    const struct option *longs;
};

static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1];
}

/* Moves the options since `last` before what was passed over. */
static void move_options(char **argv)
{
    if (line.first == line.last)
        line.first = optind;
    for (int at = line.last; line.first < at && at < optind; at++, line.first++) {
        char *option = argv[at];
        for (int k = at; k > line.first; k--)
            argv[k] = argv[k - 1];
        argv[line.first] = option;
    }
    line.last = optind;
}

static int no_more(void)
{
    if (line.first != line.last)
        optind = line.first;
    return -1;
}

static int complain(const struct command_line *w, const char *before, const char *name, const char *after)
{
    if (opterr && !w->silent)
        fprintf(stderr, "%s: %s%s%s\n", w->argv[0], before, name, after);
    return '?';
}

static int long_found(const struct command_line *w, const struct option *o, char *value, int *index)
{
    optind++;
    line.next = NULL;
    if (value && !o->has_arg) {
        optopt = o->val;
        return complain(w, "option '--", o->name, "' doesn't allow an argument");
    }
    if (value) {
        optarg = value;
    } else if (o->has_arg == required_argument) {
        if (optind >= w->argc) {
            optopt = o->val;
            complain(w, "option '--", o->name, "' requires an argument");
            return w->silent ? ':' : '?';
        }
        optarg = w->argv[optind++];
    }
    if (index)
        *index = (int)(o - w->longs);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

static int long_option(const struct command_line *w, int *index)
{
    char *name = w->argv[optind] + 2;
    size_t n = 0;
    const struct option *found = NULL;
    int ambiguous = 0;
    while (name[n] && name[n] != '=')
        n++;
    for (const struct option *o = w->longs; o->name; o++) {
        if (raddle_sym_strncmp(o->name, name, n))
            continue;
        if (!o->name[n])
            return long_found(w, o, name[n] ? name + n + 1 : NULL, index);
        ambiguous |= found && (found->has_arg != o->has_arg || found->flag != o->flag ||
                               found->val != o->val);
        found = found ? found : o;
    }
    if (found && !ambiguous)
        return long_found(w, found, name[n] ? name + n + 1 : NULL, index);
    optind++;
    line.next = NULL;
    optopt = 0;
    return ambiguous ? complain(w, "option '--", name, "' is ambiguous")
                     : complain(w, "unrecognized option '--", name, "'");
}

static int letter(const struct command_line *w)
{
    char c = *line.next++;
    const char *known = c == ':' || c == ';' ? NULL : raddle_sym_strchr(w->letters, c);
    if (!*line.next)
        optind++;
    if (!known) {
        optopt = c;
        return complain(w, "invalid option -- '", (char[]){c, 0}, "'");
    }
    if (known[1] != ':')
        return c;
    if (*line.next) {
        optarg = line.next;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= w->argc) {
            optopt = c;
            complain(w, "option requires an argument -- '", (char[]){c, 0}, "'");
            c = w->silent ? ':' : '?';
        } else {
            optarg = w->argv[optind++];
        }
    }
    line.next = NULL;
    return c;
}

/* 1: argv[optind] is an option; else what to return is in *result. */
static int find_option(const struct command_line *w, int *result)
{
    if (line.last > optind)
        line.last = optind;
    if (line.first > optind)
        line.first = optind;
    if (!line.in_order && !w->in_turn) {
        move_options(w->argv);
        while (optind < w->argc && !is_option(w->argv[optind]))
            optind++;
        line.last = optind;
    }
    if (optind < w->argc && !raddle_sym_strncmp(w->argv[optind], "--", 3)) {
        optind++;
        move_options(w->argv);
        line.last = optind = w->argc;
    }
    if (optind >= w->argc) {
        *result = no_more();
        return 0;
    }
    if (is_option(w->argv[optind]))
        return 1;
    *result = w->in_turn ? 1 : -1;
    if (w->in_turn)
        optarg = w->argv[optind++];
    return 0;
}

static int next_option(int argc, char *const *argv, const char *letters, const struct option *longs,
                       int *index)
{
    struct command_line w = {.argc = argc, .argv = (char **)argv, .longs = longs, .in_turn = *letters == '-'};
    int result;
    w.letters = letters + (*letters == '-' || *letters == '+');
    w.silent = *w.letters == ':';
    optarg = NULL;
    if (argc < 1)
        return -1;
    if (!line.next || !*line.next) {
        if (!find_option(&w, &result))
            return result;
        if (longs && argv[optind][1] == '-')
            return long_option(&w, index);
        line.next = argv[optind] + 1;
    }
    return letter(&w);
}

/* Is it for us? A scan that began while nothing depended on inputs is left to the originals. */
static int begin(int in_order)
{
    if (!line.begun || !optind) {
        line.begun = PLAIN() ? 2 : 1;
        if (line.begun == 1 && !optind)
            optind = 1;
        line.first = line.last = optind;
        line.next = NULL;
        line.in_order = in_order || getenv("POSIXLY_CORRECT");
    }
    return line.begun == 1;
}

OWN(int, getopt, (int argc, char *const *argv, const char *letters))
{
    return begin(*letters == '+') ? next_option(argc, argv, letters, NULL, NULL)
                                  : getopt(argc, argv, letters);
}

int __posix_getopt(int argc, char *const *argv, const char *letters);
OWN(int, __posix_getopt, (int argc, char *const *argv, const char *letters))
{
    return begin(1) ? next_option(argc, argv, letters, NULL, NULL) : __posix_getopt(argc, argv, letters);
}

OWN(int, getopt_long,
    (int argc, char *const *argv, const char *letters, const struct option *longs, int *index))
{
    return begin(*letters == '+') ? next_option(argc, argv, letters, longs, index)
                                  : getopt_long(argc, argv, letters, longs, index);
}

/* ---- of stdlib.h and strings.h -------------------------------------------------------------------- */

OWN(int, ffsll, (long long x)) { return x ? 1 + __builtin_ctzll((unsigned long long)x) : 0; }
OWN(int, ffsl, (long x)) { return raddle_sym_ffsll(x); }
OWN(int, ffs, (int x)) { return x ? 1 + __builtin_ctz((unsigned)x) : 0; }
