/* A loop tries a mutex and looks at a variable of half a word, and its thread is seen to wait for a
 * change of either (without optimization its rounds are not left out). Another thread that only reads
 * the variable does not depend on the wait: what comes after its read can come before the wait. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int told;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *polls(void *arg)
{
    int end = 0;
    while (pthread_mutex_trylock(&m) && !(end = told == 2))
        sched_yield();
    if (!end)
        pthread_mutex_unlock(&m);
    return arg;
}

static void *tries_and_polls(void *arg)
{
    if (!pthread_mutex_trylock(&m))
        pthread_mutex_unlock(&m);
    return polls(arg);
}

int main(void)
{
    void *(*f[])(void *) = {locks, polls, tries_and_polls};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, f[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
