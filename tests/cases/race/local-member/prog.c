/* A member of a struct on main's stack: up to version 19, clang by itself does not instrument what
 * main does with it. */
#include <assert.h>
#include <pthread.h>

struct both {
    int other, count;
};

static void *work(void *arg)
{
    struct both *b = arg;
    b->count++; /* RACE */
    return NULL;
}

int main(void)
{
    struct both b = {0, 0};
    int more[2] = {0, 0};
    pthread_t t;
    pthread_create(&t, NULL, work, &b);
    b.count++;
    more[b.other]++;
    pthread_join(t, NULL);
    assert(b.count == 2); /* BUG */
    return more[0] - 1;
}
