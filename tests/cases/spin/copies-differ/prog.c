/* Two looks, one after the other, that nearly do the same: after the second one the thread gives up. So what
 * the first one reads is a behaviour. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int x;
static int got;

static void *reader(void *arg)
{
    if (!x) {
        sched_yield();
        if (!x) {
            sched_yield();
            got = x ? 1 : 2;
            return NULL;
        }
        got = 3;
        return NULL;
    }
    got = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    x = 1;
    pthread_join(t, NULL);
    assert(got != WHICH);
    return 0;
}
