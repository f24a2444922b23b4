/* Putting everything back, so that main can be called again as if nothing had happened: the
 * writable data of every loaded module (libc's included: stdio, environ, rand, locale, …) except
 * ours and ld.so's, what was allocated before main, argv and the environment's strings, open files,
 * the working directory.
 *
 * Small ranges of the program are copied back. The whole pages of large ranges become a private
 * mapping of their own saved image, so that dropping the pages that were written (one madvise)
 * restores them at a cost proportional to what was written. The data of libraries that were not built
 * with raddle (libc: 61 KiB, 1.4 µs to copy) is write-protected page by page; a page is copied back
 * only from its first write on, which is noticed by the fault it causes. */
#include "rt/core/restart.h"

#include "rt/check/heap.h"
#include "rt/check/race.h"
#include "rt/core/fiber.h"
#include "rt/core/imports.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_RANGES RESTART_RANGES
#define LARGE (1u << 20)
#define PAGE 4096ull
#define HIGH_FD 900
#define SAVED_FDS 3
#define STREAM_STATE 0x8030u /* of FILE._flags: end of file, failed, not locked */

struct saved_range {
    char *start;
    size_t size;
    char *copy; /* NULL: dropped with madvise */
};

static struct saved_range ranges[MAX_RANGES];
static int range_count;

/* Pages of library data that nobody has written yet; a written one moves to `ranges`. */
struct watched {
    char *start, *end, *copy;
    bool unwinder; /* its data are what the runtime itself found out by it */
};
static struct watched watched[MAX_RANGES];
static int watched_count;
static int first_free_fd, cwd_fd = -1;
static bool stdin_is_file, has_avx;
#define FDS 1024
static uint64_t open_at_start[FDS / 64];

static void add_copied(char *start, size_t size)
{
    if (!size)
        return;
    if (range_count == MAX_RANGES)
        rt_fatal("the program has more than %d writable segments", MAX_RANGES);
    struct saved_range *r = &ranges[range_count++];
    r->start = start;
    r->size = size;
    r->copy = rt_map(NULL, size, "a saved segment");
    rt_copy(r->copy, start, size);
}

/* Remaps the whole pages [start, start+size) as a private view of their saved image. */
static bool remap(char *start, size_t size)
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
    return ok;
}

static bool add_dropped(char *start, size_t size)
{
    bool ok = remap(start, size);
    if (ok)
        ranges[range_count++] = (struct saved_range){.start = start, .size = size};
    return ok;
}

static void add_watched(uintptr_t start, uintptr_t end, bool unwinder)
{
    uintptr_t first = (start + PAGE - 1) & ~(PAGE - 1);
    uintptr_t last = (end + PAGE - 1) & ~(PAGE - 1); /* nobody else uses the rest of a page */
    if (last <= first || watched_count == MAX_RANGES) {
        add_copied((char *)start, end - start);
        return;
    }
    add_copied((char *)start, first - start);
    struct watched *w = &watched[watched_count++];
    w->start = (char *)first;
    w->end = (char *)last;
    w->unwinder = unwinder;
    w->copy = rt_map(NULL, last - first, "a saved segment");
    rt_copy(w->copy, w->start, last - first);
    rt_protect(w->start, last - first, PROT_READ);
}

/* A fault at `address`: was it the first write to a watched page? */
bool restart_first_write(uintptr_t address)
{
    char *page = (char *)(address & ~(PAGE - 1));
    for (int i = 0; i < watched_count; i++) {
        struct watched *w = &watched[i];
        if (page < w->start || page >= w->end)
            continue;
        for (int r = 0; r < range_count; r++)
            if (ranges[r].start == page)
                return false; /* writable already: a genuine fault */
        if (range_count == MAX_RANGES)
            rt_fatal("too many pages of library data are written");
        ranges[range_count++] =
            (struct saved_range){.start = page, .size = PAGE, .copy = w->copy + (page - w->start)};
        rt_protect(page, PAGE, PROT_READ | PROT_WRITE);
        return true;
    }
    return false;
}

static const struct watched *library_of(const char *page)
{
    for (int i = 0; i < watched_count; i++)
        if (page >= watched[i].start && page < watched[i].end)
            return &watched[i];
    return NULL;
}

/* How far a stream is that is only written to: nobody in the program notices. But that writing failed and
 * which descriptor it writes to, it does. */
static bool is_output(const FILE *f, const char *at, const char *copy)
{
    size_t offset = (size_t)(at - (const char *)f);
    const uint32_t *now = (const uint32_t *)at, *before = (const uint32_t *)copy;
    if (offset == 0)
        return !((*now ^ *before) & STREAM_STATE);
    return offset < sizeof *f && (offset != offsetof(FILE, _fileno) || *now == *before);
}

