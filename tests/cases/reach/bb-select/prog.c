/* Bounded buffer with 2 slots, guarded by a server with a selective wait; 3 producers, 3 consumers. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_port deposit = RADDLE_PORT(int, RADDLE_FIFO), withdraw = RADDLE_PORT(int, RADDLE_FIFO);

static void *producer(void *arg)
{
    raddle_symmetric(1);
    int item = 1;
    raddle_port_call(&deposit, &item);
    return NULL;
}

static void *consumer(void *arg)
{
    raddle_symmetric(2);
    int wish = 0;
    raddle_port_call(&withdraw, &wish);
    return NULL;
}

static void *server(void *arg)
{
    int full = 0, in, out;
    for (int i = 0; i < 6; i++) {
        struct raddle_alternative a[] = {{full < 2, &deposit, &in}, {full > 0, &withdraw, &out}};
        full += raddle_select(a, 2, RADDLE_WAIT) == 0 ? 1 : -1;
        assert(full >= 0 && full <= 2);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[7];
    pthread_create(&t[0], NULL, server, NULL);
    for (int i = 1; i < 7; i++)
        pthread_create(&t[i], NULL, i < 4 ? producer : consumer, NULL);
    for (int i = 0; i < 7; i++)
        pthread_join(t[i], NULL);
    return 0;
}
