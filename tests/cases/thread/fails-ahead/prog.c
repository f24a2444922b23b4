/* Main fails either way, and worse if the other thread was faster. When main is first, what the other
 * would have done after its next step must be seen all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int begun, done;

static void *work(void *arg)
{
    begun = 1;
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    if (done)
        abort(); /* BUG */
    assert(!"not done");
}
