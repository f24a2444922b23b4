/* Two pthread_once controls of four bytes share an eight-byte word; each initialisation runs the other. */
#include <pthread.h>

static pthread_once_t o[2] __attribute__((aligned(8))) = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_once_t inner[2] __attribute__((aligned(8))) = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};

static void nothing(void)
{
}

static void first(void)
{
    pthread_once(&inner[0], nothing);
    pthread_once(&o[1], nothing);
}

static void second(void)
{
    pthread_once(&inner[1], nothing);
    pthread_once(&o[0], nothing);
}

static void *other(void *arg)
{
    pthread_once(&o[1], second);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_once(&o[0], first);
    pthread_join(t, NULL);
    return 0;
}
