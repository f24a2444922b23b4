/* At -O0 what is read counts, also if nobody uses it: it may lie outside, and others may write it
 * meanwhile. */
#include <pthread.h>
#include <raddle.h>

static int table[10], shared;

static void *write(void *unused)
{
    shared = 1;
    return unused;
}

int main(void)
{
    int x = raddle_input_int("x", 0, 10), seen;
#ifdef RACE
    pthread_t t;
    pthread_create(&t, NULL, write, NULL);
    seen = shared;
    pthread_join(t, NULL);
#else
    seen = table[x]; /* BUG */
#endif
    return 0;
}
