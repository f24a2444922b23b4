/* Two threads that yield and count their attempts in a common counter. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, attempts;

static void *setter(void *arg)
{
    flag = 1;
    return NULL;
}

static void *poller(void *arg)
{
    while (!flag) {
        attempts++;
        sched_yield();
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, poller, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_create(&c, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
