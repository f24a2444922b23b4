/* Three threads that try a lock until they have it: as many executions as if they waited for it. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#ifndef KIND
#define KIND 0
#endif
#ifndef GIVE
#define GIVE
#endif

#if KIND == 1
static pthread_spinlock_t lock;
#define BEGIN pthread_spin_init(&lock, 0)
#define TRY pthread_spin_trylock(&lock)
#define LEAVE pthread_spin_unlock(&lock)
#elif KIND == 2
static sem_t lock;
#define BEGIN sem_init(&lock, 0, 1)
#define TRY sem_trywait(&lock)
#define LEAVE sem_post(&lock)
#elif KIND == 3
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define BEGIN
#define TRY pthread_rwlock_trywrlock(&lock)
#define LEAVE pthread_rwlock_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN
#define LEAVE pthread_mutex_unlock(&lock)
#define TRY (KIND == 4 ? pthread_mutex_timedlock(&lock, &past) : pthread_mutex_trylock(&lock))
#endif

static const struct timespec past = {1, 0};
static int x;

static void *work(void *arg)
{
    unsigned delay = 1;
    while (TRY)
        GIVE;
    (void)delay;
    x++;
    LEAVE;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    BEGIN;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(x == 3);
    return 0;
}
