/* A Treiber stack with a hazard pointer that is given up before the compare-and-exchange: the node is never
 * read after it was freed, and as long as no address comes back a changed stack has another top. When malloc
 * gives the freed node again (--reuse), the top is the same though the stack is another one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    _Atomic int popped;
};

static _Atomic(struct node *) top, hazard;

static void push(struct node *n)
{
    n->next = top;
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        ;
}

static struct node *pop(int protect)
{
    struct node *old = top, *next;
    if (protect) {
        hazard = old;
        if (top != old)
            return NULL; /* give up: enough for the example */
    }
    if (!old)
        return NULL;
    next = old->next;
    if (protect)
        hazard = NULL;
    if (!atomic_compare_exchange_strong(&top, &old, next))
        return NULL;
    return old;
}

static void *slow(void *arg)
{
    struct node *n = pop(1);
    if (n)
        assert(atomic_exchange(&n->popped, 1) == 0);
    return NULL;
}

static struct node *make(void)
{
    struct node *n = calloc(1, sizeof *n);
    return n;
}

/* Pops both, frees the first and pushes a new one. */
static void *fast(void *arg)
{
    struct node *a = pop(0), *b = a ? pop(0) : NULL;
    if (!b)
        return NULL;
    atomic_exchange(&b->popped, 1);
    if (hazard != a) {
        free(a);
        push(make());
    }
    return b;
}

int main(void)
{
    pthread_t t[2];
    void *mine;
    push(make());
    push(make());
    pthread_create(&t[0], NULL, slow, NULL);
    pthread_create(&t[1], NULL, fast, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], &mine);
    for (struct node *n = top; n; n = n->next)
        assert(n != mine); /* BUG */
    return 0;
}
