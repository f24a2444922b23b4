/* Who becomes who he is already changes nothing. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *arg)
{
    assert(setuid(getuid()) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(setgid(getgid()) == 0);
    pthread_join(t, NULL);
    return 0;
}
