/* What message queues refuse, and what their attributes say. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>

#define REFUSED(call, error) assert((errno = 0, (call) == -1) && errno == (error))

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8}, got, bad = {.mq_maxmsg = -1, .mq_msgsize = 8};
    struct timespec soon = {.tv_sec = 1}, wrong = {.tv_nsec = -1};
    char text[8], name[300] = "/";
    REFUSED(mq_open("no-slash", O_RDWR | O_CREAT, 0600, &a), EINVAL);
    REFUSED(mq_open("/two/slashes", O_RDWR | O_CREAT, 0600, &a), EACCES);
    memset(name + 1, 'x', sizeof name - 2);
    REFUSED(mq_open(name, O_RDWR | O_CREAT, 0600, &a), ENAMETOOLONG);
    REFUSED(mq_open("/raddle-case", O_RDWR), ENOENT);
    REFUSED(mq_open("/raddle-case", O_RDWR | O_CREAT, 0600, &bad), EINVAL);
    mqd_t q = mq_open("/raddle-case", O_RDWR | O_CREAT | O_EXCL, 0600, &a);
    assert(q >= 0);
    REFUSED(mq_open("/raddle-case", O_RDWR | O_CREAT | O_EXCL, 0600, &a), EEXIST);
    mqd_t r = mq_open("/raddle-case", O_RDONLY | O_NONBLOCK), w = mq_open("/raddle-case", O_WRONLY);
    REFUSED(mq_send(r, "x", 1, 0), EBADF);
    REFUSED(mq_receive(w, text, sizeof text, NULL), EBADF);
    REFUSED(mq_send(1000000, "x", 1, 0), EBADF);
    REFUSED(mq_send(q, "123456789", 9, 0), EMSGSIZE);
    REFUSED(mq_receive(q, text, 7, NULL), EMSGSIZE);
    REFUSED(mq_send(q, "x", 1, 32768), EINVAL);
    REFUSED(mq_timedreceive(q, text, sizeof text, NULL, &wrong), EINVAL);
    REFUSED(mq_receive(r, text, sizeof text, NULL), EAGAIN);
    REFUSED(mq_timedreceive(q, text, sizeof text, NULL, &soon), ETIMEDOUT);
    assert(mq_send(w, "12345678", 8, 1) == 0 && mq_send(w, "", 0, 2) == 0);
    REFUSED(mq_timedsend(w, "x", 1, 0, &soon), ETIMEDOUT);
    assert(mq_getattr(r, &got) == 0 && got.mq_flags == O_NONBLOCK && got.mq_maxmsg == 2 &&
           got.mq_msgsize == 8 && got.mq_curmsgs == 2);
    got.mq_flags = O_NONBLOCK;
    assert(mq_setattr(w, &got, &a) == 0 && a.mq_flags == 0);
    REFUSED(mq_send(w, "x", 1, 0), EAGAIN);
    got.mq_flags = 1;
    REFUSED(mq_setattr(w, &got, NULL), EINVAL);
    assert(mq_receive(q, text, sizeof text, NULL) == 0);
    assert(mq_receive(q, text, sizeof text, NULL) == 8 && !memcmp(text, "12345678", 8));
    assert(mq_unlink("/raddle-case") == 0);
    REFUSED(mq_unlink("/raddle-case"), ENOENT);
    assert(mq_send(q, "x", 1, 0) == 0); /* goes on until it is closed */
    assert(mq_close(q) == 0 && mq_close(r) == 0 && mq_close(w) == 0);
    REFUSED(mq_close(q), EBADF);
    return 0;
}
