/* mmap & co.: every thread has a range of addresses of its own, so that the k-th mapping of a thread
 * lies at the same place in every interleaving; all of it is unmapped at the end of an execution.
 *
 * Taking memory away, or the right to use it, is to other threads what free is: an access that is not
 * ordered before it is a race, and one that comes after it crashes. Once seen in a race the call is a
 * visible operation. */
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/check/race.h"
#include "rt/core/capture.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/unseen.h"
#include "rt/posix/files.h"
#include "rt/posix/signals.h"
#include "rt/posix/thread.h"
#include "rt/sym/outside.h"
#include "rt/tell/story.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ull
#define MAX_FIXED 64
#define REMEMBERED (1u << 20) /* bytes: emptying or opening more is held against what came before only */

static uint64_t top[EVENT_MAX_THREADS]; /* bytes used */
static struct tset mapped;
static struct {
    void *at;
    size_t size;
} fixed[MAX_FIXED]; /* at places the program chose */
static int fixed_count;
static bool shares; /* memory that processes share was mapped */

/* Shared mappings of files: the same memory may show at two addresses, or be read and written as a file. */
static struct view {
    dev_t device;
    ino_t number;
    uint64_t from, to; /* in the file */
    uintptr_t at;
    bool writable;
} views[MAX_FIXED];
static int view_count;

static uintptr_t base_of(int thread)
{
    return MAPS_BASE + (uint64_t)thread * MAPS_SIZE;
}

static size_t pages(size_t n)
{
    return (n + PAGE - 1) & ~(PAGE - 1);
}

bool maps_shared(void)
{
    return shares;
}

void maps_reset(void)
{
    shares = false;
    view_count = 0;
    TSET_FOR(t, &mapped) {
        syscall(SYS_munmap, base_of(t), top[t]);
        top[t] = 0;
    }
    mapped = (struct tset){{0}};
    while (fixed_count > 0) {
        fixed_count--;
        syscall(SYS_munmap, fixed[fixed_count].at, fixed[fixed_count].size);
    }
}

/* A place for n bytes; a page stays free behind it. */
static void *place(size_t n)
{
    int t = rt.current;
    if (n > MAPS_SIZE || top[t] + pages(n) + PAGE > MAPS_SIZE) {
        finding_limit(LIMIT_MAPPED, MAPS_SIZE >> 20);
        return NULL;
    }
    void *at = (void *)(base_of(t) + top[t]);
    top[t] += pages(n) + PAGE;
    tset_add(&mapped, t);
    return at;
}

uint64_t maps_used(int thread)
{
    return top[thread];
}

static void note_change(void)
{
    capture_changes("the program changes how memory is mapped");
}

static void shows_twice(uintptr_t pc)
{
    finding_warn(pc, "the same memory shows at two addresses: what is done through one of them is not "
                     "compared with what is done through the other");
    finding_incomplete("memory that is mapped at two addresses");
}

/* What may not be written through fd, mprotect cannot make writable either. */
static bool may_write(int fd)
{
    return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR;
}

static void view_add(uintptr_t at, size_t n, int fd, off_t offset, uintptr_t pc)
{
    struct stat st;
    if (syscall(SYS_fstat, fd, &st) || !S_ISREG(st.st_mode))
        return;
    struct view v = {st.st_dev, st.st_ino, (uint64_t)offset, (uint64_t)offset + pages(n), at, may_write(fd)};
    for (int i = 0; i < view_count; i++) {
        const struct view *o = &views[i];
        if (o->device == v.device && o->number == v.number && o->from < v.to && v.from < o->to &&
            (o->writable || v.writable))
            shows_twice(pc);
    }
    if (view_count < MAX_FIXED)
        views[view_count++] = v;
    else
        finding_incomplete("more than %d shared mappings of files at a time", MAX_FIXED);
}

static void views_end(uintptr_t at, size_t n)
{
    for (int i = view_count; i-- > 0;)
        if (views[i].at - at < n && views[i].to - views[i].from <= n - (views[i].at - at))
            views[i] = views[--view_count];
}

static void view_moves(uintptr_t from, uintptr_t to, size_t n)
{
    for (int i = 0; i < view_count; i++)
        if (views[i].at == from) {
            views[i].at = to;
            views[i].to = views[i].from + pages(n);
        }
}

void maps_file_used(const struct stat *st, bool looks, uintptr_t pc)
{
    for (int i = 0; i < view_count && !thread_alone(); i++)
        if (views[i].device == st->st_dev && views[i].number == st->st_ino && (!looks || views[i].writable)) {
            finding_warn(pc, "reads or writes a file that is mapped: not compared with accesses to the "
                             "memory");
            finding_incomplete("a file is read or written while it is mapped");
        }
}

/* The call at pc changes this memory: a step, if it was seen in a race. */
static void step(enum event_kind kind, uintptr_t at, size_t n, uintptr_t pc)
{
    if (!access_is_racy(pc, at, n))
        return;
    struct event *op = sched_op(kind, at, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, pc);
    capture_part();
    sched_visit();
    op->value = access_look(at, 8);
    sched_log(op);
}

static void memory_ends(void *at, size_t n, uintptr_t pc)
{
    step(EV_FREE, (uintptr_t)at, pages(n), pc);
    race_end_of_life((uintptr_t)at, pages(n), pc);
    race_forget((uintptr_t)at, pages(n));
}