bool restart_library_changed(void)
{
    for (int r = 0; r < range_count; r++) {
        const struct saved_range *s = &ranges[r];
        const struct watched *w = library_of(s->start);
        if (!w || w->unwinder || rt_same(s->start, s->copy, s->size))
            continue;
        for (size_t i = 0; i < s->size; i += 8)
            if (!rt_same(s->start + i, s->copy + i, 8) && !is_output(stdout, s->start + i, s->copy + i) &&
                !is_output(stderr, s->start + i, s->copy + i))
                return true;
    }
    return false;
}

char *restart_program_range(int i, bool large, size_t *size)
{
    for (int r = 0; r < range_count; r++)
        if (large == !ranges[r].copy && !library_of(ranges[r].start) && !i--) {
            *size = ranges[r].size;
            return ranges[r].start;
        }
    return NULL;
}

void restart_keep_writes(bool begin)
{
    static int before;
    if (begin) {
        before = range_count;
        return;
    }
    for (; range_count > before; range_count--) {
        struct saved_range *r = &ranges[range_count - 1];
        rt_copy(r->copy, r->start, r->size);
        rt_protect(r->start, r->size, PROT_READ);
    }
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

/* The program and those of its libraries that need our runtime may pass their data to the kernel as
 * buffers, where a write-protected page would be an error instead of a fault. */
bool restart_built_with_raddle(const struct dl_phdr_info *info)
{
    const ElfW(Dyn) *dynamic = imports_dynamic(info);
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)d->d_un.d_ptr;
    for (const ElfW(Dyn) *d = dynamic; strings && d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && !strcmp(strings + d->d_un.d_val, "libraddle-rt.so"))
            return true;
    return false;
}

struct module_query {
    uintptr_t pc, base;
    const char *path;
    bool with_raddle, constant;
};

static int match_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct module_query *q = arg;
    if (!holds(info, (const void *)q->pc))
        return 0;
    q->base = info->dlpi_addr;
    q->path = info->dlpi_name;
    q->with_raddle = restart_built_with_raddle(info);
    for (const ElfW(Phdr) *p = info->dlpi_phdr; p < info->dlpi_phdr + info->dlpi_phnum; p++)
        q->constant |= p->p_type == PT_LOAD && !(p->p_flags & PF_W) &&
                       q->pc - (info->dlpi_addr + p->p_vaddr) < p->p_memsz;
    return 1;
}

static struct module_query module_at(uintptr_t pc)
{
    struct module_query q = {.pc = pc};
    dl_iterate_phdr(match_module, &q);
    return q;
}

void restart_module_of(uintptr_t pc, const char **path, uintptr_t *base)
{
    struct module_query q = module_at(pc);
    *path = q.path;
    *base = q.base;
}

bool restart_is_program(uintptr_t pc)
{
    return module_at(pc).with_raddle;
}

bool restart_is_constant(uintptr_t address)
{
    return module_at(address).constant;
}

/* Is the module put back already? Modules stay for ever once they are loaded. */
static bool is_known(const struct dl_phdr_info *info)
{
    static uintptr_t known[MAX_RANGES];
    static int count;
    for (int i = 0; i < count; i++)
        if (known[i] == info->dlpi_addr)
            return true;
    if (count < MAX_RANGES)
        known[count++] = info->dlpi_addr;
    return false;
}

/* Thread-local variables of a module that was loaded later: fiber.c puts them back. */
static void note_locals(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_TLS && info->dlpi_tls_modid)
            fiber_late_tls(info->dlpi_tls_modid, (char *)(info->dlpi_addr + p->p_vaddr), p->p_filesz,
                           p->p_memsz);
    }
}

