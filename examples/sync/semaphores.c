/* Counting semaphores, a lock and a binary semaphore: two clerks serve three customers at two counters;
 * the last one to leave rings the bell, which somebody must have heard before it can ring again. */
#include <raddle/sync.h>

#include <assert.h>
#include <stddef.h>

static raddle_semaphore counters = RADDLE_SEMAPHORE(2);
static raddle_lock book = RADDLE_LOCK;
static raddle_binary bell = RADDLE_BINARY(0);
static int inside, served;

static void *customer(void *arg)
{
    raddle_symmetric(1);
    raddle_semaphore_wait(&counters);
    raddle_lock_take(&book);
    assert(++inside <= 2);
    raddle_lock_release(&book);
    raddle_lock_take(&book);
    inside--;
    int last = ++served == 3;
    raddle_lock_release(&book);
    raddle_semaphore_post(&counters);
    if (last)
        raddle_binary_post(&bell);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, customer, NULL);
    raddle_binary_wait(&bell);
    raddle_lock_take(&book);
    assert(served == 3 && inside == 0);
    raddle_lock_release(&book);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(raddle_semaphore_try(&counters) && raddle_semaphore_try(&counters) &&
           !raddle_semaphore_try(&counters));
    return 0;
}
