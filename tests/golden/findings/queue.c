/* bounded queue in the heap with array; off-by-one in the check */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdatomic.h>
struct item { int key; union { long number; void *pointer; } u; };
struct queue { atomic_uint head, tail; struct item slot[4]; };
static struct queue *q;
static int push(struct queue *q, int v)
{
    unsigned t = atomic_load(&q->tail);
    if (t - atomic_load(&q->head) == 4) return 0;
    q->slot[t % 4].key = v;
    q->slot[t % 4].u.number = v * 10;
    atomic_store(&q->tail, t + 1); /* CHANGE */
    return 1;
}
static int pop(struct queue *q, int *v)
{
    unsigned h = atomic_load(&q->head);
    if (h == atomic_load(&q->tail)) return 0;
    *v = q->slot[h % 4].key;
    atomic_store(&q->head, h + 1);
    return 1;
}
static void *producer(void *p) { push(q, (int)(long)p); return NULL; }
int main(void)
{
    q = calloc(1, sizeof *q);
    pthread_t a, b;
    pthread_create(&a, 0, producer, (void *)1);
    pthread_create(&b, 0, producer, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int x = 0, y = 0, n = pop(q, &x) + pop(q, &y);
    assert(n == 2);
    assert(x + y == 3);
    free(q);
}
