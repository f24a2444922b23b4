/* Reaches one limit after the other: limits WORD. */
#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <raddle/sync.h>

static atomic_int x;

static void *increment(void *arg)
{
    for (long i = (long)arg; i > 0; i--)
        x++;
    return NULL;
}

static void spread(int threads, long steps)
{
    pthread_t t[64];
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, increment, (void *)steps);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
}

static void pauses(void)
{
    for (unsigned i = 0; i < UINT_MAX; i++)
        __builtin_ia32_pause();
}

/* A race at each of 80 places. */
static int racy[80];
#define TOUCH1(n) racy[n]++;
#define TOUCH10(n)                                                                                 \
    TOUCH1(n) TOUCH1(n + 1) TOUCH1(n + 2) TOUCH1(n + 3) TOUCH1(n + 4) TOUCH1(n + 5) TOUCH1(n + 6)  \
    TOUCH1(n + 7) TOUCH1(n + 8) TOUCH1(n + 9)

static void *touch(void *arg)
{
    TOUCH10(0) TOUCH10(10) TOUCH10(20) TOUCH10(30) TOUCH10(40) TOUCH10(50) TOUCH10(60) TOUCH10(70)
    return NULL;
}

static void races(void)
{
    pthread_t t;
    pthread_create(&t, NULL, touch, NULL);
    touch(NULL);
    pthread_join(t, NULL);
}

/* … and at each of 1200. */
static int racier[1200];
#define RACE1(n) racier[n]++;
#define RACE10(n)                                                                                  \
    RACE1(n) RACE1(n + 1) RACE1(n + 2) RACE1(n + 3) RACE1(n + 4) RACE1(n + 5) RACE1(n + 6)         \
    RACE1(n + 7) RACE1(n + 8) RACE1(n + 9)
#define RACE100(n)                                                                                 \
    RACE10(n) RACE10(n + 10) RACE10(n + 20) RACE10(n + 30) RACE10(n + 40) RACE10(n + 50)           \
    RACE10(n + 60) RACE10(n + 70) RACE10(n + 80) RACE10(n + 90)

static void *race(void *arg)
{
    RACE100(0) RACE100(100) RACE100(200) RACE100(300) RACE100(400) RACE100(500) RACE100(600)
    RACE100(700) RACE100(800) RACE100(900) RACE100(1000) RACE100(1100)
    return NULL;
}

static void lost(void)
{
    pthread_t t;
    pthread_create(&t, NULL, race, NULL);
    race(NULL);
    pthread_join(t, NULL);
}

static void quarantine(void)
{
    for (int i = 0; i < 20; i++) {
        volatile char *p = malloc(1 << 20);
        *p = 1;
        free((void *)p);
    }
}

static void objects(void)
{
    static pthread_mutex_t m[33000];
    for (int i = 0; i < 33000; i++)
        pthread_mutex_lock(&m[i]);
}

static void handler(void)
{
}

static void *nobody_home(void *arg)
{
    raddle_port *p = arg;
    int one = 1;
    for (int i = 0; i < 1100; i++)
        raddle_port_send(p, &one);
    return NULL;
}

static void messages(void)
{
    static raddle_port p = RADDLE_PORT(int, RADDLE_ASYNC);
    int one = 1;
    for (int i = 0; i < 70000; i++)
        raddle_port_send(&p, &one), raddle_port_receive(&p, &one);
}

static void candidates(void)
{
    static raddle_port p = RADDLE_PORT(int, RADDLE_ASYNC);
    pthread_t t;
    int got;
    pthread_create(&t, NULL, nobody_home, &p);
    pthread_join(t, NULL);
    raddle_port_receive(&p, &got);
}

/* A warning at each of 40 places. */
#define FORK10 fork(); fork(); fork(); fork(); fork(); fork(); fork(); fork(); fork(); fork();

static void warnings(void)
{
    FORK10 FORK10 FORK10 FORK10
}

static pthread_once_t once[20];
static int onces;

static void nest(void)
{
    if (onces < 20)
        pthread_once(&once[onces++], nest);
}

static void streams(void)
{
    for (int fd[2], i = 0; i < 70 && !pipe(fd); i++) {
        fclose(fdopen(fd[0], "r"));
        fclose(fdopen(fd[1], "w"));
    }
}

int __cxa_thread_atexit_impl(void (*f)(void *), void *object, void *module);
static void destroy(void *object)
{
}

static void fire(union sigval value)
{
    x++;
}

static void periods(void)
{
    timer_t t;
    struct itimerspec every = {{1, 0}, {1, 0}};
    timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_THREAD,
                                                     .sigev_notify_function = fire}, &t);
    timer_settime(t, 0, &every, NULL);
    sleep(10);
}

