/* A loop inside of assembly, and memory that no operand names: named, and the verdict is incomplete. */
#include <pthread.h>

static int x[4];

static void *work(void *arg)
{
    asm volatile("lock; incl 4(%0)" : : "r"(x) : "memory");
    return arg;
}

/* Never called. */
void __attribute__((used)) other(int *p);
void other(int *p)
{
    asm volatile("1: lock; decl %0; js 1b" : "+m"(*p));
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
