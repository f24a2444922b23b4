#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 5
#endif
atomic_int flag[N + 1];
static void *w(void *a)
{
    long me = (long)a;
    while (!flag[me])
        ;
    flag[me + 1] = 1;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, w, (void *)i);
    flag[0] = 1;
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
