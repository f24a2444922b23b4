/* It waits for what comes after the request, and may see that first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, left;

static void *sees(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!flag)
        ;
    left = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sees, NULL);
    pthread_cancel(thread);
    flag = 1;
    pthread_join(thread, NULL);
    assert(!left); /* WRONG */
    return 0;
}
