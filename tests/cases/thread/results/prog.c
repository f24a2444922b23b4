#include <assert.h>
#include <pthread.h>

static void *twice(void *arg)
{
    return (void *)(2 * (long)arg);
}

int main(void)
{
    pthread_t t[5];
    for (long i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, twice, (void *)i);
    for (long i = 0; i < 5; i++) {
        void *result;
        pthread_join(t[i], &result);
        assert((long)result == 2 * i);
    }
    return 0;
}
