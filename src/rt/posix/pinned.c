/* What would differ from run to run and has nothing to do with the schedule: random numbers that the C and
 * C++ libraries draw by themselves, times and memory used, the processor a thread is on, how busy
 * the machine is, how much room is left on its disks. Random numbers come of the seed, times of the virtual
 * clock, the rest is always the same. */
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
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define FREE_RAM (1ul << 31)

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

/* The header warns of it. */
RT_EXPORT int wall_ftime(struct timeb *out) __asm__("ftime");
int wall_ftime(struct timeb *out)
{
    if (!rt.active)
        return ((int (*)(struct timeb *))rt_real("ftime"))(out);
    strings_write(out, sizeof *out, RT_PC());
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
    return 0;
}

RT_EXPORT long sysconf(int name)
{
    PASSIVE(sysconf, name);
    return name == _SC_AVPHYS_PAGES ? (long)FREE_RAM / REAL(sysconf)(_SC_PAGESIZE) : REAL(sysconf)(name);
}

RT_EXPORT long get_avphys_pages(void)
{
    PASSIVE(get_avphys_pages);
    return sysconf(_SC_AVPHYS_PAGES);
}

/* Half of it is free. */
#define ROOM(name, available, parameters, ...)                                                         \
    RT_EXPORT int name parameters                                                                  \
    {                                                                                              \
        PASSIVE(name, __VA_ARGS__);                                                                \
        strings_write(out, sizeof *out, RT_PC());                                                  \
        int failed = REAL(name)(__VA_ARGS__);                                                      \
        if (!failed) {                                                                             \
            out->f_bfree = out->f_bavail = out->f_blocks / 2;                                      \
            out->f_ffree = out->f_files / 2;                                                       \
            available;                                                                             \
        }                                                                                          \
        return failed;                                                                             \
    }
ROOM(statfs, , (const char *path, struct statfs *out), path, out)
ROOM(fstatfs, , (int fd, struct statfs *out), fd, out)
ROOM(statvfs, out->f_favail = out->f_ffree,
     (const char *restrict path, struct statvfs *restrict out), path, out)
ROOM(fstatvfs, out->f_favail = out->f_ffree, (int fd, struct statvfs *out), fd, out)

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
    *out = (struct sysinfo){.uptime = now.tv_sec, .totalram = 1ul << 32, .freeram = FREE_RAM,
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

/* When this process began: what has a later time was changed since then. */
static struct timespec began;

void pinned_time(struct timespec *t)
{
    if (rt.active && (t->tv_sec > began.tv_sec || (t->tv_sec == began.tv_sec && t->tv_nsec >= began.tv_nsec)))
        *t = (struct timespec){.tv_sec = clock_epoch()};
}

/* The sixteen bytes that the kernel leaves in each process. */
void pinned_begin(void)
{
    unsigned char *random = (unsigned char *)getauxval(AT_RANDOM);
    struct rng r;
    syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &began);
    rng_seed(&r, rt.shared->config.inputs_seed);
    for (int i = 0; random && i < 16; i++)
        random[i] = (unsigned char)rng_next(&r);
}
