/* Two threads take N locks, one after the other: N races in an execution of 4 N steps. */
#include <pthread.h>

#define N 4000
static pthread_mutex_t locks[N];

static void *work(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
