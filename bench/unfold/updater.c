/* Updater (tables 8.1 and 8.2), our design after its description: two threads update two numbers, each
 * under its lock, by amounts that are chosen; main moves between them and takes both locks, with
 * SWAPPED in the other order than the threads: then it can deadlock. */
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

pthread_mutex_t x_lock = PTHREAD_MUTEX_INITIALIZER, y_lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y;

static void *update(void *arg)
{
    int amount = raddle_choose(2) ? 105 : 50;
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&x_lock);
        atomic_fetch_add(&x, amount);
        pthread_mutex_lock(&y_lock);
        atomic_store(&y, amount);
        pthread_mutex_unlock(&y_lock);
        pthread_mutex_unlock(&x_lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, update, NULL);
    pthread_create(&t, NULL, update, NULL);
    pthread_mutex_lock(SWAPPED ? &y_lock : &x_lock);
    pthread_mutex_lock(SWAPPED ? &x_lock : &y_lock);
    atomic_store(&x, atomic_load(&x) + atomic_load(&y));
    atomic_store(&y, 0);
    pthread_mutex_unlock(&y_lock);
    pthread_mutex_unlock(&x_lock);
    pthread_exit(NULL);
}
