/* Disabled cancellation waits; enabled again it acts at the next point. Waits are points too. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t never;
static int reached, fds[2];

static void *disabled(void *arg)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_testcancel();
    reached = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    sem_wait(&never);
    return NULL;
}

static void *reader(void *arg)
{
    char c;
    read(fds[0], &c, 1);
    return NULL;
}

static void *joiner(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t, j;
    void *r;
    sem_init(&never, 0, 0);
    pipe(fds);
    pthread_create(&t, NULL, disabled, NULL);
    pthread_cancel(t);
    pthread_join(t, &r);
    assert(r == PTHREAD_CANCELED && reached);
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&j, NULL, joiner, &t);
    pthread_cancel(j);
    pthread_join(j, &r);
    assert(r == PTHREAD_CANCELED);
    pthread_cancel(t);
    pthread_join(t, &r);
    assert(r == PTHREAD_CANCELED);
    return 0;
}
