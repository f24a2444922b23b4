/* A pool of two workers that copy jobs into a ring of 16 bytes, emptied by the second of them. How large
 * the jobs are is input. Whether there is room is looked at before the lock is taken again to copy: for two
 * jobs that fit one by one but not together, and only if both look before either copies, the ring overflows
 * into what lies behind it.
 *
 *     raddle cc --symbolic -g -o pool pool.c -pthread && raddle run ./pool */
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>

#define RING 16

struct ring {
    pthread_mutex_t lock;
    unsigned used;
    char *bytes; /* [RING] */
};

static struct ring ring = {.lock = PTHREAD_MUTEX_INITIALIZER};
static unsigned sizes[2];

static unsigned room(void)
{
    pthread_mutex_lock(&ring.lock);
    unsigned left = RING - ring.used;
    pthread_mutex_unlock(&ring.lock);
    return left;
}

static void append(unsigned size)
{
    pthread_mutex_lock(&ring.lock);
    for (unsigned i = 0; i < size; i++)
        ring.bytes[ring.used + i] = 'x'; /* overflows */
    ring.used += size;
    pthread_mutex_unlock(&ring.lock);
}

static void *worker(void *number)
{
    unsigned size = sizes[(long)number];
    if (size <= room())
        append(size);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    sizes[0] = raddle_input_uint("first", 1, 9);
    sizes[1] = raddle_input_uint("second", 1, 9);
    ring.bytes = malloc(RING);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(ring.bytes);
    return 0;
}
