/* raddle doctor: does this machine allow what raddle needs? Each check is a row of a table; those that can
 * spoil the process are made in a child. */
#include "cli/cli.h"

#include "base/dirs.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "cli/outdir.h"
#include "report/style.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const struct opt_command cmd_doctor_options = {
    .name = "doctor",
    .usage = "",
    .summary = "check whether this machine allows what raddle needs",
    .description =
        "One line for each thing that raddle uses: fixed addresses (personality), the net under the system "
        "calls (seccomp), debugging (ptrace, gdb), fast switching of threads (fsgsbase), memory shared by "
        "host and worker, raddle's own files, the compilers. Last, a program with a known bug is built "
        "with each compiler and explored. What is missing is followed by what to do about it.\n\n"
        "Exit status: 0 all that is needed works, 3 something that is needed does not.",
};

enum health { GOOD, LESS, BAD }; /* LESS: raddle works, but not everything of it */

/* Runs the check in a child, which ends with 0 if it succeeds. */
static int child_can(int (*check)(void))
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(check());
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Runs a command without its output; its exit status, -1 if it could not be run. */
static int quietly(char *const argv[])
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int null = memfd_create("raddle-doctor", 0);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int fix_addresses(void)
{
    return personality(ADDR_NO_RANDOMIZE) == -1 || !(personality(0xffffffff) & ADDR_NO_RANDOMIZE);
}

static int filter_calls(void)
{
    struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog filter = {1, &allow};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

static int be_traced(void)
{
    return ptrace(PTRACE_TRACEME, 0, 0, 0) != 0;
}

static enum health check_personality(const char *with)
{
    return child_can(fix_addresses) ? GOOD : BAD;
}

static enum health check_seccomp(const char *with)
{
    return child_can(filter_calls) ? GOOD : LESS;
}

static enum health check_ptrace(const char *with)
{
    return child_can(be_traced) ? GOOD : LESS;
}

static enum health check_fsgsbase(const char *with)
{
    return getauxval(AT_HWCAP2) >> 1 & 1 ? GOOD : LESS;
}

/* The region of a worker is large and sparse. */
static enum health check_memory(const char *with)
{
    const size_t size = 8ul << 30;
    int fd = memfd_create("raddle-doctor", MFD_CLOEXEC);
    void *p = fd >= 0 && !ftruncate(fd, (off_t)size)
                  ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0)
                  : MAP_FAILED;
    if (p != MAP_FAILED)
        munmap(p, size);
    close(fd);
    return p != MAP_FAILED ? GOOD : BAD;
}

static enum health check_files(const char *with)
{
    struct dirs d;
    struct error e;
    if (dirs_find(&d, &e))
        return BAD;
    dirs_free(&d);
    return GOOD;
}

static enum health check_gdb(const char *with)
{
    return quietly((char *[]){"gdb", "--version", NULL}) ? LESS : GOOD;
}

static enum health check_symbolic(const char *with)
{
    struct dirs d;
    struct error e;
    if (dirs_find(&d, &e))
        return LESS;
    char *rewriter = mem_printf("%s/raddle-rewrite", d.lib);
    int there = !access(rewriter, X_OK) && !quietly((char *[]){"clang-19", "--version", NULL});
    free(rewriter);
    dirs_free(&d);
    return there ? GOOD : LESS;
}

static const char sample[] = "#include <pthread.h>\n#include <raddle.h>\nstatic int x;\n"
                             "static void *add(void *p) { int y = x; x = y + 1; return p; }\n"
                             "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, add, 0);\n"
                             "    add(0);\n    pthread_join(t, 0);\n    raddle_assert(x == 2);\n}\n";

static int explore_sample(const char *folder)
{
    struct error e;
    char *source = mem_printf("%s/sample.c", folder), *program = mem_printf("%s/sample", folder);
    char *out = mem_printf("%s/out", folder);
    int found = !outdir_write(source, sample, strlen(sample), &e) &&
                !quietly((char *[]){"/proc/self/exe", "cc", "-o", program, source, "-pthread", NULL}) &&
                quietly((char *[]){"/proc/self/exe", "run", "-q", "-t", "30", "-o", out, program, NULL}) ==
                    EXIT_BUG;
    quietly((char *[]){"rm", "-rf", (char *)folder, NULL});
    free(source);
    free(program);
    free(out);
    return found;
}

