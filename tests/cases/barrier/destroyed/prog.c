/* The thread that comes last destroys the barrier, while the others have not returned yet:
 * allowed. Wrong with an argument: they come to it again. */
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t b;
static int again;

static void *work(void *arg)
{
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&b);
    else if (again)
        pthread_barrier_wait(&b);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    again = argc > 1;
    pthread_barrier_init(&b, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
