/* Threads that are alike but for the address of a variable, which names them: both orders of names. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *names[2];
static int count;

static void *enter(void *arg)
{
    char name;
    pthread_mutex_lock(&m);
    names[count++] = &name;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, enter, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(ABOVE ? names[0] > names[1] : names[0] < names[1]); /* BUG */
    return 0;
}