static void mappings(void)
{
    for (uintptr_t at = 0x300000000000; at < 0x300000000000 + 70 * 4096; at += 4096)
        mmap((void *)at, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* What else is open when the process can end. */
static void *for_ever(void *arg)
{
    for (;;)
        x++;
}

static void exiting(void)
{
    pthread_t t;
    pthread_create(&t, NULL, for_ever, NULL);
    exit(0);
}

/* It can be cancelled anywhere. */
static void *long_task(void *arg)
{
    static volatile char done[110];
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (size_t i = 0; i < sizeof done; i++)
        done[i] = 1;
    return arg;
}

static void cancelled(void)
{
    pthread_t t;
    pthread_create(&t, NULL, long_task, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
}

/* Everybody waits for the next one: two lines of why each. */
static pthread_mutex_t ring[24];

static void *hold(void *arg)
{
    long i = (long)arg;
    pthread_mutex_lock(&ring[i]);
    pthread_mutex_lock(&ring[(i + 1) % 24]);
    return NULL;
}

/* Two threads that know nothing of each other, each with a bug of its own. */
static void *fails(void *arg)
{
    static atomic_int mine[2];
    mine[(long)arg]++;
    assert(arg || !"first");
    assert(!arg || !"second");
    return NULL;
}

static void bugs(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, fails, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

static void deadlock(void)
{
    pthread_t t[24];
    for (long i = 0; i < 24; i++)
        pthread_create(&t[i], NULL, hold, (void *)i);
    for (int i = 0; i < 24; i++)
        pthread_join(t[i], NULL);
}

static void files(void)
{
    for (int i = 0; i < 1100; i++) {
        char name[32];
        snprintf(name, sizeof name, "files/f%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "steps"))
        spread(2, 200);
    else if (!strcmp(word, "threads"))
        spread(6, 1);
    else if (!strcmp(word, "wide"))
        spread(4, 3);
    else if (!strcmp(word, "races"))
        races();
    else if (!strcmp(word, "lost"))
        lost();
    else if (!strcmp(word, "quarantine"))
        quarantine();
    else if (!strcmp(word, "objects"))
        objects();
    else if (!strcmp(word, "heap"))
        free(malloc(8 << 20));
    else if (!strcmp(word, "pipes"))
        for (int fd[2], i = 0; i < 300 && !pipe(fd); i++)
            close(fd[0]), close(fd[1]);
    else if (!strcmp(word, "handlers"))
        for (int i = 0; i < 5000; i++)
            atexit(handler);
    else if (!strcmp(word, "timers"))
        for (int i = 0; i < 70; i++)
            timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &(timer_t){0});
    else if (!strcmp(word, "warnings"))
        warnings();
    else if (!strcmp(word, "pauses"))
        pauses();
    else if (!strcmp(word, "once"))
        nest();
    else if (!strcmp(word, "streams"))
        streams();
    else if (!strcmp(word, "locals"))
        for (int i = 0; i < 8200; i++)
            __cxa_thread_atexit_impl(destroy, NULL, NULL);
    else if (!strcmp(word, "periods"))
        periods();
    else if (!strcmp(word, "mappings"))
        mappings();
    else if (!strcmp(word, "mapped"))
        mmap(NULL, 17ull << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    else if (!strcmp(word, "arena"))
        free(malloc(1ull << 30)), free(malloc(3ull << 30));
    else if (!strcmp(word, "blocks"))
        for (int i = 0; i < 1 << 21; i++)
            (void)!malloc(1);
    else if (!strcmp(word, "exiting"))
        exiting();
    else if (!strcmp(word, "cancelled"))
        cancelled();
    else if (!strcmp(word, "deadlock"))
        deadlock();
    else if (!strcmp(word, "bugs"))
        bugs();
    else if (!strcmp(word, "files"))
        files();
    else if (!strcmp(word, "memory")) {
        static char *volatile all;
        for (size_t i = 0, n = 260u << 20; all || (all = malloc(n)), i < n; i += 4096)
            all[i] = 1;
    } else if (!strcmp(word, "messages"))
        messages();
    else if (!strcmp(word, "candidates"))
        candidates();
    else if (!strcmp(word, "semaphores"))
        for (int i = 0; i < 70; i++) {
            char name[16];
            snprintf(name, sizeof name, "/s%d", i);
            sem_open(name, O_CREAT, 0600, 1);
        }
    else if (!strcmp(word, "queues"))
        for (int i = 0; i < 300; i++) {
            char name[16];
            snprintf(name, sizeof name, "/q%d", i);
            mqd_t q = mq_open(name, O_CREAT | O_RDWR, 0600, NULL);
            mq_close(q);
        }
    return 0;
}
