/* Szymanski as in the thesis (tables 8.1 and 8.3), with an end to its waiting: a thread that has waited A
 * rounds in all (B in the middle) goes on as if it had been let in. So the lock does not hold, and nothing is
 * asserted. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], x;

static void *enter(void *arg)
{
    int me = arg != NULL, waited = 0;
    atomic_int *mine = &flag[me], *other = &flag[!me];
    *mine = 1;
    while (*other >= 3 && waited < A)
        waited++;
    *mine = 3;
    if (*other == 1) {
        *mine = 2;
        while (*other != 4 && waited < B)
            waited++;
    }
    *mine = 4;
    while (*other >= 2 && waited < B)
        waited++;
    x = me;
    atomic_load(&x);
    while (*other >= 2 && *other <= 3 && waited < A)
        waited++;
    *mine = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < 2; i++)
        pthread_create(&t, NULL, enter, (void *)i);
    pthread_exit(NULL);
}
