/* A shared library that was built without raddle: what it calls is controlled, but its accesses to memory
 * are not seen. That matters if it has threads or atomic operations: if it calls functions for threads
 * (pthread_…, sem_…, C11's), or has instructions that the processor performs atomically. The
 * libraries of the compiler and of libc are known: what they do with threads is what raddle defines
 * in their place.
 *
 * The same look at the code tells whether the program draws random numbers from the processor. */
#include "rt/abi/units.h"

#include "rt/code/function.h"
#include "rt/check/finding.h"
#include "rt/core/imports.h"
#include "rt/core/restart.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static bool starts_with(const char *s, const char *prefix)
{
    return !strncmp(s, prefix, strlen(prefix));
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool of_toolchain(const char *name)
{
    static const char *const known[] = {
        "libc.so",      "libm.so",     "libpthread.so", "libdl.so",   "librt.so",     "libutil.so",
        "libresolv.so", "libanl.so",   "libnss_",       "ld-linux",   "linux-vdso",   "libmvec.so",
        "libgcc_s.so",  "libatomic.so", "libstdc++.so", "libc++.so",  "libc++abi.so", "libunwind.so",
        "libgfortran.so", "libquadmath.so", "libraddle-rt.so", "libcrypt.so"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(name, known[i]))
            return true;
    return false;
}

static bool for_threads(const char *function)
{
    static const char *const known[] = {
        "pthread_create", "pthread_mutex_",   "pthread_cond_", "pthread_rwlock_", "pthread_spin_",
        "pthread_once",   "pthread_barrier_", "sem_",          "thrd_",           "mtx_",
        "cnd_",           "call_once",        "__atomic_",     "clone"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts_with(function, known[i]))
            return true;
    return false;
}

#define LOOKS_AHEAD 17 /* bytes, at most */

/* lock cmpxchg, lock xadd and lock cmpxchg16b, on memory: what compilers make of atomic updates. */
static bool is_atomic(const unsigned char *p)
{
    p++;
    if ((*p & 0xf0) == 0x40) /* REX */
        p++;
    if (*p++ != 0x0f || (*p != 0xb1 && *p != 0xc1 && *p != 0xc7))
        return false;
    return p[1] >> 6 != 3;
}

/* Does it have the instruction, which begins with that byte? */
static bool has_code(const struct dl_phdr_info *info, int first, bool (*is_it)(const unsigned char *))
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
            continue;
        uintptr_t at = info->dlpi_addr + h->p_vaddr, end = at + h->p_memsz;
        uintptr_t mapped = (end + 4095) & ~4095ul; /* so much may be read */
        for (; at < end && at + LOOKS_AHEAD < mapped; at++)
            if (*(const unsigned char *)at == first && is_it((const void *)at))
                return true;
    }
    return false;
}

/* Could an instruction, or one behind a prefix, begin here? Not inside of another one. */
static bool may_begin(const unsigned char *at)
{
    struct function f;
    struct instruction i;
    if (!function_find((uintptr_t)at, &f))
        return true;
    const uint8_t *p = (const uint8_t *)f.start;
    for (; p < at; p += i.length)
        if (!decode(p, (uint32_t)(f.start + f.size - (uintptr_t)p), &i))
            return true;
    return p == at;
}

/* rdrand or rdseed of a register, and what they are followed by: a look at the carry flag. */
static bool is_random(const unsigned char *p)
{
    if (p[0] != 0x0f || p[1] != 0xc7 || p[2] < 0xf0)
        return false;
    for (int i = 3; i < 16; i++) {
        bool two = p[i] == 0x0f && (p[i + 1] == 0x42 || p[i + 1] == 0x43 || p[i + 1] == 0x92 ||
                                    p[i + 1] == 0x93 || p[i + 1] == 0x82 || p[i + 1] == 0x83);
        if (two || p[i] == 0x72 || p[i] == 0x73)
            return may_begin(p);
    }
    return false;
}

static int check_random(struct dl_phdr_info *info, size_t unused, void *arg)
{
    if (restart_built_with_raddle(info) && has_code(info, 0x0f, is_random))
        finding_incomplete("the program draws random numbers from the processor (rdrand, rdseed), "
                           "which differ from execution to execution");
    return 0;
}

static int check_library(struct dl_phdr_info *info, size_t unused, void *arg)
{
    struct unit_names *all = arg;
    const char *name = info->dlpi_name ? last_part(info->dlpi_name) : "";
    if (!*name || of_toolchain(name) || restart_built_with_raddle(info) || names_have(all, name) ||
        !(imports_any(info, for_threads) || has_code(info, 0xf0, is_atomic)))
        return 0;
    names_add(all, name);
    return 0;
}

void libraries_check(bool late)
{
    static struct unit_names known; /* at the start of the program */
    struct unit_names now = known;
    function_init();
    dl_iterate_phdr(check_random, NULL);
    if (late && known.count > NAMES_KEPT)
        return; /* more than the names that are kept: enough was said */
    dl_iterate_phdr(check_library, late ? &now : &known);
    if (late && now.count > known.count)
        finding_incomplete("loaded by dlopen and not built with raddle cc, so its threads and atomics "
                           "are not seen: %s", now.text);
    else if (!late && known.count)
        finding_incomplete("shared libraries that have threads or atomics and were not built with raddle "
                           "cc, so that their accesses to memory are not seen: %s", known.text);
}
