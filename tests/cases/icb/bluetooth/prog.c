/* After the Bluetooth driver of PLDI 2007 (and KISS, PLDI 2004): a device is stopped while worker
 * threads perform operations on it. The driver may be stopped only when no operation is under way;
 * pending_io counts them, plus one for the driver itself. The mistake: whether the driver is stopping
 * is looked at before the operation is counted. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static struct {
    atomic_int pending_io;
    atomic_int stopping;
    atomic_int stopped;
    sem_t stop_event;
} device;

static void io_decrement(void)
{
    if (atomic_fetch_sub(&device.pending_io, 1) == 1)
        sem_post(&device.stop_event);
}

static int io_increment(void)
{
#ifdef FIXED
    atomic_fetch_add(&device.pending_io, 1);
    if (!device.stopping)
        return 0;
    io_decrement();
    return -1;
#else
    if (device.stopping)
        return -1;
    atomic_fetch_add(&device.pending_io, 1);
    return 0;
#endif
}

static void *worker(void *arg)
{
    if (io_increment() == 0) {
        assert(!device.stopped); // BUG
        io_decrement();
    }
    return NULL;
}

static void *stopper(void *arg)
{
    device.stopping = 1;
    io_decrement();
    sem_wait(&device.stop_event);
    device.stopped = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    device.pending_io = 1;
    sem_init(&device.stop_event, 0, 0);
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, worker, NULL);
    pthread_create(&t[2], NULL, stopper, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
