#include <pthread.h>

/* Two kinds of waiters on one condition, signal instead of broadcast: the wrong one may wake. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int turn;

static void wait_for(int wanted)
{
    pthread_mutex_lock(&m);
    while (turn != wanted)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
}

static void *first(void *arg)
{
    wait_for(1);
    return NULL;
}

static void *second(void *arg)
{
    wait_for(2);
    pthread_mutex_lock(&m);
    turn = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_mutex_lock(&m);
    turn = 2;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
