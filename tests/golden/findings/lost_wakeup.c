#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
struct mailbox { pthread_mutex_t lock; pthread_cond_t changed; int full; int value; };
static struct mailbox *box_new(void)
{
    struct mailbox *b = malloc(sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    b->full = 0;
    return b;
}
static void put(struct mailbox *b, int v)
{
    pthread_mutex_lock(&b->lock);
    b->value = v;
    b->full = 1;
    pthread_mutex_unlock(&b->lock);
    pthread_cond_signal(&b->changed);
}
static int take(struct mailbox *b)
{
    pthread_mutex_lock(&b->lock);
    int full = b->full;
    pthread_mutex_unlock(&b->lock); /* CHANGE */
    pthread_mutex_lock(&b->lock);
    while (!full) {
        pthread_cond_wait(&b->changed, &b->lock);
        full = b->full;
    }
    b->full = 0;
    int v = b->value;
    pthread_mutex_unlock(&b->lock);
    return v;
}
static void *consumer(void *p) { printf("got %d\n", take(p)); return NULL; }
int main(void)
{
    pthread_t t;
    struct mailbox *b = box_new();
    pthread_create(&t, NULL, consumer, b);
    put(b, 42);
    pthread_join(t, NULL);
    free(b);
    return 0;
}
