/* Waiting with a mutex is possible, too: for what others do without it; and it is a livelock if
 * they need it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *wait_inside(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (!flag)
            ;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_inside, NULL);
    if (argc > 1)
        pthread_mutex_lock(&lock);
    flag = 1;
    if (argc > 1)
        pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
