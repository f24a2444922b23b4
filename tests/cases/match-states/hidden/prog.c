/* What a thread can ask for and does not have of its own: it fails in every fourth round only. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROUNDS 4
static atomic_int other;

#if defined FLOATS
static const int modes[ROUNDS] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static int get(void)
{
    int n = 0;
    while (modes[n] != fegetround())
        n++;
    return n;
}
static void set(int n)
{
    fesetround(modes[n]);
}
#elif defined LIMITS
static int get(void)
{
    struct rlimit r;
    getrlimit(RLIMIT_CORE, &r);
    return (int)r.rlim_cur % ROUNDS;
}
static void set(int n)
{
    struct rlimit r;
    getrlimit(RLIMIT_CORE, &r);
    r.rlim_cur = (rlim_t)n;
    setrlimit(RLIMIT_CORE, &r);
}
#elif defined DESCRIPTORS
static int get(void)
{
    return (fcntl(20, F_GETFD) >= 0) + (fcntl(21, F_GETFD) >= 0) + (fcntl(22, F_GETFD) >= 0);
}
static void set(int n)
{
    for (int i = 0; i < 3; i++)
        i < n ? dup2(0, 20 + i) : close(20 + i);
}
#elif defined POSITION
static int get(void)
{
    return (int)lseek(STDIN_FILENO, 0, SEEK_CUR);
}
static void set(int n)
{
    lseek(STDIN_FILENO, n, SEEK_SET);
}
#elif defined SLACK
static int get(void)
{
    return prctl(PR_GET_TIMERSLACK) % ROUNDS;
}
static void set(int n)
{
    prctl(PR_SET_TIMERSLACK, 1000 * ROUNDS + n);
}
#elif defined UNSEEN
static int *state;
#define UNSEEN_CODE __attribute__((noinline, no_sanitize("thread")))
UNSEEN_CODE static int get(void)
{
    return *state;
}
UNSEEN_CODE static void set(int n)
{
    *state = n;
}
#elif defined STREAM
static int get(void)
{
    return ferror(stdout) ? ROUNDS - 1 : 0;
}
static void set(int n)
{
    n ? (void)fgetc(stdout) : clearerr(stdout);
}
#elif defined ALARM
static int get(void)
{
    unsigned left = alarm(0);
    alarm(left);
    return (int)left % ROUNDS;
}
static void set(int n)
{
    alarm(100 + (unsigned)n);
}
#elif defined NAME
static int get(void)
{
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    return name[0] - '0';
}
static void set(int n)
{
    pthread_setname_np(pthread_self(), (char[]){(char)('0' + n), 0});
}
#endif

__attribute__((noinline)) static void step(void)
{
    set((get() + 1) % ROUNDS);
}

static void *worker(void *arg)
{
    set(0);
    for (;;) {
        step();
        int seen = atomic_load(&other);
        assert(!(seen == 1 && get() == ROUNDS - 1)); /* BUG */
    }
}

static void *count(void *arg)
{
    for (int i = 0;; i = (i + 1) % 12)
        atomic_store(&other, i);
}

int main(void)
{
    pthread_t t[2];
#ifdef UNSEEN
    static int small, large[1 << 20];
    volatile int local = 0;
    void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *places[] = {&small, &large[1 << 19], (int *)&local, malloc(sizeof(int)), mapped};
    state = places[UNSEEN];
    *state = 0;
#endif
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, count, NULL);
    pthread_join(t[0], NULL);
}
