#include <pthread.h>

/* Never ends, with visible operations all the time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

int main(void)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_mutex_unlock(&lock);
    }
}
