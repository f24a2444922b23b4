/* A number whose bytes are those of rdrand and a jump: no random numbers are drawn. */
#include <pthread.h>
#include <raddle.h>

static volatile unsigned seen;

static void *run(void *arg)
{
    seen = 0x72f0c70f;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    raddle_assert(seen == 0x72f0c70f);
    return 0;
}
