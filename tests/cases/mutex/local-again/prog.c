/* A function with a lock of its own, statically initialised and destroyed at its end, called twice: each
 * call has a new one, though at the same address. */
#include <pthread.h>

struct job {
    pthread_mutex_t m;
    pthread_rwlock_t l;
    int n;
};

static void *work(void *arg)
{
    struct job *j = arg;
    pthread_rwlock_rdlock(&j->l);
    pthread_mutex_lock(&j->m);
    j->n++;
    pthread_mutex_unlock(&j->m);
    pthread_rwlock_unlock(&j->l);
    return NULL;
}

static __attribute__((noinline)) int once(void)
{
    struct job j = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, 0};
    pthread_spinlock_t s = 1;
    pthread_t t;
    pthread_create(&t, NULL, work, &j);
    work(&j);
    pthread_join(t, NULL);
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    pthread_spin_destroy(&s);
    pthread_mutex_destroy(&j.m);
    pthread_rwlock_destroy(&j.l);
    return j.n;
}

int main(void)
{
    return once() == 2 && once() == 2 ? 0 : 1;
}
