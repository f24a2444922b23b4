#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static int shared;
static atomic_int other;

static void *run(void *unused)
{
    shared = 1;
    atomic_store(&other, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    if (raddle_input_int("x", -100, 100) > 41) {
        pthread_create(&t, NULL, run, NULL);
        shared = 2; // BUG
        pthread_join(t, NULL);
    }
    return 0;
}
