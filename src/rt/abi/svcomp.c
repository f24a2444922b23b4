/* The conventions of the software verification competition: __VERIFIER_nondet_* give inputs,
 * __VERIFIER_assume drops executions (exit.c), reach_error is a failed assertion, and no other thread runs
 * between __VERIFIER_atomic_begin and _end or inside a function named __VERIFIER_atomic_*.
 *
 * The functions are found by their names in the program's symbol table; whether a thread is inside one
 * is seen from its stack when it comes to a visible operation, which costs nothing in programs that
 * have none. A section begins with its first visible operation and ends when the thread stands before
 * one outside of it: in between only this thread is offered to the engine. Engines that move single
 * events around know nothing of sections, so the search goes over to one that does not. */
#include "rt/abi/svcomp.h"
#include "rt/sym/sym.h"

#include "rt/check/finding.h"
#include "rt/core/interpose.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/clock.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define MAX_FUNCTIONS 256
#define PREFIX "__VERIFIER_atomic_"
#define NO_FRAME 0
#define EXPLICIT 1 /* the "frame" of a section of __VERIFIER_atomic_begin */

static struct {
    uintptr_t start, end;
} functions[MAX_FUNCTIONS];
static int function_count;
static uintptr_t section; /* frame of the section that rt.atomic_thread is in */
static int depth[EVENT_MAX_THREADS]; /* of __VERIFIER_atomic_begin */

static bool is_section(const char *name)
{
    return !strncmp(name, PREFIX, sizeof PREFIX - 1) && strcmp(name, PREFIX "begin") &&
           strcmp(name, PREFIX "end");
}

static void add_functions(const char *image, const ElfW(Shdr) *symbols, const ElfW(Shdr) *strings,
                          uintptr_t base)
{
    const ElfW(Sym) *s = (const void *)(image + symbols->sh_offset);
    for (size_t n = symbols->sh_size / sizeof *s; n > 0; n--, s++)
        if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_size && s->st_name < strings->sh_size &&
            is_section(image + strings->sh_offset + s->st_name)) {
            if (function_count == MAX_FUNCTIONS) {
                finding_limit(LIMIT_SECTIONS, MAX_FUNCTIONS);
                return;
            }
            functions[function_count].start = base + s->st_value;
            functions[function_count++].end = base + s->st_value + s->st_size;
        }
}

static void read_symbols(const char *image, size_t size, uintptr_t base)
{
    const ElfW(Ehdr) *h = (const void *)image;
    const ElfW(Shdr) *sections = (const void *)(image + h->e_shoff);
    if (size < sizeof *h || h->e_shoff > size || h->e_shnum * sizeof *sections > size - h->e_shoff)
        return;
    for (int i = 0; i < h->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < h->e_shnum &&
            sections[i].sh_offset + sections[i].sh_size <= size)
            add_functions(image, &sections[i], &sections[sections[i].sh_link], base);
}

static int base_of_program(struct dl_phdr_info *info, size_t size, void *arg)
{
    *(uintptr_t *)arg = info->dlpi_addr;
    return 1;
}

