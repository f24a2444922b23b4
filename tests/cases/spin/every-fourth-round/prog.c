/* A loop that comes back to its state in every fourth round only, and waits for what nobody does. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static int look(void)
{
    pthread_mutex_lock(&lock);
    int now = value;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *wait_for_two(void *arg)
{
    int rounds = 0;
    while (look() != 2) {
        rounds = (rounds + 1) % 4;
        if (!rounds)
            sched_yield();
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_two, NULL);
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL); /* BUG */
    return 0;
}
