/* A thread looks until two reads agree. A look that would have come to the same state a moment later is
 * left out by engines that see what that depends on; reach does not see it, and lost "saw 0" and the thread
 * that waits for ever. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy, value;
static int saw;

static void *reader(void *unused)
{
    while (value != 1 && busy != 0)
        ;
    int now = value, before;
    do {
        before = now;
        now = value;
    } while (now != before);
    saw = now;
    busy = 2;
    return unused;
}

static void *writer(void *unused)
{
    while (busy != 0) /* STUCK */
        ;
    value = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(saw == 1); /* SAW0 */
    return 0;
}
