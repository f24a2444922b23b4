#include <pthread.h>
#include <stddef.h>

/* The second join is of a thread that no longer exists: undefined. */
static void *work(void *arg)
{
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL); /* BUG */
    return 0;
}
