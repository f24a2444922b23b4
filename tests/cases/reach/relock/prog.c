/* A recursive mutex is open to its holder: that the attempt comes after both unlocks must be found from
 * sequences in which it stands between the first lock and the second. */
#define _GNU_SOURCE
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int done;

static void *twice(void *a)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, twice, NULL);
    if (pthread_mutex_trylock(&m) == 0) {
        raddle_assert(!done); // BUG
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    return 0;
}
