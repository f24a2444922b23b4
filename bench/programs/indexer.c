/* Flanagan and Godefroid's indexer: threads insert into a hash table with a lock per slot. */
#include "visible.h"

#include <pthread.h>
#include <stdbool.h>

#define SIZE 128
#define MAX 4

pthread_mutex_t lock[SIZE];
REFERENCES(reference, lock, SIZE)
SHARED int table[SIZE];

bool insert(int h, int w)
{
    pthread_mutex_t *m = LOCK_OF(reference, lock, h);
    pthread_mutex_lock(m);
    bool free = table[h] == 0;
    if (free)
        table[h] = w;
    pthread_mutex_unlock(m);
    return free;
}

static void *work(void *arg)
{
    for (int m = 1; m <= MAX; m++) {
        int w = 11 * m + (int)(long)arg, h = 7 * w % SIZE;
        while (!insert(h, w))
            h = (h + 1) % SIZE;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], NULL);
    refer_reference();
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
