/* Plain data next to an atomic object, in the same word: its race is noticed although the object is used by
 * atomics only. */
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_uint count;
    int value;
} cell;

static void *writes(void *unused)
{
    atomic_fetch_add_explicit(&cell.count, 1, memory_order_relaxed);
    cell.value++; /* RACE */
    return unused;
}

int main(void)
{
    pthread_t one, two;
    atomic_init(&cell.count, 0);
    pthread_create(&one, NULL, writes, NULL);
    pthread_create(&two, NULL, writes, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
