/* A queued lock: each thread waits at a flag on its own stack, which its predecessor clears. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
    struct node *volatile next;
    volatile int waits;
};

static struct node *tail;
static int inside;

static struct node *swap(struct node **at, struct node *value)
{
    __asm__ __volatile__("xchgq %0, %1" : "+r"(value), "+m"(*at) : : "memory");
    return value;
}

static int load(const volatile int *at)
{
    int value;
    __asm__ __volatile__("movl %1, %0" : "=r"(value) : "m"(*at) : "memory");
    return value;
}

static void store(volatile int *at, int value)
{
    __asm__ __volatile__("movl %1, %0" : "=m"(*at) : "r"(value) : "memory");
}

static void *worker(void *arg)
{
    struct node me = {NULL, 0}, *before;
    store(&me.waits, 1);
    before = swap(&tail, &me);
    if (before) {
        __atomic_store_n(&before->next, &me, __ATOMIC_SEQ_CST);
        while (load(&me.waits))
            ;
    }
    assert(++inside == 1);
    inside--;
    struct node *mine = &me;
    if (!__atomic_load_n(&me.next, __ATOMIC_SEQ_CST) &&
        __atomic_compare_exchange_n(&tail, &mine, NULL, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return arg;
    struct node *after;
    while (!(after = __atomic_load_n(&me.next, __ATOMIC_SEQ_CST)))
        ;
    store(&after->waits, 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
