/* Two threads that do A and B (and the main thread C meanwhile), given on the command line: the number of
 * traces tells whether the order of the two matters. All cases of this family are this program. */
#include <pthread.h>
#include <raddle.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef C
#define C (void)0
#endif
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef AFTER
#define AFTER (void)0
#endif
#ifndef N
#define N 0 /* tokens of the semaphore, or threads at the barrier */
#endif

union {
    atomic_char byte[8];
    atomic_int word[2];
    atomic_long all;
} u;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barriers[2];
static sem_t sem;
static int woken;

#define cas(expected) (atomic_compare_exchange_strong(&u.word[0], &(int){expected}, 7))
#define lock(i) (pthread_mutex_lock(&m[i]))
#define unlock(i) (pthread_mutex_unlock(&m[i]))
#define locked(i) (lock(i), unlock(i))
#define try_lock(i) (pthread_mutex_trylock(&m[i]) ? 0 : unlock(i))
#define read_locked() (pthread_rwlock_rdlock(&rw), pthread_rwlock_unlock(&rw))
#define write_locked() (pthread_rwlock_wrlock(&rw), pthread_rwlock_unlock(&rw))
#define arrive(i) (pthread_barrier_wait(&barriers[i]))
/* Who opened it matters. */
#define arrive_asking(i) (was_last += pthread_barrier_wait(&barriers[i]) != 0)
static __thread volatile int was_last;
#define wait_for_signal() (lock(0), woken ? 0 : pthread_cond_wait(&cond, &m[0]), unlock(0))
#define give_signal() (lock(0), woken = 1, pthread_cond_signal(&cond), unlock(0))
#define signal_all() (lock(0), woken = 1, pthread_cond_broadcast(&cond), unlock(0))

static void *do_a(void *arg)
{
    (void)(A);
    return NULL;
}

static void *do_b(void *arg)
{
    (void)(B);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, N);
    pthread_barrier_init(&barriers[0], NULL, N ? N : 1);
    pthread_barrier_init(&barriers[1], NULL, N ? N : 1);
    BEFORE;
    pthread_create(&a, NULL, do_a, NULL);
#ifdef JOIN_FIRST
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, do_b, NULL);
    C;
#ifndef JOIN_FIRST
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
    AFTER;
    return 0;
}
