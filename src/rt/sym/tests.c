/* --save-tests: the inputs of one execution of each path, as a file of lines like those of a schedule. A path
 * is what each thread decided, whatever the schedule: a sum over the threads of hashes of their branches. */
#include "rt/sym/sym.h"

#include "rt/check/finding.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static uint64_t path_now(void)
{
    uint64_t of_thread[EVENT_MAX_THREADS] = {0}, all = 1;
    for (uint32_t i = 0; i < sym->path_count; i++) {
        const struct sym_condition *c = &sym->path[i];
        if (c->step != SYM_NO_STEP)
            of_thread[c->thread] = mixed(of_thread[c->thread] + 1, c->expression);
    }
    for (unsigned t = 0; t < EVENT_MAX_THREADS; t++)
        all += of_thread[t] ? mixed(of_thread[t], t) : 0;
    return all ? all : 1;
}

/* False: it was there. */
static bool add(uint64_t path)
{
    uint32_t i = (uint32_t)(path >> 20) & (2 * SYM_TESTS - 1);
    for (; sym->tests[i]; i = (i + 1) & (2 * SYM_TESTS - 1))
        if (sym->tests[i] == path)
            return false;
    sym->tests[i] = path;
    return true;
}

static void write_file(const char *text)
{
    char path[sizeof rt.shared->config.save_tests + 32];
    rt_format(path, sizeof path, "%s/%06u.inputs", rt.shared->config.save_tests, ++sym->test_count);
    int fd = (int)syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || syscall(SYS_write, fd, text, strlen(text)) < 0)
        finding_warn(0, "a test could not be written to %s", path);
    if (fd >= 0)
        syscall(SYS_close, fd);
}

void sym_save_test(void)
{
    if (!rt.shared->config.save_tests[0] || rt.outcome != OUTCOME_COMPLETE || !rt.shared->inputs_now[0])
        return;
    if (sym->test_count == SYM_TESTS) {
        finding_warn(0, "there was room for the first %u tests only", sym->test_count);
        return;
    }
    if (add(path_now()))
        write_file(rt.shared->inputs_now);
}
