/* queues CAPACITY OPERATIONS…: one thread for each word of operations on message queues 0 and 1:
 *   s S   send with priority 0, 1        r   receive           t u   the same without blocking: receive,
 *   T U   with a timeout: receive, send  l   look at the attributes   send
 * A digit chooses the queue of the operations that follow. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static mqd_t waiting[2], trying[2];

static void operate(char op, int k)
{
    char text[4] = {op};
    struct timespec soon = {.tv_sec = 1};
    struct mq_attr a;
    switch (op) {
    case 's':
    case 'S':
        assert(mq_send(waiting[k], text, 1, op == 'S') == 0);
        break;
    case 'r':
        assert(mq_receive(waiting[k], text, sizeof text, NULL) == 1);
        break;
    case 't':
        assert(mq_receive(trying[k], text, sizeof text, NULL) == 1 || errno == EAGAIN);
        break;
    case 'u':
        assert(mq_send(trying[k], text, 1, 0) == 0 || errno == EAGAIN);
        break;
    case 'T':
        assert(mq_timedreceive(waiting[k], text, sizeof text, NULL, &soon) == 1 || errno == ETIMEDOUT);
        break;
    case 'U':
        assert(mq_timedsend(waiting[k], text, 1, 0, &soon) == 0 || errno == ETIMEDOUT);
        break;
    case 'l':
        assert(mq_getattr(waiting[k], &a) == 0);
        break;
    }
}

static void *work(void *arg)
{
    int k = 0;
    for (const char *p = arg; *p; p++)
        if (*p == '0' || *p == '1')
            k = *p - '0';
        else
            operate(*p, k);
    return NULL;
}

int main(int argc, char **argv)
{
    struct mq_attr a = {.mq_maxmsg = atoi(argv[1]), .mq_msgsize = 4};
    pthread_t t[8];
    for (int k = 0; k < 2; k++) {
        char name[] = "/raddle-queues-0";
        name[sizeof name - 2] = (char)('0' + k);
        waiting[k] = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &a);
        trying[k] = mq_open(name, O_RDWR | O_NONBLOCK);
        assert(waiting[k] >= 0 && trying[k] >= 0 && mq_unlink(name) == 0);
    }
    for (int i = 2; i < argc; i++)
        pthread_create(&t[i - 2], NULL, work, argv[i]);
    for (int i = 2; i < argc; i++)
        pthread_join(t[i - 2], NULL);
    return 0;
}