static void ends(void *at, size_t n, uintptr_t pc)
{
    memory_ends(at, n, pc);
    views_end((uintptr_t)at, pages(n));
}

static void *map_for(void *at, size_t n, int protection, int flags, int fd, off_t offset, uintptr_t pc)
{
    bool fresh = !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE));
    if (!fresh || (flags & (MAP_TYPE | MAP_ANONYMOUS)) != (MAP_PRIVATE | MAP_ANONYMOUS))
        note_change();
    if (fresh) {
        at = place(n);
        if (!at) {
            errno = ENOMEM;
            return MAP_FAILED;
        }
        flags |= MAP_FIXED_NOREPLACE;
    } else if (flags & MAP_FIXED) {
        ends(at, n, pc);
    }
    if (!fresh && (uintptr_t)at - MAPS_BASE >= MAPS_SIZE * EVENT_MAX_THREADS) {
        if (fixed_count == MAX_FIXED)
            finding_limit(LIMIT_MAPPINGS, MAX_FIXED);
        else
            fixed[fixed_count].at = at, fixed[fixed_count++].size = n;
    }
    void *p = (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
    shares |= (flags & MAP_TYPE) != MAP_PRIVATE;
    if (p != MAP_FAILED)
        race_forget((uintptr_t)p, pages(n));
    if (RT_UNLIKELY(rt.captures) && p != MAP_FAILED && maps_used(rt.current) <= UNSEEN_MOST)
        unseen_expect((uintptr_t)p, pages(n));
    if (p != MAP_FAILED && (flags & MAP_TYPE) != MAP_PRIVATE && !(flags & MAP_ANONYMOUS))
        view_add((uintptr_t)p, n, fd, offset, pc);
    if (!(flags & MAP_ANONYMOUS))
        sym_was_mapped(fd, flags & MAP_SHARED);
    return p;
}

RT_EXPORT void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    if (!rt.active || !rt_from_program(RT_PC()))
        return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
    return map_for(at, n, protection, flags, fd, offset, RT_PC());
}

/* Not folded with mmap, from which the statement tells it apart: no function may be a jump to that. */
RT_EXPORT void *mmap64(void *at, size_t n, int protection, int flags, int fd, off64_t offset)
{
    __asm__ volatile("");
    if (!rt.active || !rt_from_program(RT_PC()))
        return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
    return map_for(at, n, protection, flags, fd, offset, RT_PC());
}

RT_EXPORT int munmap(void *at, size_t n)
{
    if (rt.active && rt_from_program(RT_PC())) {
        note_change();
        ends(at, n, RT_PC());
    }
    return (int)syscall(SYS_munmap, at, n);
}

RT_EXPORT void *mremap(void *old, size_t old_size, size_t new_size, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(ap, void *) : NULL;
    va_end(ap);
    bool grows = pages(new_size) > pages(old_size);
    bool program = rt.active && rt_from_program(RT_PC());
    if (program)
        note_change();
    if (program && !old_size) /* another view of the same */
        shows_twice(RT_PC());
    if (program && (flags & MREMAP_MAYMOVE) && !to && grows) {
        to = place(new_size);
        flags |= MREMAP_FIXED;
    }
    if (program && to)
        memory_ends(old, old_size, RT_PC());
    else if (program && new_size < old_size)
        ends((char *)old + pages(new_size), pages(old_size) - pages(new_size), RT_PC());
    void *p = (void *)syscall(SYS_mremap, old, old_size, new_size, flags, to);
    if (program && p != MAP_FAILED)
        view_moves((uintptr_t)old, (uintptr_t)p, new_size);
    return p;
}

static int result(int status)
{
    if (status >= 0)
        return status;
    errno = -status;
    return -1;
}

/* Zeros are written. */
static void empties(uintptr_t at, size_t n, uintptr_t pc)
{
    step(EV_WRITE, at, n, pc);
    if (n <= REMEMBERED)
        race_access(at, n, pc, RACE_WRITE);
    else
        race_compare(at, n, pc, RACE_WRITE);
}

/* A program that handles the fault means accesses to meet the protection. */
static bool handles_faults(void)
{
    const struct sigaction *a = signals_action(SIGSEGV);
    return a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN;
}

/* What could not be read becomes readable: whoever is not ordered behind it could have crashed. */
static void opens(uintptr_t at, size_t n, uintptr_t pc)
{
    if (n <= REMEMBERED && !access_mapped(at, 1))
        race_access(at, n, pc, RACE_WRITE);
}

static void protects(uintptr_t at, size_t n, int protection, uintptr_t pc)
{
    if (!n || handles_faults())
        return;
    story_note("changes what may be done with this memory");
    step(EV_WRITE, at, n, pc);
    if (!(protection & PROT_WRITE))
        race_compare(at, n, pc, protection & PROT_READ ? 0 : RACE_WRITE);
    if (protection & PROT_READ)
        opens(at, n, pc);
}

RT_EXPORT int mprotect(void *at, size_t n, int protection)
{
    if (rt.active && rt_from_program(RT_PC())) {
        note_change();
        protects((uintptr_t)at, pages(n), protection, RT_PC());
    }
    return result(rt_protect(at, n, protection));
}

RT_EXPORT int madvise(void *at, size_t n, int advice)
{
    if (rt.active && rt_from_program(RT_PC())) {
        note_change();
        if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)
            empties((uintptr_t)at, pages(n), RT_PC());
    }
    return result(rt_advise(at, n, advice));
}
