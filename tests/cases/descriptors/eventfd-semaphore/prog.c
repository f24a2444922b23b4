/* An eventfd that counts as a semaphore does. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ev;

static void *taker(void *arg)
{
    uint64_t v = 0;
    assert(read(ev, &v, 8) == 8 && v == 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    eventfd_t v;
    ev = eventfd(0, EFD_SEMAPHORE);
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    assert(eventfd_write(ev, 3) == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(eventfd_read(ev, &v) == 0 && v == 1);
    close(ev);
    ev = eventfd(5, EFD_NONBLOCK);
    assert(eventfd_read(ev, &v) == 0 && v == 5);
    assert(eventfd_read(ev, &v) == -1 && errno == EAGAIN);
    return 0;
}
