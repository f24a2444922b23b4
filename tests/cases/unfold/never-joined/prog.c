/* Main waits for a thread that does not end in any execution: it is known for what it waits all the same. */
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *takes(void *arg)
{
    sem_wait(&tokens);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&tokens, 0, 1);
    pthread_create(&a, NULL, takes, NULL);
    pthread_create(&b, NULL, takes, NULL);
    sem_wait(&tokens);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
