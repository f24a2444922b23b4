/* run: --engine random */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct counter { atomic_long arrived; long most; pthread_mutex_t lock; };
static struct counter *c;
static void *visitor(void *p)
{
    for (int i = 0; i < 3; i++) {
        long n = atomic_load(&c->arrived);
        atomic_store(&c->arrived, n + 1); /* CHANGE */
        pthread_mutex_lock(&c->lock);
        if (n > c->most)
            c->most = n;
        pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}
int main(void)
{
    enum { CROWD = 10 };
    pthread_t t[CROWD];
    c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    for (int i = 0; i < CROWD; i++)
        pthread_create(&t[i], NULL, visitor, NULL);
    for (int i = 0; i < CROWD; i++)
        pthread_join(t[i], NULL);
    assert(c->arrived == 3 * CROWD);
    free(c);
    return 0;
}
