/* Readers and writers served by a selective wait; 3 readers, 2 writers. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_port start_read = RADDLE_PORT(int, RADDLE_FIFO), end_read = RADDLE_PORT(int, RADDLE_FIFO);
static raddle_port start_write = RADDLE_PORT(int, RADDLE_FIFO), end_write = RADDLE_PORT(int, RADDLE_FIFO);

static void *reader(void *arg)
{
    int message = 0;
    raddle_port_call(&start_read, &message);
    raddle_port_call(&end_read, &message);
    return NULL;
}

static void *writer(void *arg)
{
    int message = 0;
    raddle_port_call(&start_write, &message);
    raddle_port_call(&end_write, &message);
    return NULL;
}

static void *server(void *arg)
{
    int readers = 0, writers = 0, in;
    for (int i = 0; i < 10; i++) {
        struct raddle_alternative a[] = {{!writers, &start_read, &in},
                                         {1, &end_read, &in},
                                         {!readers && !writers, &start_write, &in},
                                         {1, &end_write, &in}};
        switch (raddle_select(a, 4, RADDLE_WAIT)) {
        case 0: readers++; break;
        case 1: readers--; break;
        case 2: writers++; break;
        default: writers--;
        }
        assert(writers == 0 || (writers == 1 && readers == 0));
    }
    return NULL;
}

int main(void)
{
    pthread_t t[6];
    pthread_create(&t[0], NULL, server, NULL);
    for (int i = 1; i < 6; i++)
        pthread_create(&t[i], NULL, i < 4 ? reader : writer, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return 0;
}
