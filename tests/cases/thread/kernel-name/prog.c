/* What prctl calls a thread is the thread's own. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>

static atomic_int steps;

static void *worker(void *arg)
{
    char name[16];
    prctl(PR_SET_NAME, arg);
    atomic_fetch_add(&steps, 1);
    prctl(PR_GET_NAME, name);
    assert(!strcmp(name, arg));
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, "one");
    pthread_create(&t[1], NULL, worker, "two");
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
