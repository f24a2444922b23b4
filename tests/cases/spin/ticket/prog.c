#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* A ticket lock, and an atomic_flag: test-and-set of a flag that is set changes nothing. */
static atomic_int next, serving;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int x, y;

static void *work(void *arg)
{
    int mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        continue;
    x++;
    atomic_fetch_add(&serving, 1);
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
        continue;
    y++;
    atomic_flag_clear_explicit(&flag, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x == 2 && y == 2);
    return 0;
}
