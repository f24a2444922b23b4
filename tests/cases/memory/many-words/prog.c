/* One memset races with many others, each over every word that was stored to atomically: more accesses
 * to words than there are events by far. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { WORDS = 6000, TIMES = 45 };
atomic_long words[WORDS];

static void *once(void *arg)
{
    memset((void *)words, 1, sizeof words);
    return NULL;
}

static void *often(void *arg)
{
    for (int i = 0; i < TIMES; i++)
        memset((void *)words, 2, sizeof words);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < WORDS; i++)
        atomic_store(&words[i], i);
    pthread_create(&t[0], NULL, once, NULL);
    pthread_create(&t[1], NULL, often, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
