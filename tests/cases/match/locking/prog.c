/* Six threads take one lock twice each: 12! / 2^6 traces. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int inside;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        inside = 1;
        inside = 0;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        pthread_t t;
        pthread_create(&t, NULL, work, NULL);
    }
    pthread_exit(NULL);
}
