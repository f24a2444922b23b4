/* Streams and descriptors that read a file which is an input, as libc.c. */
#include "rewrite/libc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int is_input(FILE *f)
{
    return raddle_sym_stream(fileno(f));
}

/* Byte by byte and past the stream's buffer, so that where the file stands is where the program reads. */
OWN(int, fgetc, (FILE * f))
{
    unsigned char c;
    if (!is_input(f))
        return fgetc(f);
    if (read(fileno(f), &c, 1) != 1)
        return fgetc(f); /* sets the mark of its end */
    return c;
}

OWN(int, getc, (FILE * f)) { return raddle_sym_fgetc(f); }
OWN(int, getchar, (void)) { return raddle_sym_fgetc(stdin); }

/* What they return is what they wrote. */
OWN(int, fputc, (int c, FILE *f))
{
    if (!raddle_sym_is_output(fileno(f)))
        raddle_sym_put(c);
    return fputc(c, f) == EOF ? EOF : (unsigned char)c;
}

OWN(int, putc, (int c, FILE *f)) { return raddle_sym_fputc(c, f); }
OWN(int, putchar, (int c)) { return raddle_sym_fputc(c, stdout); }

OWN(int, ungetc, (int c, FILE *f))
{
    if (!is_input(f) || c == EOF)
        return ungetc(c, f);
    clearerr(f);
    lseek(fileno(f), -1, SEEK_CUR);
    raddle_sym_moved(fileno(f));
    return c;
}

OWN(char *, fgets, (char *to, int n, FILE *f))
{
    int i = 0;
    if (!is_input(f))
        return fgets(to, n, f);
    while (i + 1 < n) {
        int c = raddle_sym_fgetc(f);
        if (c == EOF)
            break;
        to[i++] = (char)c;
        if (c == '\n')
            break;
    }
    if (!i)
        return NULL;
    to[i] = 0;
    return to;
}

OWN(size_t, fread, (void *to, size_t size, size_t n, FILE *f))
{
    size_t done = 0, all = size * n;
    if (!is_input(f))
        return fread(to, size, n, f);
    while (done < all) {
        long got = read(fileno(f), (char *)to + done, all - done);
        if (got <= 0) {
            fgetc(f);
            break;
        }
        done += (size_t)got;
    }
    return size ? done / size : 0;
}

OWN(long, getdelim, (char **line, size_t *room, int end, FILE *f))
{
    size_t n = 0;
    if (!is_input(f))
        return getdelim(line, room, end, f);
    for (int c; (c = raddle_sym_fgetc(f)) != EOF;) {
        if (n + 2 > *room || !*line) {
            size_t more = 2 * *room + 120;
            char *larger = realloc(*line, more);
            if (!larger)
                return -1;
            *line = larger;
            *room = more;
        }
        (*line)[n++] = (char)c;
        (*line)[n] = 0;
        if (c == end)
            break;
    }
    return n ? (long)n : -1;
}

OWN(long, getline, (char **line, size_t *room, FILE *f)) { return raddle_sym_getdelim(line, room, '\n', f); }

OWN(int, fseek, (FILE * f, long to, int from))
{
    if (!is_input(f))
        return fseek(f, to, from);
    clearerr(f);
    int failed = lseek(fileno(f), to, from) < 0;
    raddle_sym_moved(fileno(f));
    return failed ? -1 : 0;
}

OWN(void, rewind, (FILE * f)) { raddle_sym_fseek(f, 0, SEEK_SET); }
OWN(long, ftell, (FILE * f)) { return is_input(f) ? lseek(fileno(f), 0, SEEK_CUR) : ftell(f); }

OWN(int, fclose, (FILE * f))
{
    if (is_input(f))
        raddle_sym_closed(fileno(f));
    return fclose(f);
}

OWN(long, pread, (int fd, void *to, size_t n, long at))
{
    if (!raddle_sym_stream(fd))
        return pread(fd, to, n, at);
    long before = lseek(fd, 0, SEEK_CUR);
    lseek(fd, at, SEEK_SET);
    long got = read(fd, to, n);
    lseek(fd, before, SEEK_SET);
    raddle_sym_moved(fd);
    return got;
}

OWN(long, lseek, (int fd, long to, int from))
{
    long at = lseek(fd, to, from);
    raddle_sym_moved(fd);
    return at;
}
