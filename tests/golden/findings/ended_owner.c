#include <pthread.h>
#include <sched.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static volatile int go;
static void *left(void *p)
{
    for (;;) {
        pthread_mutex_lock(&a);
        if (pthread_mutex_trylock(&b) == 0)
            break;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}
static void *right(void *p)
{
    for (;;) {
        pthread_mutex_lock(&b);
        if (pthread_mutex_trylock(&a) == 0) /* CHANGE */
            break;
        pthread_mutex_unlock(&b);
    }
    return NULL;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, left, NULL);
    pthread_create(&u, NULL, right, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
