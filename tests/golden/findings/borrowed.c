#include <pthread.h>
static int *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *owner(void *p)
{
    int mine = 5;
    pthread_mutex_lock(&m);
    shared = &mine; /* CHANGE */
    pthread_mutex_unlock(&m);
    return NULL;
}
static void *user(void *p)
{
    pthread_mutex_lock(&m);
    if (shared)
        *shared = 6;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
