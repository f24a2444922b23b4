/* The wait can be served by the token that was there from the start, so the post orders nothing, also in
 * executions in which it comes first. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
int x;

static void *post(void *a)
{
    x = 1;
    sem_post(&s);
    return a;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, NULL, post, NULL);
    sem_wait(&s);
    int seen = x; // RACE
    pthread_join(t, NULL);
    return seen > 1;
}
