/* Three threads meet twice at a barrier, and nobody looks who was last; between that two or three of them use
 * a lock. With KEEPS one holds it at the barrier, where another one may wait for it. */
#include <pthread.h>

static pthread_barrier_t b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order, n[4];

static void use(int who)
{
    pthread_mutex_lock(&m);
    order = 4 * order + who;
#ifdef KEEPS
    if (who == 3 && n[2])
        pthread_barrier_wait(&b);
#endif
    n[who]++;
    pthread_mutex_unlock(&m);
}

static void *meet(void *arg)
{
    int who = *(int *)arg;
    use(who);
    pthread_barrier_wait(&b);
    if (who != 2)
        use(who);
    pthread_barrier_wait(&b);
    if (who != 3)
        use(who);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int names[3] = {1, 2, 3};
    pthread_barrier_init(&b, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, meet, &names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
