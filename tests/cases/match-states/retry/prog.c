/* Work that is tried again until it succeeds, without end, and a server that takes requests. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state; /* 0 free, 1 asked, 2 answered */

static void *client(void *arg)
{
    for (;;) {
        int free = 0;
        while (!atomic_compare_exchange_weak(&state, &free, 1))
            free = 0;
        while (atomic_load(&state) != 2)
            ;
        atomic_store(&state, 0);
    }
}

static void *server(void *arg)
{
    for (;;) {
        int asked = 1;
        if (atomic_compare_exchange_strong(&state, &asked, 2))
            assert(asked == 1);
    }
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, client, NULL);
    pthread_create(&t[2], NULL, server, NULL);
    pthread_join(t[2], NULL);
}
