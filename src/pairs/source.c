/* Texts and positions in them. A message shows the line it is about, cut around the place if the
 * line is long, with bytes that are not printable shown as dots so that garbage stays on screen. */
#include "pairs/source.h"

#include "base/foreign.h"
#include "base/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 72 /* columns of the source line that a message shows */

static int read_all(struct pairs_source *s, FILE *f)
{
    size_t room = 0;
    for (;;) {
        if (s->length + 4096 > room) {
            room = room ? room * 2 : 16384;
            s->text = mem_realloc(s->text, room);
        }
        size_t n = fread(s->text + s->length, 1, room - s->length - 1, f);
        s->length += n;
        if (n == 0)
            break;
    }
    s->text[s->length] = 0;
    return ferror(f) ? -1 : 0;
}

int pairs_source_read(struct pairs_source *s, const char *path, struct error *e)
{
    *s = (struct pairs_source){0};
    int standard = !strcmp(path, "-");
    FILE *f = standard ? stdin : fopen(path, "rb");
    int bad = !f || read_all(s, f), cause = errno;
    if (f && !standard)
        fclose(f);
    if (bad) {
        pairs_source_free(s);
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(cause));
    }
    s->name = mem_strdup(standard ? "<stdin>" : path);
    if (foreign_refuse(s->name, s->text, s->length, e)) {
        pairs_source_free(s);
        return -1;
    }
    return 0;
}

void pairs_source_copy(struct pairs_source *s, const char *name, const char *text, size_t length)
{
    s->name = mem_strdup(name);
    s->text = mem_strndup("", 0);
    s->text = mem_realloc(s->text, length + 1);
    if (length)
        memcpy(s->text, text, length);
    s->text[length] = 0;
    s->length = length;
}

void pairs_source_free(struct pairs_source *s)
{
    free(s->name);
    free(s->text);
    *s = (struct pairs_source){0};
}

static int is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t line_start(const struct pairs_source *s, size_t at)
{
    while (at > 0 && s->text[at - 1] != '\n')
        at--;
    return at;
}

void pairs_source_position(const struct pairs_source *s, size_t at, int *line, int *column)
{
    *line = 1;
    *column = 1;
    if (at > s->length)
        at = s->length;
    for (size_t i = 0; i < at; i++) {
        if (s->text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (!is_continuation(s->text[i])) {
            ++*column;
        }
    }
}

/* The source line with a caret below `at`, at most SHOWN columns of it. */
static void show_line(const struct pairs_source *s, size_t at, char *out, size_t size)
{
    size_t from = line_start(s, at), used = 0;
    int before = 0;
    for (size_t i = from; i < at; i++)
        before += !is_continuation(s->text[i]);
    while (before > SHOWN / 2) {
        from++;
        before -= !is_continuation(s->text[from - 1]);
    }
    while (from < at && is_continuation(s->text[from]))
        from++;
    char line[SHOWN * 4 + 1];
    for (int columns = 0; from + used < s->length && columns <= SHOWN; used++) {
        unsigned char c = (unsigned char)s->text[from + used];
        if (c == '\n' || c == '\r' || used + 5 >= sizeof line)
            break;
        columns += !is_continuation((char)c);
        line[used] = (char)(c == '\t' ? ' ' : c < 32 || c == 127 ? '.' : c);
    }
    line[used] = 0;
    snprintf(out, size, "\n        %s\n        %*s^", line, before, "");
}

int pairs_source_error(const struct pairs_source *s, size_t at, struct error *e, const char *fmt, ...)
{
    char message[400], shown[SHOWN * 5 + 64];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    if (at > s->length)
        at = s->length;
    int line, column;
    pairs_source_position(s, at, &line, &column);
    show_line(s, at, shown, sizeof shown);
    return error_set(e, EXIT_USAGE, "%.160s:%d:%d: %s%s", s->name, line, column, message, shown);
}
