#include <assert.h>
#include <pthread.h>

#include <semaphore.h>

sem_t s;

static void *work(void *arg)
{
    int v = -1;
    sem_post(&s);
    sem_getvalue(&s, &v);
    assert(v == 1 || v == 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
