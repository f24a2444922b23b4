/* Two messages wait in a port; which of them is received first is a choice that leaves no other trace. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_port port = RADDLE_PORT(int, RADDLE_ASYNC);

static void *sender(void *arg)
{
    int message = (int)(long)arg;
    raddle_port_send(&port, &message);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int first;
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, sender, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    raddle_port_receive(&port, &first);
    assert(first == 0); /* BUG */
    return 0;
}
