#include "base/progress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

double progress_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int progress_plain(void)
{
    const char *ci = getenv("CI"), *term = getenv("TERM");
    int in_ci = ci && *ci && strcmp(ci, "0") && strcmp(ci, "false");
    return in_ci || !term || !strcmp(term, "dumb");
}

int progress_colour(FILE *f)
{
    const char *no = getenv("NO_COLOR");
    return isatty(fileno(f)) && !(no && *no) && !progress_plain();
}

void progress_begin(struct progress *p, int quiet)
{
    *p = (struct progress){.out = stderr, .quiet = quiet};
    p->terminal = isatty(STDERR_FILENO) && !progress_plain();
    p->started = p->shown = progress_now();
}

int progress_due(const struct progress *p)
{
    return !p->quiet && progress_now() - p->shown >= (p->terminal ? 0.1 : 5.0);
}

static int width(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col - 1 : 79;
}

/* Cuts s to at most n columns (UTF-8: continuation bytes have no width). */
static void cut(char *s, int n)
{
    for (; *s; s++)
        if (((unsigned char)*s & 0xc0) != 0x80 && n-- == 0) {
            *s = 0;
            return;
        }
}

void progress_line(struct progress *p, const char *fmt, ...)
{
    if (p->quiet)
        return;
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (p->terminal) {
        cut(line, width());
        fprintf(p->out, "\r\033[K%s", line);
    } else {
        fprintf(p->out, "%s\n", line);
    }
    fflush(p->out);
    p->drawn = 1;
    p->shown = progress_now();
}

void progress_end(struct progress *p)
{
    if (p->terminal && p->drawn) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
    }
    p->drawn = 0;
}

const char *progress_number(unsigned long long n)
{
    static char buffers[8][32];
    static int next;
    char *b = buffers[next++ % 8], *p = b + sizeof buffers[0] - 1;
    *p = 0;
    for (int digits = 0; digits == 0 || n; digits++, n /= 10) {
        if (digits && digits % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + n % 10);
    }
    return p;
}
