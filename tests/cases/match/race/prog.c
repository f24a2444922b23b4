/* The race needs thread b to take the lock first; the execution that is run first does not show it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data, ready;

static void *a(void *arg)
{
    data = 1; /* BUG */
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *b(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    data = 2;
    return NULL;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, a, NULL);
    pthread_create(&t, NULL, b, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
}