static int add_module(struct dl_phdr_info *info, size_t size, void *late)
{
    if (holds(info, &rt) || info->dlpi_addr == getauxval(AT_BASE) || is_known(info))
        return 0;
    if (late)
        note_locals(info);
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
        if (end > start && !restart_built_with_raddle(info))
            add_watched(start, end, strstr(info->dlpi_name, "/libgcc_s.so"));
        else
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

/* Without errno, which is thread-local. */
static bool is_closed(long fd)
{
    return rt_syscall(SYS_fcntl, (long[6]){fd, F_GETFD}) < 0;
}

/* Before any thread exists: growing the table of descriptors of several threads takes milliseconds. */
void restart_remember_files(void)
{
    struct pollfd p[FDS]; /* one call instead of a thousand */
    for (int fd = 0; fd < FDS; fd++)
        p[fd] = (struct pollfd){.fd = fd};
    bool told = syscall(SYS_poll, p, FDS, 0) >= 0;
    for (int fd = 0; fd < FDS; fd++)
        if (told ? !(p[fd].revents & POLLNVAL) : !is_closed(fd))
            open_at_start[fd / 64] |= 1ull << fd % 64;
    first_free_fd = 0;
    while (open_at_start[first_free_fd / 64] >> first_free_fd % 64 & 1)
        first_free_fd++;
    struct stat st;
    stdin_is_file = fstat(0, &st) == 0 && S_ISREG(st.st_mode);
    for (int fd = 0; fd < SAVED_FDS; fd++)
        syscall(SYS_dup3, fd, HIGH_FD + fd, O_CLOEXEC);
    cwd_fd = (int)syscall(SYS_fcntl, (int)syscall(SYS_open, ".", O_PATH | O_CLOEXEC), F_DUPFD_CLOEXEC,
                          HIGH_FD + SAVED_FDS);
    syscall(SYS_close, first_free_fd);
    for (int fd = HIGH_FD; fd <= HIGH_FD + SAVED_FDS; fd++)
        open_at_start[fd / 64] |= 1ull << fd % 64;
}

static bool was_open(int fd)
{
    return open_at_start[fd / 64] >> fd % 64 & 1;
}

/* Closes what was not open at the start, all descriptors between two that were in one call. */
static void close_new(void)
{
    for (int fd = 3, end; fd < FDS; fd = end + 1) {
        for (end = fd; end < FDS && !was_open(end); end++)
            ;
        if (end > fd && syscall(SYS_close_range, fd, end - 1, 0) < 0)
            for (; fd < end; fd++)
                syscall(SYS_close, fd);
    }
}

/* Descriptors opened in ways that process.c does not see are noticed a few executions later. */
static void restore_files(void)
{
    static int unprobed;
    if (rt.files_touched) {
        for (int fd = 0; fd < SAVED_FDS; fd++)
            syscall(SYS_dup2, HIGH_FD + fd, fd);
        syscall(SYS_fchdir, cwd_fd);
        rt.files_touched = false;
    } else if (!rt.files_opened && ++unprobed < 32) {
        return;
    } else if (is_closed(first_free_fd)) {
        unprobed = 0;
        rt.files_opened = false;
        return; /* the first free descriptor is still free */
    }
    unprobed = 0;
    rt.files_opened = false;
    close_new();
}

void restart_snapshot(int argc, char **argv, char **envp)
{
    char *start;
    size_t size;
    has_avx = __builtin_cpu_supports("avx");
    add_arguments(argc, argv, envp);
    heap_init_range(&start, &size);
    add_range((uintptr_t)start, (uintptr_t)start + size);
    dl_iterate_phdr(add_module, NULL);
}

void restart_new_modules(void)
{
    bool late = true;
    dl_iterate_phdr(add_module, &late);
}

/* A block of 128 bytes: faster than rep movsb for the few pages that are usual. */
#define COPY_BLOCK 128
#define COPY_BLOCKS(name, vector, features)                                                        \
    __attribute__((target(features))) static void name(char *to, const char *from, size_t n)       \
    {                                                                                              \
        enum { PARTS = COPY_BLOCK / sizeof(vector) };                                              \
        for (size_t i = 0; i < n; i += COPY_BLOCK) {                                               \
            vector part[PARTS];                                                                    \
            for (int k = 0; k < PARTS; k++)                                                        \
                part[k] = ((const vector *)(from + i))[k];                                         \
            for (int k = 0; k < PARTS; k++)                                                        \
                ((vector *)(to + i))[k] = part[k];                                                 \
        }                                                                                          \
    }
typedef char vector16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef char vector32 __attribute__((vector_size(32), aligned(1), may_alias));
COPY_BLOCKS(copy_blocks, vector16, "sse2")
COPY_BLOCKS(copy_blocks_avx, vector32, "avx")

static void copy_back(char *to, const char *from, size_t n)
{
    size_t blocks = n & ~(size_t)(COPY_BLOCK - 1);
    if (RT_LIKELY(has_avx))
        copy_blocks_avx(to, from, blocks);
    else
        copy_blocks(to, from, blocks);
    rt_copy(to + blocks, from + blocks, n - blocks);
}

void restart_rewind(void)
{
    if (stdin_is_file)
        syscall(SYS_lseek, 0, 0, SEEK_SET);
}

static void settle(char *start, size_t size)
{
    if (size >= LARGE)
        remap(start, size & ~(PAGE - 1));
}

void restart_settle(void)
{
    char *start;
    for (int i = 0; i < range_count; i++)
        if (!ranges[i].copy)
            settle(ranges[i].start, ranges[i].size);
    size_t size = heap_range(0, &start);
    settle(start, size);
    size = race_range(&start);
    settle(start, size);
}

bool restart_shares_files(void)
{
    return rt.files_touched || !is_closed(first_free_fd) ||
           (stdin_is_file && syscall(SYS_lseek, 0, 0, SEEK_CUR) != 0);
}

void restart_restore(void)
{
    for (int i = 0; i < range_count; i++) {
        const struct saved_range *r = &ranges[i];
        if (r->copy)
            copy_back(r->start, r->copy, r->size);
        else
            syscall(SYS_madvise, r->start, r->size, MADV_DONTNEED);
    }
    restore_files();
    restart_rewind();
}
