// The first thread waits for one of two variables. That it has looked at v[2] before it looks at v[1] does
// not depend on v[1]: who writes v[2] in between must not keep it from that look.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int v[3];

static void *either(void *arg)
{
    int e = 0;
    long n = atomic_compare_exchange_strong(&v[2], &e, 1);
    while (v[2] != 2 && v[1] != 0)
        ;
    while (v[1] != 1)
        while (v[2] == 2)
            ;
    return (void *)n; // what follows depends on it
}

static void *writer(void *arg)
{
    while (v[1] != 2 && v[2] != 0)
        ;
    v[0] = 1;
    v[1] = 1;
    return arg;
}

static void *next(void *arg)
{
    int e = v[2], old = e;
    while (!atomic_compare_exchange_strong(&v[2], &e, (old + 1) % 3))
        old = e;
    for (;;) {
        while (v[0])
            ;
        if (!atomic_exchange(&v[0], 1))
            return arg;
    }
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, either, 0);
    pthread_create(&t[1], 0, writer, 0);
    pthread_create(&t[2], 0, next, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
