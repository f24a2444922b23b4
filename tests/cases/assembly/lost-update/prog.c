/* Read and written by two instructions: another thread may come in between. */
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *arg)
{
    int v;
    asm volatile("movl %1, %0" : "=r"(v) : "m"(x));
    v++;
    asm volatile("movl %1, %0" : "=m"(x) : "r"(v));
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2); /* BUG */
    return 0;
}
