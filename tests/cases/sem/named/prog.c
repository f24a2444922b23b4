/* Named semaphores: only one of two O_EXCL creators wins; names are new in every execution. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void *work(void *arg)
{
    sem_t *s = sem_open("/raddle-case", O_CREAT | O_EXCL, 0600, 1);
    if (s == SEM_FAILED) {
        assert(errno == EEXIST);
        return NULL;
    }
    sem_wait(s);
    sem_post(s);
    sem_close(s);
    return (void *)1;
}

int main(void)
{
    pthread_t t;
    void *r;
    assert(sem_open("/raddle-case", 0) == SEM_FAILED && errno == ENOENT);
    pthread_create(&t, NULL, work, NULL);
    long mine = (long)work(NULL);
    pthread_join(t, &r);
    assert(mine + (long)r == 1);
    assert(sem_unlink("/raddle-case") == 0);
    return 0;
}
