/* What is polled under the mutex lies on the stack of the one that polls: others change it all the same. */
#include <pthread.h>

struct work {
    pthread_mutex_t m;
    int ready;
};

static void *does(void *arg)
{
    struct work *w = arg;
    pthread_mutex_lock(&w->m);
    w->ready = 1;
    pthread_mutex_unlock(&w->m);
    return NULL;
}

int main(void)
{
    struct work w = {.m = PTHREAD_MUTEX_INITIALIZER};
    pthread_t t;
    pthread_create(&t, NULL, does, &w);
    for (int ready = 0; !ready;) {
        pthread_mutex_lock(&w.m);
        ready = w.ready;
        pthread_mutex_unlock(&w.m);
    }
    pthread_join(t, NULL);
    return 0;
}
