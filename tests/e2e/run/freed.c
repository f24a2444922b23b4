#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *make(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = NULL;
    return n;
}

static struct node *take(void)
{
    pthread_mutex_lock(&lock);
    struct node *n = head;
    head = NULL;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *peek(void *arg)
{
    pthread_mutex_lock(&lock);
    struct node *n = head;
    pthread_mutex_unlock(&lock);
    if (n)
        n->next = n;
    return arg;
}

static void *drop(void *arg)
{
    free(take());
    return arg;
}

int main(void)
{
    pthread_t a, b;
    head = make(3);
    pthread_create(&a, NULL, peek, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
