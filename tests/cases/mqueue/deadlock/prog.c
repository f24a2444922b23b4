/* Two threads that each send a request before they receive one, through queues with room for one: with
 * two requests each they can fill both queues. */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t q[2];

static void *peer(void *arg)
{
    int me = arg != NULL;
    char text[8];
    for (int i = 0; i < 2; i++)
        mq_send(q[!me], "x", 1, 0); /* FULL */
    for (int i = 0; i < 2; i++)
        mq_receive(q[me], text, sizeof text, NULL);
    return NULL;
}

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 8};
    pthread_t t;
    q[0] = mq_open("/raddle-case-left", O_RDWR | O_CREAT, 0600, &a);
    q[1] = mq_open("/raddle-case-right", O_RDWR | O_CREAT, 0600, &a);
    pthread_create(&t, NULL, peer, "");
    peer(NULL);
    pthread_join(t, NULL);
    return 0;
}
