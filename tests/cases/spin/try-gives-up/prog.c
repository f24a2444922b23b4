/* Tries a lock in two loops, of which one can end otherwise: after three rounds, or (WHY 0) when somebody
 * says so. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int enough;
static int got;

static void *work(void *arg)
{
    int rounds = 0;
    while (pthread_mutex_trylock(&m))
        if (WHY ? ++rounds == 3 : enough)
            return NULL;
    got = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, work, NULL);
    enough = 1;
    pthread_mutex_unlock(&m);
    while (pthread_mutex_trylock(&m))
        ;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(got); // BUG
    return 0;
}
