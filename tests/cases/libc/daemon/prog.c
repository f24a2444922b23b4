/* daemon() makes a process and ends this one: it is not performed. */
#include <pthread.h>
#include <unistd.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    if (daemon(1, 1))
        return 1;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
