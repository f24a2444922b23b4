/* A reader that can only come in while another one is inside: the writer comes before both or behind. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t inside, done;
static int written, seen;

static void *first(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    sem_post(&inside);
    sem_wait(&done);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&inside);
    pthread_rwlock_rdlock(&lock);
    seen = written;
    pthread_rwlock_unlock(&lock);
    sem_post(&done);
    return unused;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    written = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&inside, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_create(&t[2], 0, writer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(!seen); /* BUG */
}
