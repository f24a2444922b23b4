/* Cleanup handlers run last first, then the destructors of thread-specific data; those that were popped
 * do not run. pthread_exit runs them too. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int step, first, second, third, fourth;
static pthread_key_t key;
static sem_t never;

static void note(void *to)
{
    *(int *)to = ++step;
}

static void *work(void *arg)
{
    pthread_setspecific(key, &fourth);
    pthread_cleanup_push(note, &third);
    pthread_cleanup_push(note, &second);
    pthread_cleanup_push(note, &first);
    pthread_cleanup_push(note, &step);
    pthread_cleanup_pop(0);
    if (arg)
        pthread_exit(arg);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *r;
    sem_init(&never, 0, 0);
    pthread_key_create(&key, note);
    for (int i = 0; i < 2; i++) {
        step = 0;
        pthread_create(&t, NULL, work, i ? &t : NULL);
        if (!i)
            pthread_cancel(t);
        pthread_join(t, &r);
        assert(r == (i ? (void *)&t : PTHREAD_CANCELED));
        assert(i == 0 && step == 0 ? 1 : first == 1 && second == 2 && third == 3 && fourth == 4);
    }
    return 0;
}
