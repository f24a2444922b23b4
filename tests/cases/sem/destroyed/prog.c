/* A semaphore on the stack of who waits: safe to destroy once the wait is over, however the post
 * goes on. Wrong with an argument: a second post that nobody waits for. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int posts;

static void *work(void *arg)
{
    for (int i = 0; i < posts; i++)
        sem_post(arg);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    posts = argc;
    for (int round = 0; round < 2; round++) {
        sem_t done;
        sem_init(&done, 0, 0);
        pthread_create(&t, NULL, work, &done);
        sem_wait(&done);
        sem_destroy(&done);
        pthread_join(t, NULL);
    }
    return 0;
}
