/* own_code RUNTIME: which instructions of the runtime are raddle's own, for rt/check/own.c, which tells a crash of
 * raddle from one of the program. The line table of the library says from which source each instruction came, also
 * where functions were inlined into each other.
 *
 * Writes little-endian words, sorted: 4 * (offset in the library) + class, each valid up to the next; and one last
 * with the class OWN_END. `OWN_WORDS` of them always (rt/check/own.h), the rest zero. */
#include "rt/check/own.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest match counts; the rest of src/ works on the program's memory for the program: its pointers may be
 * bad. OWN_ASK: who called it? */
static const struct {
    const char *path;
    enum own_class class;
} places[] = {
    {"src/explore/", OWN_RADDLE},       {"src/trace/", OWN_RADDLE},         {"src/object/", OWN_RADDLE},
    {"src/solve/", OWN_RADDLE},         {"src/base/", OWN_RADDLE},          {"src/rt/core/", OWN_ASK},
    {"src/rt/core/sched", OWN_RADDLE},  {"src/rt/core/block", OWN_RADDLE},  {"src/rt/core/await", OWN_RADDLE},
    {"src/rt/core/spin", OWN_RADDLE},   {"src/rt/core/team", OWN_RADDLE},   {"src/rt/core/vclock", OWN_RADDLE},
    {"src/rt/core/start", OWN_RADDLE},  {"src/rt/check/", OWN_ASK},         {"src/rt/check/race", OWN_RADDLE},
    {"src/rt/tell/", OWN_ASK},          {"src/rt/sym/", OWN_ASK},
};

struct row {
    Dwarf_Addr at;
    size_t index; /* as the line table has them */
    enum own_class class;
};
static struct row *rows;
static size_t count, room;

static enum own_class class_of(const char *path)
{
    enum own_class c = path && strstr(path, "src/") ? OWN_PROGRAM : OWN_ASK; /* a header of the system */
    size_t longest = 0;
    for (size_t i = 0; path && i < sizeof places / sizeof places[0]; i++) {
        size_t n = strlen(places[i].path);
        if (n > longest && strstr(path, places[i].path)) {
            longest = n;
            c = places[i].class;
        }
    }
    return c;
}

static void add(Dwarf_Addr at, enum own_class class)
{
    if (count == room)
        rows = realloc(rows, (room = room ? 2 * room : 4096) * sizeof *rows);
    if (!rows)
        exit(1);
    rows[count] = (struct row){at, count, class};
    count++;
}

static void add_lines(Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t n;
    if (dwarf_getsrclines(unit, &lines, &n))
        return;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *l = dwarf_onesrcline(lines, i);
        Dwarf_Addr at;
        bool end;
        if (!dwarf_lineaddr(l, &at) && !dwarf_lineendsequence(l, &end))
            add(at, end ? OWN_END : class_of(dwarf_linesrc(l, NULL, NULL)));
    }
}

/* By address; where several lines begin at one the last of them has the instruction, and an end yields. */
static int order(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if ((x->class == OWN_END) != (y->class == OWN_END))
        return x->class == OWN_END ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static int put_table(void)
{
    static uint32_t out[OWN_WORDS];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && rows[i + 1].at == rows[i].at)
            continue;
        if (n && (out[n - 1] & 3) == rows[i].class)
            continue;
        if (n == OWN_WORDS - 1 || rows[i].at >> 30) {
            fprintf(stderr, "own_code: OWN_WORDS is too small for this library\n");
            return 1;
        }
        out[n++] = (uint32_t)rows[i].at << 2 | rows[i].class;
    }
    if (!n)
        fprintf(stderr, "own_code: no line table; crashes of raddle will be taken for the program's\n");
    return fwrite(out, sizeof out, 1, stdout) != 1;
}

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    Dwarf_Off at = 0, next;
    size_t header;
    if (fd < 0)
        return fprintf(stderr, "usage: own_code RUNTIME\n"), 1;
    for (; dwarf && !dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL); at = next) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, at + header, &unit))
            add_lines(&unit);
    }
    if (count)
        qsort(rows, count, sizeof *rows, order);
    return put_table();
}
