/* A thread that waits for a message is asked to end while one is sent. What it does not receive is still
 * there. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t q;

static void *receives(void *arg)
{
    char text[8];
    assert(mq_receive(q, text, sizeof text, NULL) == 1);
    return NULL;
}

static void *sends(void *arg)
{
    assert(mq_send(q, "x", 1, 0) == 0);
    return NULL;
}

int main(void)
{
    struct mq_attr attr = {.mq_maxmsg = 2, .mq_msgsize = 8};
    pthread_t r, s;
    void *result;
    q = mq_open("/raddle-asked", O_CREAT | O_RDWR, 0600, &attr);
    pthread_create(&r, NULL, receives, NULL);
    pthread_create(&s, NULL, sends, NULL);
    pthread_cancel(r);
    pthread_join(s, NULL);
    pthread_join(r, &result);
    mq_getattr(q, &attr);
    assert(attr.mq_curmsgs == (result == PTHREAD_CANCELED));
    mq_unlink("/raddle-asked");
    return 0;
}
