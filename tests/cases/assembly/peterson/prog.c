/* Stores and loads in assembly are operations: Peterson's lock needs their order, and holds. */
#include <assert.h>
#include <pthread.h>

static int wants[2], turn, inside, total;

#define STORE(p, v) __asm__ volatile("movl %1, %0\n\tmfence" : "=m"(*(p)) : "ri"(v) : "memory")
static int load(const int *p)
{
    int v;
    __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
    return v;
}

static void *work(void *arg)
{
    int me = arg != NULL;
    STORE(&wants[me], 1);
    STORE(&turn, !me);
    while (load(&wants[!me]) && load(&turn) == !me)
        __asm__ volatile("pause");
    assert(inside++ == 0);
    total++;
    inside--;
    STORE(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, &a);
    work(NULL);
    pthread_join(a, NULL);
    assert(total == 2);
    return 0;
}
