/* What is read under the mutex is freed under it, and replaced later: a round between uses it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *data, stop, done = 1;

static void *polls(void *arg)
{
    for (int end = 0; !end;) {
        pthread_mutex_lock(&m);
        end = *data || stop;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *ends(void *arg)
{
    pthread_mutex_lock(&m);
    free(data);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    data = &done;
    stop = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    data = calloc(1, sizeof *data);
    pthread_create(&t[0], NULL, polls, NULL);
    pthread_create(&t[1], NULL, ends, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
