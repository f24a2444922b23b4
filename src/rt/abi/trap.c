/* The net below the functions: a seccomp filter on the kernel thread that runs the program. Let through
 * are the system calls of the runtime's own code, and those that the C library makes for functions
 * which the runtime defines or which concern nobody (trap.def). All others raise SIGSYS: assembly in the
 * program, libraries that were not built with raddle, the C library's own waiting (a lock inside of it),
 * and functions nobody thought of. The handler lets the thread go on in trap_enter, on its own stack,
 * which treats the call as if it had been made through syscall(): modelled, or named and performed.
 *
 * The filter costs some 50 ns per system call. Where it is not allowed, there is no net. */
#include "rt/abi/trap.h"

#include "rt/check/crash.h"

#include "rt/core/interpose.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static const uint16_t library_calls[] = {
#define CALL(name) SYS_##name,
#define KEPT(name)
#include "rt/abi/trap.def"
#undef CALL
#undef KEPT
};
#define CALLS (sizeof library_calls / sizeof library_calls[0])

static const uint16_t kept_calls[] = {
#define CALL(name)
#define KEPT(name) SYS_##name,
#include "rt/abi/trap.def"
#undef CALL
#undef KEPT
};
#define KEPT_CALLS (sizeof kept_calls / sizeof kept_calls[0])

static const char *const names[] = {
#define NAME(number, name) [number] = name,
#include "rt/abi/syscall_names.def"
#undef NAME
};

const char *trap_name(long number)
{
    bool known = number >= 0 && number < (long)(sizeof names / sizeof names[0]) && names[number];
    return known ? names[number] : "?";
}

bool trap_kept(long number)
{
    for (size_t i = 0; i < KEPT_CALLS; i++)
        if (kept_calls[i] == number)
            return true;
    return false;
}

/* ---- the filter ------------------------------------------------------------------------------- */

struct text {
    uintptr_t start, end;
};

static struct text own, libc, loader;

static int find_texts(struct dl_phdr_info *info, size_t size, void *arg)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        struct text t = {info->dlpi_addr + p->p_vaddr, info->dlpi_addr + p->p_vaddr + p->p_memsz};
        if ((uintptr_t)&find_texts - t.start < t.end - t.start)
            own = t;
        else if (info->dlpi_addr == getauxval(AT_BASE))
            loader = t;
        else if (strstr(info->dlpi_name, "/libc.so.6"))
            libc = t;
    }
    return 0;
}

#define LOAD_AT(offset) (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define LOAD(field) LOAD_AT(offsetof(struct seccomp_data, field))
#define JUMP(test, value, yes, no) (struct sock_filter) BPF_JUMP(BPF_JMP | test | BPF_K, value, yes, no)
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)

struct trap_program {
    struct sock_filter f[CALLS + 2 * KEPT_CALLS + 64];
    unsigned short n;
};

static void put(struct trap_program *p, struct sock_filter f)
{
    p->f[p->n++] = f;
}

/* Goes on behind the next `skip` instructions unless the call comes from t, which lies below `high`. The
 * accumulator holds the lower half of the instruction pointer. */
static void put_within(struct trap_program *p, struct text t, uint8_t skip)
{
    put(p, JUMP(BPF_JGE, (uint32_t)t.start, 0, (uint8_t)(skip + 1)));
    put(p, JUMP(BPF_JGE, (uint32_t)t.end, skip, 0));
}

/* The three texts have the upper half of their addresses in common (the loader maps them together). */
static bool build(struct trap_program *p)
{
    uint32_t high = (uint32_t)(own.start >> 32);
    const struct text *all[] = {&own, &libc, &loader};
    for (int i = 0; i < 3; i++)
        if (!all[i]->end || all[i]->start >> 32 != high || (all[i]->end - 1) >> 32 != high)
            return false;
    put(p, LOAD(arch));
    put(p, JUMP(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0));
    put(p, RETURN(SECCOMP_RET_TRAP));
    put(p, LOAD_AT(offsetof(struct seccomp_data, instruction_pointer) + 4));
    put(p, JUMP(BPF_JEQ, high, 1, 0));
    put(p, RETURN(SECCOMP_RET_TRAP));
    put(p, LOAD(instruction_pointer));
    put_within(p, own, 1);
    put(p, RETURN(SECCOMP_RET_ALLOW));
    put_within(p, loader, 1);
    put(p, RETURN(SECCOMP_RET_ALLOW));
    put_within(p, libc, 1);
    put(p, JUMP(BPF_JA, 1, 0, 0));
    put(p, RETURN(SECCOMP_RET_TRAP));
    put(p, LOAD(nr));
    for (size_t i = 0; i < KEPT_CALLS && rt.shared->config.match < MATCH_STATES; i++) {
        put(p, JUMP(BPF_JEQ, kept_calls[i], 0, 1));
        put(p, RETURN(SECCOMP_RET_ALLOW));
    }
    for (size_t i = 0; i < CALLS; i++)
        put(p, JUMP(BPF_JEQ, library_calls[i], (uint8_t)(CALLS - i), 0));
    put(p, RETURN(SECCOMP_RET_TRAP));
    put(p, RETURN(SECCOMP_RET_ALLOW));
    return true;
}

/* ---- what it catches -------------------------------------------------------------------------- */

__attribute__((visibility("hidden"))) void trap_enter(void); /* trap_enter.S */
__attribute__((visibility("hidden"), used)) long trap_call(long number, const long a[6]);

static uint64_t caught_pc; /* from the handler to trap_call */
static bool caught_library;

long trap_call(long number, const long a[6])
{
    int before = errno;
    long result = syscall_controlled(number, a, caught_library, caught_pc);
    if (result == -1)
        result = -errno;
    errno = before;
    return result;
}

static void caught(int sig, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const long a[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
    uintptr_t at = (uintptr_t)r[REG_RIP];
    if (info->si_arch != AUDIT_ARCH_X86_64) {
        r[REG_RAX] = -ENOSYS;
        return;
    }
    if (!rt.active || rt.over) {
        r[REG_RAX] = rt_syscall(info->si_syscall, a);
        return;
    }
    caught_library = at - libc.start < libc.end - libc.start;
    caught_pc = crash_interrupted_at(context);
    r[REG_RAX] = info->si_syscall;
    r[REG_RSP] -= 128;
    *(uintptr_t *)r[REG_RSP] = at;
    r[REG_RIP] = (greg_t)&trap_enter;
}

void trap_init(void)
{
    struct trap_program p = {.n = 0};
    dl_iterate_phdr(find_texts, NULL);
    if (!build(&p))
        return;
    struct sigaction a = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    REAL(sigaction)(SIGSYS, &a, NULL);
    struct sock_fprog filter = {.len = p.n, .filter = p.f};
    syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    unsigned long flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (rt.shared->config.gdb) /* each thread runs on a kernel thread of its own */
        flags |= SECCOMP_FILTER_FLAG_TSYNC;
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}
