/* Dining philosophers who all take the left fork first. Their number is the argument. */
#include <raddle/sync.h>
#include <stdlib.h>

static raddle_semaphore fork_of[16];
static int n = 3;

static void *philosopher(void *arg)
{
    int i = (int)(long)arg;
    raddle_semaphore_wait(&fork_of[i]);
    raddle_semaphore_wait(&fork_of[(i + 1) % n]);
    raddle_semaphore_post(&fork_of[i]);
    raddle_semaphore_post(&fork_of[(i + 1) % n]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[16];
    if (argc > 1)
        n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        raddle_semaphore_init(&fork_of[i], 1);
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)(long)i);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
