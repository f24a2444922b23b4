/* A semaphore is initialised again, and nothing orders that after the post of another thread. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static atomic_int posted;
int x;

static void *post(void *arg)
{
    x = 1;
    sem_post(&s);
    atomic_store_explicit(&posted, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, post, NULL);
    if (atomic_load_explicit(&posted, memory_order_relaxed)) {
        sem_init(&s, 0, 0); // BUG
        sem_post(&s);
        sem_wait(&s);
        seen = x; /* … and nothing orders this */
    }
    pthread_join(t, NULL);
    return seen > 1;
}
