/* Polling a queue is Linux's own and not modelled: said, not ignored. */
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stddef.h>

int main(void)
{
    mqd_t q = mq_open("/raddle-case-poll", O_RDWR | O_CREAT, 0600, NULL);
    struct pollfd p = {.fd = q, .events = POLLIN};
    return poll(&p, 1, 0);
}
