/* The thread that runs the routine is cancelled in it: another one runs it again. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, done;

static void routine(void)
{
    runs++;
    if (runs == 1) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    done = 1;
}

static void *work(void *arg)
{
    pthread_once(&once, routine);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, &r);
    assert(r == PTHREAD_CANCELED && !done);
    pthread_once(&once, routine);
    assert(done && runs == 2);
    return 0;
}
