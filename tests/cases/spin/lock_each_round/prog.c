/* Two threads wait for each other in loops that look inside a critical section: who waits there
 * must not do so with the mutex that the other needs. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint a = 8, b = 6;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *dec_a(void *arg)
{
    while (a != b) {
        pthread_mutex_lock(&lock);
        if (a > b)
            a = a - b;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *dec_b(void *arg)
{
    while (a != b) {
        pthread_mutex_lock(&lock);
        if (b > a)
            b = b - a;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, dec_a, NULL);
    pthread_create(&t, NULL, dec_b, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return a != 2;
}
