#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2]; static atomic_int turn;
static int shared;
static void *p0(void *a)
{
    flag[0] = 1;
    while (flag[1]) { } /* CHANGE */
    shared++;
    flag[0] = 0;
    return 0;
}
static void *p1(void *a)
{
    flag[1] = 1;
    while (flag[0]) { }
    shared++;
    flag[1] = 0;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, p0, 0); pthread_create(&b, 0, p1, 0);
    pthread_join(a, 0); pthread_join(b, 0);
}
