#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m); /* BUG */
    return 0;
}
