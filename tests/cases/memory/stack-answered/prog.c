/* A request lies in the frame of who asks, deep in a recursion and below a function of the
 * library, until it has been answered. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct request {
    atomic_int answered;
    sem_t told;
    int value;
};

static struct request *_Atomic asked;

static int ask(int depth)
{
    struct request r = {.value = depth};
    if (depth)
        return ask(depth - 1) + r.value;
    sem_init(&r.told, 0, 0);
    atomic_store(&asked, &r);
    sem_wait(&r.told);
    while (!atomic_load(&r.answered))
        ;
    return r.value;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    if (x + y == 3)
        assert(ask(2) == 10);
    return x - y;
}

static void *owner(void *a)
{
    int v[2] = {2, 1};
    qsort(v, 2, sizeof *v, compare);
    return a;
}

static void *user(void *a)
{
    struct request *r;
    while (!(r = atomic_load(&asked)))
        ;
    r->value += 7;
    sem_post(&r->told);
    atomic_store(&r->answered, 1);
    return a;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, owner, 0);
    pthread_create(&t[1], 0, user, 0);
    pthread_join(t[1], 0);
    pthread_join(t[0], 0);
}
