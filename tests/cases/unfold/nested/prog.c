/* Two threads create one each: which of them is created first makes no difference, but for its number, its
 * stack and what it allocates. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int sum;
};
static atomic_int x;
static struct box *_Atomic last;

static void add(struct box *b, int n)
{
    pthread_mutex_lock(&b->lock);
    b->sum += n;
    pthread_mutex_unlock(&b->lock);
}

static void *leaf(void *arg)
{
    struct box *mine = malloc(sizeof *mine);
    pthread_mutex_init(&mine->lock, NULL);
    mine->sum = 1;
    add(arg, ++x);
    last = mine;
    return NULL;
}

static void *creator(void *arg)
{
    struct box here = {PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t t;
    pthread_create(&t, NULL, leaf, &here);
    add(&here, 1);
    struct box *other = last;
    if (other)
        add(other, 1);
    pthread_join(t, NULL);
    assert(here.sum <= 3);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, creator, NULL);
    pthread_create(&b, NULL, creator, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(((struct box *)last)->sum < 4);
    return 0;
}
