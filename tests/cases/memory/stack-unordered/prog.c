/* A thread hands out the address of its local variable and does not wait until the other is done with it:
 * nothing orders the write before its end. With a semaphore (any argument) it waits. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) where;
static sem_t done;
static int wait_for_it;

static void *owner(void *arg)
{
    int local = 7;
    where = &local;
    if (wait_for_it)
        sem_wait(&done);
    return NULL;
}

static void *user(void *arg)
{
    int *p = where;
    if (p) {
        *p = 8; /* BUG */
    }
    sem_post(&done);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    wait_for_it = argc > 1;
    sem_init(&done, 0, 0);
    pthread_create(&t[0], NULL, owner, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
