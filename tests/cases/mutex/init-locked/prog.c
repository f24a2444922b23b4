/* A lock that is initialised again while another thread may hold it: mutex, spinlock (one argument), rwlock
 * (two). With three the thread has ended before: nothing wrong. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static pthread_spinlock_t s;
static pthread_rwlock_t l;
static int which;

static void init(void)
{
    if (which == 0)
        pthread_mutex_init(&m, NULL);
    else if (which == 1)
        pthread_spin_init(&s, 0);
    else
        pthread_rwlock_init(&l, NULL);
}

static void *work(void *arg)
{
    if (which == 0) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    } else if (which == 1) {
        pthread_spin_lock(&s);
        pthread_spin_unlock(&s);
    } else {
        pthread_rwlock_rdlock(&l);
        pthread_rwlock_unlock(&l);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    which = (argc - 1) % 3;
    init();
    pthread_create(&t, NULL, work, NULL);
    if (argc > 3)
        pthread_join(t, NULL);
    init();
    if (argc <= 3)
        pthread_join(t, NULL);
    return 0;
}