/* Builds the sample with this compiler and looks for its bug. */
static enum health check_compiler(const char *with)
{
    char folder[] = "/tmp/raddle-doctor-XXXXXX";
    const char *before = getenv("RADDLE_CC");
    char *kept = before ? mem_strdup(before) : NULL;
    if (quietly((char *[]){(char *)with, "--version", NULL}) || !mkdtemp(folder))
        return LESS;
    setenv("RADDLE_CC", with, 1);
    int found = explore_sample(folder);
    if (kept)
        setenv("RADDLE_CC", kept, 1);
    else
        unsetenv("RADDLE_CC");
    free(kept);
    return found ? GOOD : BAD;
}

static const struct check {
    const char *name, *good, *todo;
    enum health (*look)(const char *with);
    const char *with;
} checks[] = {
    {"files", "raddle's runtime and headers are beside it", "install raddle as a whole (make install)",
     check_files, NULL},
    {"personality", "addresses can be the same in every process",
     "a container forbids personality(2): docker run --security-opt seccomp=unconfined, or a profile that "
     "allows personality(ADDR_NO_RANDOMIZE)",
     check_personality, NULL},
    {"memory", "large sparse mappings", "allow them: ulimit -v unlimited, sysctl vm.overcommit_memory=0",
     check_memory, NULL},
    {"seccomp", "system calls that no function makes are seen",
     "without it such a call is neither controlled nor named; a kernel with CONFIG_SECCOMP_FILTER has it",
     check_seccomp, NULL},
    {"fsgsbase", "threads are switched without a system call",
     "without it programs with thread-local variables are explored more slowly; Linux 5.9 on a processor "
     "since 2012 has it",
     check_fsgsbase, NULL},
    {"ptrace", "a replay can be debugged",
     "raddle replay --gdb will not work: docker run --cap-add SYS_PTRACE, or "
     "sysctl kernel.yama.ptrace_scope=0",
     check_ptrace, NULL},
    {"gdb", "raddle replay --gdb", "install gdb for raddle replay --gdb", check_gdb, NULL},
    {"symbolic", "raddle cc --symbolic",
     "for --symbolic install clang-19 and llvm-19-dev, and build raddle again",
     check_symbolic, NULL},
    {"clang", "builds a program whose bug is found",
     "install clang, or see what raddle cc and raddle run say",
     check_compiler, "clang"},
    {"gcc", "builds a program whose bug is found",
     "install gcc, or see what raddle cc and raddle run say",
     check_compiler, "gcc"},
};
enum { CHECKS = sizeof checks / sizeof checks[0] };

int cmd_doctor(int argc, char **argv)
{
    static const char *const words[] = {"ok", "less", "BAD"};
    struct error e;
    int first = opt_parse(&cmd_doctor_options, argc, argv, NULL, &e), bad = 0, compilers = 0;
    if (first >= 0 && first < argc)
        first = error_set(&e, EXIT_USAGE, "raddle doctor wants no operands");
    if (first < 0)
        return error_print(&e);
    setenv("RADDLE_CONF", "", 1); /* the machine is asked, not the project */
    unsetenv("RADDLE_OPTIONS");
    for (int i = 0; i < CHECKS; i++) {
        const struct check *c = &checks[i];
        enum health h = c->look(c->with);
        struct sbuf line = {0};
        sbuf_printf(&line, "%-5s %-12s ", words[h], c->name);
        style_wrap(style_for(STDOUT_FILENO), &line, h == GOOD ? c->good : c->todo, line.len, line.len);
        puts(sbuf_str(&line));
        sbuf_free(&line);
        bad |= h == BAD;
        compilers += c->with && h == GOOD;
    }
    if (!compilers)
        printf("no compiler builds programs that raddle can explore\n");
    return bad || !compilers ? EXIT_CANNOT_START : EXIT_SAFE;
}
