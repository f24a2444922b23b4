#include "base/error.h"

#include "base/foreign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RADDLE_VERSION
#define RADDLE_VERSION "0.1.0"
#endif

int error_set(struct error *e, int status, const char *fmt, ...)
{
    if (!e)
        return -1;
    e->status = status;
    e->todo[0] = 0;
    e->ours = 0;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->what, sizeof e->what, fmt, ap);
    va_end(ap);
    return -1;
}

int error_todo(struct error *e, const char *fmt, ...)
{
    if (!e)
        return -1;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->todo, sizeof e->todo, fmt, ap);
    va_end(ap);
    return -1;
}

int error_internal(struct error *e, const char *fmt, ...)
{
    if (!e)
        return -1;
    *e = (struct error){.status = EXIT_INTERNAL, .ours = 1};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->what, sizeof e->what, fmt, ap);
    va_end(ap);
    return -1;
}

/* As the shell would take it again. */
static void print_word(const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; word++)
        *word == '\'' ? fputs("'\\''", stderr) : fputc(*word, stderr);
    fputc('\'', stderr);
}

static void print_command(void)
{
    char words[16384];
    FILE *f = fopen("/proc/self/cmdline", "re");
    size_t n = f ? fread(words, 1, sizeof words - 1, f) : 0;
    if (f)
        fclose(f);
    words[n] = 0;
    for (size_t i = 0; i < n; i += strlen(words + i) + 1)
        print_word(words + i);
}

static int print_internal(const struct error *e)
{
    char directory[4096];
    fprintf(stderr, "raddle: internal error: %s\n", e->what);
    if (e->todo[0])
        fprintf(stderr, "        %s\n", e->todo);
    fprintf(stderr, "        This is a fault of raddle, not a finding about the program. Please send this "
                    "text, and the program\n        if you can, to whoever gave you raddle.\n"
                    "        version: raddle %s\n        reproduce: cd %s &&", RADDLE_VERSION,
            getcwd(directory, sizeof directory) ? directory : ".");
    print_command();
    fputc('\n', stderr);
    return e->status;
}

int error_print(const struct error *e)
{
    if (e->ours)
        return print_internal(e);
    foreign_printf(stderr, "raddle: %s\n", e->what);
    if (e->todo[0])
        foreign_printf(stderr, "        %s\n", e->todo);
    return e->status;
}

void error_warn(const struct error *e)
{
    foreign_printf(stderr, "raddle: warning: %s\n", e->what);
    if (e->todo[0])
        foreign_printf(stderr, "        %s\n", e->todo);
}

int error_unwritten(int status)
{
    return status == EXIT_SAFE || status == EXIT_INCOMPLETE ? EXIT_UNWRITTEN : status;
}

void error_fatal(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("raddle: internal error: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(EXIT_INTERNAL);
}
