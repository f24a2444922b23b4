/* pthread_tryjoin_np, timedjoin_np: the thread may have ended or not. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *work(void *arg)
{
    return (void *)7;
}

int main(void)
{
    pthread_t t;
    void *r = NULL;
    struct timespec soon;
    pthread_create(&t, NULL, work, NULL);
    int s = pthread_tryjoin_np(t, &r);
    assert(s == 0 || s == EBUSY);
    if (s == EBUSY) {
        clock_gettime(CLOCK_REALTIME, &soon);
        s = pthread_timedjoin_np(t, &r, &soon);
        assert(s == 0 || s == ETIMEDOUT);
    }
#ifdef WRONG
    assert(s == 0); /* BUG */
#endif
    if (s)
        assert(pthread_join(t, &r) == 0);
    assert(r == (void *)7);
    return 0;
}
