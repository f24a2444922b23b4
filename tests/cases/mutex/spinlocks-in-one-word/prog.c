/* Two spinlocks of four bytes share an eight-byte word. They are taken in opposite order, the second of
 * main by trylock, which gets it only if the other thread has not come yet; then each waits for the other. */
#include <pthread.h>

static pthread_spinlock_t q[2] __attribute__((aligned(8)));

static void *other(void *arg)
{
    pthread_spin_lock(&q[1]);
    pthread_spin_lock(&q[0]);
    pthread_spin_unlock(&q[0]);
    pthread_spin_unlock(&q[1]);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&q[0], 0);
    pthread_spin_init(&q[1], 0);
    pthread_create(&t, NULL, other, NULL);
    pthread_spin_lock(&q[0]);
    if (pthread_spin_trylock(&q[1]) == 0)
        pthread_spin_unlock(&q[1]);
    else
        pthread_spin_lock(&q[1]);
    pthread_spin_unlock(&q[0]);
    pthread_join(t, NULL);
    return 0;
}
