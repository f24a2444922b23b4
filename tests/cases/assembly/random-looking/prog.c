/* The bytes of rdrand and of a jump behind it, in the operand of a multiplication: no random numbers. */
#include <pthread.h>

static void *thread(void *arg)
{
    return arg;
}

int main(int count, char **arguments)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return (unsigned)count * 0x72f0c70fu == 1;
}
