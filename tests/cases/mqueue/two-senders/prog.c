/* Two senders, one receiver, room for two: every order of sending and receiving that the room allows. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t q;
static int prepared[2]; /* ordered by the message */

static void *sender(void *arg)
{
    char c = *(char *)arg;
    prepared[c == 'b'] = 1;
    assert(mq_send(q, &c, 1, 0) == 0);
    if (c == 'a')
        assert(mq_send(q, &c, 1, 0) == 0);
    return NULL;
}

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
    pthread_t t[2];
    char text[8];
    q = mq_open("/raddle-case-two", O_RDWR | O_CREAT | O_EXCL, 0600, &a);
    assert(q >= 0 && mq_unlink("/raddle-case-two") == 0);
    pthread_create(&t[0], NULL, sender, "a");
    pthread_create(&t[1], NULL, sender, "b");
    for (int i = 0; i < 3; i++) {
        assert(mq_receive(q, text, sizeof text, NULL) == 1);
        assert(prepared[text[0] == 'b'] == 1);
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
