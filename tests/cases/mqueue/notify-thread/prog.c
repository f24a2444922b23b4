/* A thread is started for the message; it may run before or after main has looked at what it writes. */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int got;

static void arrived(union sigval v)
{
    char text[8];
    assert(mq_receive(*(mqd_t *)v.sival_ptr, text, sizeof text, NULL) == 1);
    got = 1;
}

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 8};
    mqd_t q = mq_open("/raddle-case-thread", O_RDWR | O_CREAT, 0600, &a);
    struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = arrived,
                         .sigev_value.sival_ptr = &q};
    mq_unlink("/raddle-case-thread");
    assert(mq_notify(q, &e) == 0);
    mq_send(q, "x", 1, 0);
    assert(got == 1); /* EARLY */
    return 0;
}
