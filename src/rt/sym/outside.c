/* Inputs from outside of the program, without a change to it: its arguments, standard input, files and the
 * environment (--sym-args, --sym-stdin, --sym-file, --sym-env). They are inputs of the main thread, made
 * before main is called, in this order, so they have the same names in every execution.
 *
 * A file is one in memory that has the bytes of the input; what is read from it through read() gets their
 * shadows by where it stood in the file. Streams read it through functions of rewrite/libc_stream.c. */
#include "rt/sym/outside.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/sym/sym.h"

#include "rewrite/hooks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEXT (1u << 16) /* bytes of all of them together */
#define FILES 8
#define DESCRIPTORS 1024

static char text[TEXT];
static size_t text_used;

static struct sym_file {
    char name[64]; /* "": standard input */
    char *bytes;
    uint32_t size;
} files[FILES];
static int file_count;

/* Of each descriptor: its file + 1, and where reading has come to. */
static struct open_file {
    uint8_t file;
    uint64_t at;
} opened[DESCRIPTORS];
static int opened_most;

static char *room_for(size_t n)
{
    if (n > TEXT - text_used)
        rt_fatal("the inputs from outside are too long (64 KiB together)");
    char *at = text + text_used;
    text_used += n;
    return at;
}

/* The next NAME:N of a list with commas; false at its end. */
static bool next_item(const char **list, char *name, size_t room, uint32_t *size)
{
    if (!**list) /* as in nearly every execution */
        return false;
    const char *colon = *list, *end = *list + strcspn(*list, ",");
    for (const char *p = *list; p < end; p++)
        if (*p == ':')
            colon = p;
    rt_format(name, room, "%.*s", (int)(colon - *list), *list);
    *size = (uint32_t)strtoul(colon + (*colon == ':'), NULL, 10);
    *list = end + (*end == ',');
    return true;
}

/* ---- arguments and environment --------------------------------------------------------------- */

static void make_arguments(const char *spec, int *argc, char ***argv)
{
    char name[32], *end;
    unsigned low = (unsigned)strtoul(spec, &end, 10), high = (unsigned)strtoul(end + 1, &end, 10);
    unsigned length = (unsigned)strtoul(end + 1, NULL, 10);
    unsigned n = (unsigned)sym_number_of("args", low, high);
    text_used = (text_used + 7) & ~(size_t)7;
    char **all = (char **)room_for((1 + n + 1) * sizeof *all);
    all[0] = (*argv)[0];
    for (unsigned i = 1; i <= n; i++) {
        rt_format(name, sizeof name, "arg%u", i);
        all[i] = room_for(length + 1);
        sym_input_bytes(all[i], length + 1, name, true, RT_PC());
    }
    all[n + 1] = NULL;
    *argc = (int)n + 1;
    *argv = all;
}

static bool is_variable(const char *entry, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(entry, name, n) && entry[n] == '=';
}

