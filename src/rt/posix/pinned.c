/* What would differ from run to run and has nothing to do with the schedule: random numbers that the C and
 * C++ libraries draw by themselves, times and memory used, the processor a thread is on, how busy
 * the machine is. Random
 * numbers come of the seed, times of the virtual clock, the rest is always the same. */
#include "rt/posix/pinned.h"

#include "base/rng.h"
#include "rt/core/interpose.h"
#include "rt/posix/clock.h"
#include "rt/posix/strings.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <unistd.h>

/* Not in every C library's headers. */
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t limit);
void arc4random_buf(void *out, size_t n);

RT_EXPORT uint32_t arc4random(void)
{
    PASSIVE(arc4random);
    return (uint32_t)clock_random_word();
}

RT_EXPORT uint32_t arc4random_uniform(uint32_t limit)
{
    PASSIVE(arc4random_uniform, limit);
    return limit ? (uint32_t)(clock_random_word() % limit) : 0;
}

RT_EXPORT void arc4random_buf(void *out, size_t n)
{
    if (rt.active)
        clock_random(out, n);
    else
        REAL(arc4random_buf)(out, n);
}

/* std::random_device: libstdc++ asks the processor. */
unsigned _ZNSt13random_device9_M_getvalEv(void *device);
RT_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void *device)
{
    PASSIVE(_ZNSt13random_device9_M_getvalEv, device);
    return (unsigned)clock_random_word();
}

unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void *device);
RT_EXPORT unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void *device)
{
    PASSIVE(_ZNSt13random_device16_M_getval_pretr1Ev, device);
    return (unsigned)clock_random_word();
}

RT_EXPORT int getrusage(__rusage_who_t who, struct rusage *out)
{
    PASSIVE(getrusage, who, out);
    strings_write(out, sizeof *out, RT_PC());
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    memset(out, 0, sizeof *out);
    out->ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    out->ru_maxrss = 1 << 14;
    return 0;
}

RT_EXPORT clock_t times(struct tms *out)
{
    PASSIVE(times, out);
    strings_write(out, out ? sizeof *out : 0, RT_PC());
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long per_second = sysconf(_SC_CLK_TCK);
    clock_t ticks = now.tv_sec * per_second + now.tv_nsec / (1000000000 / per_second);
    if (out)
        *out = (struct tms){.tms_utime = ticks};
    return ticks;
}

RT_EXPORT int sched_getcpu(void)
{
    PASSIVE(sched_getcpu);
    return 0;
}

RT_EXPORT int getcpu(unsigned *cpu, unsigned *node)
{
    PASSIVE(getcpu, cpu, node);
    if (cpu)
        *cpu = 0;
    if (node)
        *node = 0;
    return 0;
}

RT_EXPORT int sysinfo(struct sysinfo *out)
{
    PASSIVE(sysinfo, out);
    strings_write(out, sizeof *out, RT_PC());
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    *out = (struct sysinfo){.uptime = now.tv_sec, .totalram = 1ul << 32, .freeram = 1ul << 31,
                            .procs = 1, .mem_unit = 1};
    return 0;
}

RT_EXPORT int getloadavg(double *out, int n)
{
    PASSIVE(getloadavg, out, n);
    for (int i = 0; i < n && i < 3; i++)
        out[i] = 0;
    return n < 3 ? n : 3;
}

/* The sixteen bytes that the kernel leaves in each process. */
void pinned_begin(void)
{
    unsigned char *random = (unsigned char *)getauxval(AT_RANDOM);
    struct rng r;
    rng_seed(&r, rt.shared->config.inputs_seed);
    for (int i = 0; random && i < 16; i++)
        random[i] = (unsigned char)rng_next(&r);
}
