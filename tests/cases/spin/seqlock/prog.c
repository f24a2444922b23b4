#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifndef GIVE
#define GIVE
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef WRITES
#define WRITES 1
#endif
static atomic_int seq, a, b;
static void *writer(void *x)
{
    for (int i = 1; i <= WRITES; i++) {
        seq++;
        a = i;
        b = i;
        seq++;
    }
    return x;
}
static void *reader(void *x)
{
    int s, u, v;
    do {
        while ((s = seq) & 1)
            GIVE;
        u = a;
        v = b;
    } while (seq != s);
    assert(u == v);
    return x;
}
int main(void)
{
    pthread_t w, t[READERS];
    pthread_create(&w, 0, writer, 0);
    for (long i = 0; i < READERS; i++)
        pthread_create(&t[i], 0, reader, (void *)i);
    for (int i = 0; i < READERS; i++)
        pthread_join(t[i], 0);
    pthread_join(w, 0);
}
