/* The post of a binary semaphore blocks while its value is 1. */
#include <raddle/sync.h>

static raddle_binary b = RADDLE_BINARY(1);

static void *poster(void *arg)
{
    raddle_binary_post(&b);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, poster, NULL);
    raddle_binary_wait(&b);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
