#include <pthread.h>

/* The main thread, whose number is 0, holds it itself. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m); /* BUG */
    return 0;
}
