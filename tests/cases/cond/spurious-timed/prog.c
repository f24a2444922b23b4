/* A timed wait that does not time out need not have been signalled: with --spurious, and in C11 too. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static mtx_t m11;
static cnd_t c11;
static int ready;

static int wait_pthread(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&m);
    int status = ready ? 0 : pthread_cond_timedwait(&c, &m, &until);
    int seen = ready;
    pthread_mutex_unlock(&m);
    return status == 0 && !seen;
}

static int wait_clock(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_mutex_lock(&m);
    int status = ready ? 0 : pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until);
    int seen = ready;
    pthread_mutex_unlock(&m);
    return status == 0 && !seen;
}

static int wait_c11(void)
{
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec++;
    mtx_lock(&m11);
    int status = ready ? thrd_success : cnd_timedwait(&c11, &m11, &until);
    int seen = ready;
    mtx_unlock(&m11);
    return status == thrd_success && !seen;
}

static void *work(void *which)
{
    if (which == wait_c11) {
        mtx_lock(&m11);
        ready = 1;
        cnd_signal(&c11);
        mtx_unlock(&m11);
    } else {
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static int woken_for_nothing(int (*wait)(void))
{
    pthread_t t;
    ready = 0;
    pthread_create(&t, NULL, work, (void *)wait);
    int nothing = wait();
    pthread_join(t, NULL);
    return nothing;
}

int main(int argc, char **argv)
{
    mtx_init(&m11, mtx_plain);
    cnd_init(&c11);
    assert(!woken_for_nothing(argc == 1 ? wait_pthread : argc == 2 ? wait_clock : wait_c11)); /* BUG */
    return 0;
}
