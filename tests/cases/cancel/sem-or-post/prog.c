/* A thread that waits for a semaphore is cancelled while another one posts. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *waiter(void *arg)
{
    sem_wait(&s);
    return NULL;
}

static void *poster(void *arg)
{
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, poster, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
