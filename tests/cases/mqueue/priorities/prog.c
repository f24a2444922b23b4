/* The oldest message of the highest priority comes first, whoever sent it; a receiver that takes the
 * first message for the urgent one is wrong when it comes early. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t q;

static void *urgent(void *arg)
{
    assert(mq_send(q, "u", 1, 7) == 0);
    return NULL;
}

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 8};
    pthread_t t;
    char text[8];
    unsigned priority;
    q = mq_open("/raddle-case-priorities", O_RDWR | O_CREAT | O_EXCL, 0600, &a);
    assert(mq_unlink("/raddle-case-priorities") == 0);
    assert(mq_send(q, "1", 1, 3) == 0 && mq_send(q, "2", 1, 3) == 0 && mq_send(q, "0", 1, 0) == 0);
    pthread_create(&t, NULL, urgent, NULL);
    assert(mq_receive(q, text, sizeof text, &priority) == 1);
    assert((text[0] == 'u' && priority == 7) || (text[0] == '1' && priority == 3));
    char first = text[0];
    assert(mq_receive(q, text, sizeof text, &priority) == 1 && text[0] != '0');
    assert(first != 'u' || text[0] == '1');
    pthread_join(t, NULL);
    assert(first == 'u'); /* WRONG */
    return 0;
}
