/* What a thread writes depends on something that is not seen: by what it has done and seen it would be the
 * same. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int numbers[2], sum;
static int last;

__attribute__((no_sanitize("thread"), noinline)) static int next_number(void)
{
    return ++last;
}

static void *work(void *arg)
{
    atomic_store(&numbers[arg != NULL], 0);
    atomic_store(&numbers[arg != NULL], next_number());
    atomic_fetch_add(&sum, 1); /* of which all orders are executed */
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    atomic_load(&numbers[0]);
    atomic_load(&numbers[1]);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
