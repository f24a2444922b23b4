/* Michael and Scott's queue; nodes are not used again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef P
#define P 2
#endif
#ifndef C
#define C 1
#endif
struct node { int value; _Atomic(struct node *) next; };
static struct node nodes[P + 1];
static _Atomic(struct node *) head = &nodes[P], tail = &nodes[P];
static int got[C];
static void *enqueue(void *a)
{
    struct node *mine = &nodes[(long)a];
    mine->value = (int)(long)a + 1;
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            struct node *none = NULL;
            if (atomic_compare_exchange_strong(&last->next, &none, mine)) {
                atomic_compare_exchange_strong(&tail, &last, mine);
                return 0;
            }
        }
    }
}
static void *dequeue(void *a)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first == last) {
            if (!next)
                return 0;
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&head, &first, next)) {
            got[(long)a] = next->value;
            return 0;
        }
    }
}
int main(void)
{
    pthread_t t[P + C];
    for (long i = 0; i < P; i++)
        pthread_create(&t[i], 0, enqueue, (void *)i);
    for (long i = 0; i < C; i++)
        pthread_create(&t[P + i], 0, dequeue, (void *)i);
    for (int i = 0; i < P + C; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < C; i++)
        assert(got[i] >= 0 && got[i] <= P);
    return 0;
}
