/* A post and a look at the semaphore's value, and what another thread sees of their order: to the
 * P/V reduction posts are alike, but not to who looks. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int value;

static void *look(void *unused)
{
    sem_getvalue(&s, &value);
    return unused;
}

static void *post(void *unused)
{
    sem_post(&s);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, post, 0);
    int ended = pthread_tryjoin_np(a, 0) == 0;
    if (!ended)
        pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(ended && value == 2)); /* BUG */
}