void svcomp_init(void)
{
    struct stat st;
    uintptr_t base = 0;
    int fd = (int)syscall(SYS_open, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    dl_iterate_phdr(base_of_program, &base);
    if (fstat(fd, &st) == 0) {
        char *image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (image != MAP_FAILED) {
            read_symbols(image, (size_t)st.st_size, base);
            munmap(image, (size_t)st.st_size);
        }
    }
    syscall(SYS_close, fd);
    rt.atomics = function_count > 0;
}

bool svcomp_in_function(uintptr_t pc)
{
    for (int i = 0; i < function_count; i++)
        if (pc - 1 - functions[i].start < functions[i].end - functions[i].start)
            return true;
    return false;
}

void svcomp_reset(void)
{
    rt.atomic_thread = -1;
    section = NO_FRAME;
    if (RT_UNLIKELY(rt.atomics))
        rt_fill(depth, 0, sizeof depth);
}

static _Unwind_Reason_Code look(struct _Unwind_Context *c, void *outermost)
{
    if (svcomp_in_function(_Unwind_GetIP(c)))
        *(uintptr_t *)outermost = _Unwind_GetCFA(c);
    return _URC_NO_REASON;
}

/* The outermost frame of a section on this thread's stack. */
static uintptr_t frame_of_section(void)
{
    uintptr_t found = NO_FRAME;
    if (depth[rt.current])
        return EXPLICIT;
    if (!function_count)
        return NO_FRAME;
    rt.active = false;
    _Unwind_Backtrace(look, &found);
    rt.active = true;
    return found;
}

static struct sync *all_sections(void)
{
    return sync_get((uintptr_t)&section, SYNC_MUTEX);
}

void svcomp_before(void)
{
    if (rt.atomic_thread == rt.current && section != frame_of_section()) {
        rt.atomic_thread = -1;
        sync_release(all_sections());
    }
}

/* Reversals of single events inside of sections cannot be followed. */
static void need_plain_engine(void)
{
    struct shared *s = rt.shared;
    if (rt.strategy->follows || rt.strategy->plain)
        return;
    rt_format(s->instead, sizeof s->instead, "%s", strcmp(s->config.engine, "auto") ? "dfs" : "icb");
    finding_warn(rt.next[rt.current].pc, "the program has atomic sections: explored by engine %s",
                 s->instead);
    rt.restart = true;
    sched_end_execution(OUTCOME_ABANDONED);
}

void svcomp_picked(void)
{
    uintptr_t frame = rt.atomic_thread == rt.current ? NO_FRAME : frame_of_section();
    if (frame == NO_FRAME)
        return;
    need_plain_engine();
    rt.atomic_thread = rt.current;
    section = frame;
    sync_acquire(all_sections());
}

void __VERIFIER_atomic_begin(void);
RT_EXPORT void __VERIFIER_atomic_begin(void)
{
    if (!rt.active)
        return;
    struct sync *s = all_sections();
    rt.atomics = true;
    rt.repeats = 0;
    if (depth[rt.current]) {
        depth[rt.current]++;
        return;
    }
    struct event *op = sync_turn_to_lock(s, RT_PC());
    depth[rt.current] = 1;
    svcomp_picked();
    sched_log(op);
}

void __VERIFIER_atomic_end(void);
RT_EXPORT void __VERIFIER_atomic_end(void)
{
    if (!rt.active || !depth[rt.current] || --depth[rt.current])
        return;
    sync_release(all_sections());
    if (rt.atomic_thread == rt.current)
        rt.atomic_thread = -1;
}

/* ---- inputs ----------------------------------------------------------------------------------- */

static uint64_t input(bool boolean, uint64_t pc)
{
    const struct run_config *c = &rt.shared->config;
    if (boolean)
        return c->nondet ? (uint64_t)sched_choose(2, pc) : clock_random_word() & 1;
    if (c->nondet) {
        int n = c->nondet_high - c->nondet_low + 1;
        finding_incomplete("inputs outside of --nondet %d..%d were not tried", c->nondet_low,
                           c->nondet_high);
        return (uint64_t)(int64_t)(c->nondet_low + sched_choose(n, pc));
    }
    uint64_t x = clock_random_word();
    return x & 1 ? x >> 1 & 7 : x >> 1; /* small ones matter most */
}

static bool has_symbolic_inputs(void)
{
    return sym || rt.shared->config.inputs[0];
}

#define IS_SIGNED(type) ((type)-1 < (type)1)
#define IS_WHOLE(type) ((type)0.5 == (type)0) /* neither float nor double */

static uint64_t any_value(const char *name, size_t size, bool is_signed, bool whole, bool boolean,
                          uint64_t pc)
{
    if (!rt.active)
        return 0;
    if (whole && has_symbolic_inputs())
        return sym_any_value(name, (unsigned)size, is_signed, boolean, pc);
    if (!rt.shared->config.nondet)
        finding_incomplete("inputs were drawn with the seed (--nondet explores them)");
    return input(boolean, pc);
}

#define NONDET(type, name, boolean)                                                                \
    type __VERIFIER_nondet_##name(void);                                                           \
    RT_EXPORT type __VERIFIER_nondet_##name(void)                                                  \
    {                                                                                              \
        return (type)any_value("nondet_" #name, sizeof(type), !(boolean) && IS_SIGNED(type),       \
                               (boolean) || IS_WHOLE(type), boolean, RT_PC());                     \
    }
NONDET(bool, bool, true)
NONDET(bool, _Bool, true)
NONDET(char, char, false)
NONDET(signed char, schar, false)
NONDET(unsigned char, uchar, false)
NONDET(unsigned char, unsigned_char, false)
NONDET(unsigned char, u8, false)
NONDET(short, short, false)
NONDET(unsigned short, ushort, false)
NONDET(unsigned short, u16, false)
NONDET(int, int, false)
NONDET(unsigned, uint, false)
NONDET(unsigned, unsigned, false)
NONDET(unsigned, unsigned_int, false)
NONDET(unsigned, u32, false)
NONDET(long, long, false)
NONDET(unsigned long, ulong, false)
NONDET(long long, longlong, false)
NONDET(unsigned long long, ulonglong, false)
NONDET(size_t, size_t, false)
NONDET(long, loff_t, false)
NONDET(float, float, false)
NONDET(double, double, false)

/* ---- verdicts --------------------------------------------------------------------------------- */

void raddle_rt_assume_fail(void);
void __VERIFIER_assume(int condition);
RT_EXPORT void __VERIFIER_assume(int condition)
{
    if (!condition)
        raddle_rt_assume_fail();
}

static void error_reached(uint64_t pc)
{
    if (!rt.active) {
        fputs("reach_error() was called\n", stderr);
        syscall(SYS_exit_group, 1);
    }
    finding_commit(finding_new(FINDING_ASSERT, pc, 0, "reach_error() was called"));
    sched_end_execution(OUTCOME_COMPLETE);
}

void __VERIFIER_error(void);
RT_EXPORT void __VERIFIER_error(void)
{
    error_reached(RT_PC());
}

void reach_error(void);
RT_EXPORT void reach_error(void)
{
    error_reached(RT_PC());
}
