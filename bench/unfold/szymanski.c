/* Szymanski (table 8.1): his mutual exclusion for two threads, with waits that look at most A or B times
 * and then give up, and a critical section. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], inside;

static int became(int j, int low, int high, int looks)
{
    for (int k = 0; k < looks; k++) {
        int f = atomic_load(&flag[j]);
        if (f >= low && f <= high)
            return 1;
    }
    return 0;
}

static void *enter(void *arg)
{
    int i = (int)(long)arg, j = 1 - i;
    atomic_store(&flag[i], 1);
    if (!became(j, 0, 2, A))
        return NULL;
    atomic_store(&flag[i], 3);
    if (atomic_load(&flag[j]) == 1) {
        atomic_store(&flag[i], 2);
        if (!became(j, 4, 4, B))
            return NULL;
    }
    atomic_store(&flag[i], 4);
    if (i == 1 && !became(j, 0, 1, A))
        return NULL;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    if (i == 0 && !(became(j, 0, 1, B) || became(j, 4, 4, 1)))
        return NULL;
    atomic_store(&flag[i], 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < 2; i++)
        pthread_create(&t, NULL, enter, (void *)i);
    pthread_exit(NULL);
}
