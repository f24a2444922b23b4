/* A waiter is signalled, and then asked to end. Before it has the mutex again another
 * thread takes it; the waiter may have woken up before it was asked. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int step;
static atomic_int asked;

static void unlock(void *a)
{
    pthread_mutex_unlock(&m);
}

static void *waits(void *a)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    step = 1;
    pthread_cond_wait(&c, &m);
    raddle_assert(step != 2 || asked); /* BUG */
    pthread_cleanup_pop(1);
    return a;
}

static void *overtakes(void *a)
{
    pthread_mutex_lock(&m);
    step = 2 * (step == 1);
    pthread_mutex_unlock(&m);
    return a;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, waits, 0);
    pthread_create(&t[1], 0, overtakes, 0);
    pthread_cond_signal(&c);
    asked = 1;
    pthread_cancel(t[0]);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
