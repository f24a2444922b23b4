/* The result of a thread is the address of its own local variable. */
#include <pthread.h>
#include <stdio.h>

static int *volatile where;

static void *work(void *arg)
{
    int local = 7;
    where = &local;
    return (void *)where;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return *where != 7; /* BUG */
}
