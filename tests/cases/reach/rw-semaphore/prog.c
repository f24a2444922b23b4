/* Readers and writers by passing the baton, readers preferred; 3 readers, 2 writers. */
#include <assert.h>
#include <raddle/sync.h>

static raddle_semaphore e = RADDLE_SEMAPHORE(1), r = RADDLE_SEMAPHORE(0), w = RADDLE_SEMAPHORE(0);
static int readers, writers, delayed_readers, delayed_writers;

static void pass_on(void)
{
    if (!writers && delayed_readers) {
        delayed_readers--;
        raddle_semaphore_post(&r);
    } else if (!readers && !writers && delayed_writers) {
        delayed_writers--;
        raddle_semaphore_post(&w);
    } else {
        raddle_semaphore_post(&e);
    }
}

static void *reader(void *arg)
{
    raddle_semaphore_wait(&e);
    if (writers) {
        delayed_readers++;
        raddle_semaphore_post(&e);
        raddle_semaphore_wait(&r);
    }
    readers++;
    assert(!writers);
    pass_on();
    raddle_semaphore_wait(&e);
    readers--;
    pass_on();
    return NULL;
}

static void *writer(void *arg)
{
    raddle_semaphore_wait(&e);
    if (readers || writers) {
        delayed_writers++;
        raddle_semaphore_post(&e);
        raddle_semaphore_wait(&w);
    }
    writers++;
    assert(writers == 1 && !readers);
    pass_on();
    raddle_semaphore_wait(&e);
    writers--;
    pass_on();
    return NULL;
}

int main(void)
{
    pthread_t t[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, i < 3 ? reader : writer, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    return 0;
}
