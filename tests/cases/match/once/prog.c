/* Who comes after the initialisation finds the control as free as who comes before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int initialised, order;

static void init(void)
{
    initialised++;
}

static void *work(void *arg)
{
    pthread_once(&once, init);
    assert(initialised == 1);
    order = (int)(long)arg;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(order == EXPECTED); /* BUG */
}
