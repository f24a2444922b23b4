/* Bounded queue for several producers and consumers (Vyukov): a cell's sequence says whose turn it is. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#define CELLS 2
static struct cell { atomic_uint turn; int value; } cells[CELLS];
static atomic_uint in, out;
static int got[C];
static void *produce(void *a)
{
    for (;;) {
        unsigned at = atomic_load(&in);
        struct cell *c = &cells[at % CELLS];
        unsigned turn = atomic_load(&c->turn);
        if (turn == at && atomic_compare_exchange_strong(&in, &at, at + 1)) {
            c->value = (int)(long)a;
            atomic_store(&c->turn, at + 1);
            return 0;
        }
    }
}
static void *consume(void *a)
{
    for (;;) {
        unsigned at = atomic_load(&out);
        struct cell *c = &cells[at % CELLS];
        unsigned turn = atomic_load(&c->turn);
        if (turn == at + 1 && atomic_compare_exchange_strong(&out, &at, at + 1)) {
            got[(long)a] = c->value;
            atomic_store(&c->turn, at + CELLS);
            return 0;
        }
    }
}
int main(void)
{
    pthread_t t[P + C];
    for (unsigned i = 0; i < CELLS; i++)
        atomic_store(&cells[i].turn, i);
    for (long i = 0; i < P; i++)
        pthread_create(&t[i], 0, produce, (void *)(i + 1));
    for (long i = 0; i < C; i++)
        pthread_create(&t[P + i], 0, consume, (void *)i);
    for (int i = 0; i < P + C; i++)
        pthread_join(t[i], 0);
    int sum = 0;
    for (int i = 0; i < C; i++)
        sum += got[i];
    assert(P != C || sum == P * (P + 1) / 2);
    return 0;
}
