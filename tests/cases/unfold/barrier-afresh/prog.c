/* A barrier for two becomes one for three; somebody looks who was last. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int last;

static void *meet(void *who)
{
    if (pthread_barrier_wait(&b))
        last = *(int *)who;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int names[3] = {1, 2, 3};
    for (int n = 2; n <= 3; n++) {
        pthread_barrier_init(&b, NULL, (unsigned)n);
        for (int i = 0; i < n; i++)
            pthread_create(&t[i], NULL, meet, &names[i]);
        for (int i = 0; i < n; i++)
            pthread_join(t[i], NULL);
        pthread_barrier_destroy(&b);
    }
    assert(last != 1);
    return 0;
}
