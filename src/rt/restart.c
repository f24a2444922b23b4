/* Putting everything back, so that main can be called again as if nothing had happened: the
 * writable data of every loaded module (libc's included: stdio, environ, rand, locale, …) except
 * ours and ld.so's, what was allocated before main, argv and the environment's strings, open files,
 * the working directory.
 *
 * Small ranges are copied back (61 KiB cost about 1.4 µs). The whole pages of large ranges become a
 * private mapping of their own saved image, so that dropping the pages that were written (one
 * madvise) restores them at a cost proportional to what was written. */
#include "rt/rt.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_RANGES 512
#define LARGE (1u << 20)
#define PAGE 4096ull
#define HIGH_FD 900
#define SAVED_FDS 3

struct range {
    char *start;
    size_t size;
    char *copy; /* NULL: dropped with madvise */
};

static struct range ranges[MAX_RANGES];
static int range_count;
static int first_free_fd, cwd_fd = -1;
static uint64_t open_at_start[16]; /* descriptors 0 … 1023 */

static void add_copied(char *start, size_t size)
{
    if (!size)
        return;
    if (range_count == MAX_RANGES)
        rt_fatal("the program has more than %d writable segments", MAX_RANGES);
    struct range *r = &ranges[range_count++];
    r->start = start;
    r->size = size;
    r->copy = rt_map(NULL, size, "a saved segment");
    rt_copy(r->copy, start, size);
}

/* Remaps the whole pages [start, start+size) as a private view of their saved image. */
static bool add_dropped(char *start, size_t size)
{
    int fd = (int)syscall(SYS_memfd_create, "raddle-segment", 1 /* MFD_CLOEXEC */);
    if (fd < 0)
        return false;
    bool ok = syscall(SYS_ftruncate, fd, size) == 0;
    for (size_t done = 0; ok && done < size;) {
        long n = syscall(SYS_pwrite64, fd, start + done, size - done, done);
        ok = n > 0;
        done += ok ? (size_t)n : 0;
    }
    ok = ok && mmap(start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) == start;
    syscall(SYS_close, fd);
    if (ok)
        ranges[range_count++] = (struct range){.start = start, .size = size};
    return ok;
}

static void add_range(uintptr_t start, uintptr_t end)
{
    uintptr_t first = (start + PAGE - 1) & ~(PAGE - 1), last = end & ~(PAGE - 1);
    if (end <= start)
        return;
    if (end - start < LARGE || range_count > MAX_RANGES - 4 ||
        !add_dropped((char *)first, last - first)) {
        add_copied((char *)start, end - start);
        return;
    }
    add_copied((char *)start, first - start);
    add_copied((char *)last, end - last);
}

static bool holds(const struct dl_phdr_info *info, const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && at >= start && at < start + p->p_memsz)
            return true;
    }
    return false;
}

struct module_query {
    uintptr_t pc, base;
    const char *path;
};

static int match_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct module_query *q = arg;
    if (!holds(info, (const void *)q->pc))
        return 0;
    q->base = info->dlpi_addr;
    q->path = info->dlpi_name;
    return 1;
}

void restart_module_of(uintptr_t pc, const char **path, uintptr_t *base)
{
    struct module_query q = {.pc = pc};
    dl_iterate_phdr(match_module, &q);
    *path = q.path;
    *base = q.base;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    if (holds(info, &rt) || info->dlpi_addr == getauxval(AT_BASE))
        return 0;
    uintptr_t relro_start = 0, relro_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro_start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            relro_end = (relro_start + info->dlpi_phdr[i].p_memsz) & ~(PAGE - 1);
        }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        uintptr_t start = info->dlpi_addr + p->p_vaddr, end = start + p->p_memsz;
        if (relro_end > start && relro_start <= start && relro_end <= end)
            start = relro_end;
        add_range(start, end);
    }
    return 0;
}

/* argv, the environment and their strings lie together at the top of the initial stack. */
static void add_arguments(int argc, char **argv, char **envp)
{
    char *start = (char *)argv, *end = (char *)(argv + argc + 1);
    for (int i = 0; i < argc; i++)
        if (argv[i] > start && argv[i] + strlen(argv[i]) + 1 > end)
            end = argv[i] + strlen(argv[i]) + 1;
    for (char **e = envp; *e; e++)
        if (*e > start && *e + strlen(*e) + 1 > end && *e < start + (128 << 10))
            end = *e + strlen(*e) + 1;
    if (end - start < (128 << 10))
        add_copied(start, (size_t)(end - start));
}

static void remember_files(void)
{
    for (int fd = 0; fd < 1024; fd++)
        if (syscall(SYS_fcntl, fd, F_GETFD) >= 0)
            open_at_start[fd / 64] |= 1ull << fd % 64;
    first_free_fd = 0;
    while (open_at_start[first_free_fd / 64] >> first_free_fd % 64 & 1)
        first_free_fd++;
    for (int fd = 0; fd < SAVED_FDS; fd++)
        syscall(SYS_dup3, fd, HIGH_FD + fd, O_CLOEXEC);
    cwd_fd = (int)syscall(SYS_fcntl, (int)syscall(SYS_open, ".", O_PATH | O_CLOEXEC), F_DUPFD_CLOEXEC,
                          HIGH_FD + SAVED_FDS);
    syscall(SYS_close, first_free_fd);
    for (int fd = HIGH_FD; fd <= HIGH_FD + SAVED_FDS; fd++)
        open_at_start[fd / 64] |= 1ull << fd % 64;
}

static void restore_files(void)
{
    if (rt.files_touched) {
        for (int fd = 0; fd < SAVED_FDS; fd++)
            syscall(SYS_dup2, HIGH_FD + fd, fd);
        syscall(SYS_fchdir, cwd_fd);
        rt.files_touched = false;
    } else if (syscall(SYS_fcntl, first_free_fd, F_GETFD) < 0) {
        return; /* nothing was opened: the first free descriptor is still free */
    }
    for (int fd = 3; fd < 1024; fd++)
        if (!(open_at_start[fd / 64] >> fd % 64 & 1))
            syscall(SYS_close, fd);
}

void restart_snapshot(int argc, char **argv, char **envp)
{
    char *start;
    size_t size;
    remember_files();
    add_arguments(argc, argv, envp);
    heap_init_range(&start, &size);
    add_range((uintptr_t)start, (uintptr_t)start + size);
    dl_iterate_phdr(add_module, NULL);
}

void restart_restore(void)
{
    for (int i = 0; i < range_count; i++) {
        const struct range *r = &ranges[i];
        if (r->copy)
            rt_copy(r->start, r->copy, r->size);
        else
            syscall(SYS_madvise, r->start, r->size, MADV_DONTNEED);
    }
    restore_files();
    syscall(SYS_lseek, 0, 0, SEEK_SET);
}
