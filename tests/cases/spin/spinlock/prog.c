#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;
int x;

static void *work(void *arg)
{
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
