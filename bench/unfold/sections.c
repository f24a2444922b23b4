/* Locking as in the thesis (table 8.3): N threads with two critical sections of one lock, in which they
 * write some of three variables and read one. ONCE of them, the last, have one. */
#include <pthread.h>

#ifndef ONCE
#define ONCE 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
volatile int a, b, c;

/* What is written, then what is read. */
enum { A = 1, B = 2, C = 4 };
static const int todo[6][2][2] = {
    {{A | B | C, A}, {A, C}}, {{A, C}, {A | B | C, A}},         {{A, B}, {A | B | C, A}},
    {{A | B | C, B}, {A, A}}, {{A | B | C, B}, {A | B | C, A}}, {{A, B | C}, {A | B | C, A}},
};

static void section(int writes, int reads)
{
    pthread_mutex_lock(&lock);
    if (writes & A)
        a = writes;
    if (writes & B)
        b = writes;
    if (writes & C)
        c = writes;
    if (reads & A)
        (void)a;
    if (reads & B)
        (void)b;
    if (reads & C)
        (void)c;
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
    for (int i = 0; i < ((long)arg < N - ONCE ? 2 : 1); i++)
        section(todo[(long)arg][i][0], todo[(long)arg][i][1]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < N; i++)
        pthread_create(&t, NULL, work, (void *)i);
    pthread_exit(NULL);
}
