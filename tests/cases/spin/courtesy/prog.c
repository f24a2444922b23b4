/* Each gives way to the other for ever: a cycle in which both keep changing things. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants[2];
static int count;
static void *work(void *a)
{
    int me = (int)(long)a;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[1 - me])) {
        atomic_store(&wants[me], 0);
        atomic_store(&wants[me], 1);
    }
    count++;
    atomic_store(&wants[me], 0);
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
