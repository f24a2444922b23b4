/* Lamport's one-bit lock: the second thread steps back until the first one, which enters again and
 * again, is out. A round of the first leaves everything as it was, and the second waits for what holds
 * within it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants, steps_back, inside, stop;

static void *again_and_again(void *arg)
{
    while (!stop) {
        wants = 1;
        while (steps_back)
            ;
        inside = 1;
        wants = 0;
    }
    return arg;
}

static void *once(void *arg)
{
    steps_back = 1;
    while (wants) {
        steps_back = 0;
        while (wants)
            ;
        steps_back = 1;
    }
    inside = 2;
    assert(inside == 2);
    steps_back = 0;
    stop = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, again_and_again, 0);
    pthread_create(&t[1], 0, once, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
