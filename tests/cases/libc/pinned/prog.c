/* What differs from run to run elsewhere does not here: the operations that follow from it are the same in
 * every execution. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <unistd.h>

uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t limit);
void arc4random_buf(void *out, size_t n);

static atomic_int even, odd;

static void depend_on(unsigned x)
{
    for (int i = 0; i < 8; i++)
        (x >> i & 1) ? odd++ : even++;
}

static void *other(void *arg)
{
    even++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct rusage u, v;
    unsigned bytes, cpu = 0;
    depend_on(arc4random());
    depend_on(arc4random_uniform(200));
    arc4random_buf(&bytes, sizeof bytes);
    depend_on(bytes);
    for (volatile int i = 0; i < 100000; i++)
        ;
    getrusage(RUSAGE_SELF, &u);
    syscall(SYS_getrusage, RUSAGE_SELF, &v);
    depend_on((unsigned)(u.ru_utime.tv_usec + u.ru_minflt + v.ru_stime.tv_usec + v.ru_maxrss));
    struct tms now;
    depend_on((unsigned)times(&now) + (unsigned)now.tms_utime);
    getcpu(&cpu, NULL);
    depend_on(cpu + (unsigned)sched_getcpu());
    struct sysinfo s, r;
    double load[3];
    sysinfo(&s);
    syscall(SYS_sysinfo, &r);
    getloadavg(load, 3);
    unsigned system = (unsigned)(s.uptime + s.freeram + r.freeram + s.procs + s.loads[0]);
    depend_on(system + (unsigned)(load[0] * 100));
    depend_on(*(unsigned *)getauxval(AT_RANDOM));
    depend_on(((unsigned *)getauxval(AT_RANDOM))[3]);
    pthread_create(&t, NULL, other, NULL);
    depend_on(2);
    pthread_join(t, NULL);
    return 0;
}