static char **with_variable(char **old, const char *name, uint32_t size)
{
    size_t n = 0, count = 0;
    while (old[count])
        count++;
    text_used = (text_used + 7) & ~(size_t)7;
    char **all = (char **)room_for((count + 2) * sizeof *all);
    for (size_t i = 0; i < count; i++)
        if (!is_variable(old[i], name))
            all[n++] = old[i];
    char *entry = all[n++] = room_for(strlen(name) + 1 + size + 1);
    rt_format(entry, strlen(name) + 2, "%s=", name);
    sym_input_bytes(entry + strlen(name) + 1, size + 1, name, true, RT_PC());
    all[n] = NULL;
    return all;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void make_file(const char *name, const char *input, uint32_t size)
{
    if (file_count == FILES)
        rt_fatal("more than %d files that are inputs", FILES);
    struct sym_file *f = &files[file_count++];
    rt_format(f->name, sizeof f->name, "%s", name);
    f->size = size;
    f->bytes = room_for(size);
    sym_input_bytes(f->bytes, size, input, false, RT_PC());
}

static void note_opened(int fd, int file)
{
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    opened[fd] = (struct open_file){(uint8_t)(file + 1), 0};
    opened_most = fd >= opened_most ? fd + 1 : opened_most;
}

static int open_file(int file)
{
    int fd = (int)syscall(SYS_memfd_create, "input", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    rt.files_opened = true;
    if (syscall(SYS_write, fd, files[file].bytes, (size_t)files[file].size) < 0)
        finding_incomplete("a file of input could not be written");
    syscall(SYS_lseek, fd, 0L, SEEK_SET);
    note_opened(fd, file);
    return fd;
}

int sym_open(const char *path)
{
    for (int i = 0; i < file_count && rt.active; i++)
        if (files[i].name[0] && !strcmp(files[i].name, path))
            return open_file(i);
    return -1;
}

static struct open_file *opened_as(int fd)
{
    return fd >= 0 && fd < opened_most && opened[fd].file ? &opened[fd] : NULL;
}

void sym_was_read(int fd, void *to, size_t n)
{
    struct open_file *o = opened_as(fd);
    if (!o)
        return;
    long at = syscall(SYS_lseek, fd, 0L, SEEK_CUR);
    const struct sym_file *f = &files[o->file - 1];
    o->at = (uint64_t)at;
    if (sym && at >= (long)n && (uint64_t)at <= f->size)
        raddle_sym_copy((uintptr_t)to, (uintptr_t)f->bytes + (uintptr_t)at - n, n);
}

void sym_was_closed(int fd)
{
    struct open_file *o = opened_as(fd);
    if (o)
        o->file = 0;
}

void sym_was_mapped(int fd, bool is_shared)
{
    if (opened_as(fd))
        finding_incomplete("an input file was mapped into memory, where inputs are not followed");
    else if (is_shared && sym)
        finding_incomplete("a file is mapped into memory: inputs written there are not followed elsewhere");
}

/* Streams look here before they read, and say where they have gone to. */
RT_EXPORT int raddle_sym_stream(int fd)
{
    return rt.active && opened_as(fd) != NULL;
}

RT_EXPORT void raddle_sym_moved(int fd)
{
    struct open_file *o = opened_as(fd);
    if (o)
        o->at = (uint64_t)syscall(SYS_lseek, fd, 0L, SEEK_CUR);
}

RT_EXPORT void raddle_sym_closed(int fd)
{
    sym_was_closed(fd);
}

RT_EXPORT void raddle_sym_lost(void)
{
    finding_incomplete("a conversion of printf or scanf on inputs was not followed (floating point, "
                       "pointers)");
}

/* Did somebody read it whose reading was not seen? */
void sym_outside_end(void)
{
    for (int fd = 0; fd < opened_most; fd++)
        if (opened[fd].file) {
            long at = syscall(SYS_lseek, fd, 0L, SEEK_CUR);
            if (at >= 0 && (uint64_t)at != opened[fd].at)
                finding_incomplete("an input file was read by a function that was not built with --symbolic");
            opened[fd].file = 0;
        }
    opened_most = 0;
}

/* ---- before main ----------------------------------------------------------------------------- */

void sym_outside_begin(int *argc, char ***argv, char ***envp)
{
    const struct run_config *c = &rt.shared->config;
    char name[64];
    uint32_t size;
    text_used = 0;
    file_count = opened_most = 0;
    if (c->sym_args[0])
        make_arguments(c->sym_args, argc, argv);
    if (c->sym_stdin) {
        make_file("", "stdin", c->sym_stdin);
        int fd = open_file(0);
        syscall(SYS_dup2, fd, 0);
        close(fd);
        note_opened(0, 0);
    }
    for (const char *list = c->sym_file; next_item(&list, name, sizeof name, &size);)
        make_file(name, name, size);
    for (const char *list = c->sym_env; next_item(&list, name, sizeof name, &size);)
        *envp = environ = with_variable(environ, name, size);
}
