/* siglongjmp out of a handler puts back the mask, so that the second signal is not blocked. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static __thread sigjmp_buf back;

static void handler(int sig)
{
    (void)sig;
    siglongjmp(back, 1);
}

static void *work(void *arg)
{
    int *times = arg;
    for (volatile int i = 0; i < 2; i++) {
        if (!sigsetjmp(back, 1)) {
            raise(SIGUSR1);
            assert(!"the handler does not return");
        }
        ++*times;
    }
    return NULL;
}

int main(void)
{
    int times[2] = {0, 0};
    pthread_t t[2];
    signal(SIGUSR1, handler);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &times[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(times[0] == 2 && times[1] == 2);
    return 0;
}
