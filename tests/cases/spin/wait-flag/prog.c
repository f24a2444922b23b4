#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 8
#endif
atomic_int flag;
static void *w(void *a)
{
    while (!flag)
        ;
    return a;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, w, 0);
    flag = 1;
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
