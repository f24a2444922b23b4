/* Thread-local variables that do not fit into what a thread has for them. */
#include <pthread.h>
#include <string.h>

static _Thread_local char large[60000];

static void *work(void *arg)
{
    memset(large, (int)(long)arg, sizeof large);
    return arg;
}

int main(void)
{
    pthread_t t;
    work(NULL);
    pthread_create(&t, NULL, work, (void *)1);
    pthread_join(t, NULL);
    return large[17];
}
