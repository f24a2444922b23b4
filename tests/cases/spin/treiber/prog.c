/* Treiber's stack: each thread pushes and pops. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef N
#define N 3
#endif
static struct node {
    struct node *_Atomic next;
} nodes[N];
static struct node *_Atomic top;
static void push(struct node *n)
{
    struct node *old;
    do {
        old = top;
        n->next = old;
    } while (!atomic_compare_exchange_strong(&top, &old, n));
}
static struct node *pop(void)
{
    struct node *old, *next;
    do {
        old = top;
        if (!old)
            return NULL;
        next = old->next;
    } while (!atomic_compare_exchange_strong(&top, &old, next));
    return old;
}
static void *user(void *n)
{
    push(n);
    assert(pop());
    return n;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, user, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
