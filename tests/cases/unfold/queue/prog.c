/* Two producers and a consumer of a message queue that holds one message. Whose comes first is not said. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdlib.h>

static mqd_t q;

static void *produce(void *arg)
{
    char c = *(const char *)arg;
    if (mq_send(q, &c, 1, c == 'a'))
        abort();
    return NULL;
}

static void *consume(void *arg)
{
    char got[8];
    if (mq_receive(q, got, sizeof got, NULL) != 1)
        abort();
    assert(!FIRST || got[0] == FIRST); /* BUG */
    return arg;
}

int main(void)
{
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 8};
    pthread_t a, b, c;
    q = mq_open("/raddle-unfold-queue", O_CREAT | O_RDWR, 0600, &attr);
    if (q == (mqd_t)-1)
        abort();
    pthread_create(&a, NULL, produce, "a");
    pthread_create(&b, NULL, produce, "b");
    pthread_create(&c, NULL, consume, NULL);
    pthread_exit(NULL);
}
