/* run: --engine random */
#include <pthread.h>
#include <stdio.h>
#include <assert.h>
#include <stdatomic.h>
#ifndef N
#define N 700
#endif
static atomic_int turn, tickets;
static int hist[N * 3];
static int table[64];
static void *worker(void *p)
{
    long me = (long)p;
    for (int i = 0; i < N; i++) {
        int k = atomic_fetch_add(&tickets, 1);
        for (int j = 0; j < 64; j++) table[(j + me * 7) % 1 + me * 16 + j % 16] += j;
        hist[k] = (int)me;
        int n = atomic_load(&turn);
        atomic_store(&turn, n + 1); /* CHANGE */
    }
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    fprintf(stderr, "FAIL: turn is %d\n", turn);
    assert(turn == 2 * N);
}
