/* The order of two locks depends on an input. The net alone has a deadlock, of one thread's order for one
 * input and the other's for another: only with TWO inputs is there one. */
#include <raddle.h>

#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int order[2];

static void *work(void *arg)
{
    int first = order[(long)arg] > 5;
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[!first]);
    pthread_mutex_unlock(&lock[!first]);
    pthread_mutex_unlock(&lock[first]);
    return arg;
}

int main(void)
{
    pthread_t t;
    order[0] = order[1] = raddle_input_int("order", 0, 10);
#ifdef TWO
    order[1] = raddle_input_int("other", 0, 10);
#endif
    for (long i = 0; i < 2; i++)
        pthread_create(&t, 0, work, (void *)i);
    pthread_exit(0);
}
