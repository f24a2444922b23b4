/* A notification by signal comes once, for the message that finds the queue empty; it can come before
 * anybody has asked, and then there is none. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>

static mqd_t q;
static volatile sig_atomic_t told;

static void handler(int sig, siginfo_t *info, void *context)
{
    assert(info->si_value.sival_int == 42);
    told++;
}

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 8};
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1,
                         .sigev_value.sival_int = 42};
    char text[8];
    sigaction(SIGUSR1, &action, NULL);
    q = mq_open("/raddle-case-notify", O_RDWR | O_CREAT, 0600, &a);
    assert(mq_notify(q, &e) == 0);
    assert(mq_notify(q, &e) == -1 && errno == EBUSY);
    mq_send(q, "x", 1, 0);
    assert(told == 1);
    mq_send(q, "x", 1, 0); /* nobody asked for this one */
    assert(mq_notify(q, &e) == 0);
    mq_send(q, "x", 1, 0); /* nor does it find the queue empty */
    assert(told == 1);
    for (int i = 0; i < 3; i++)
        mq_receive(q, text, sizeof text, NULL);
    mq_send(q, "x", 1, 0);
    assert(told == 2);
    mq_unlink("/raddle-case-notify");
    mq_close(q);
    return 0;
}
