/* run: --engine random */
#include <assert.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#define T 6
static atomic_int shared[4], own[T];
static atomic_int chosen;
static void *noise(void *p)
{
    long id = (long)p;
    for (int i = 0; i < 200; i++) {
        own[id]++;
        own[(id + 1) % T]++;
    }
    return 0;
}
static void *adds(void *p)
{
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 20; i++) {
            int v = shared[k];
            shared[k] = v + 1; /* CHANGE */
        }
    return p;
}
int main(void)
{
    pthread_t t[T], a, b;
    int noises = 0;
    for (int i = 0; i < 6; i++)
        noises += raddle_choose(3);
    pthread_create(&a, 0, adds, 0);
    for (long i = 0; i < T; i++)
        pthread_create(&t[i], 0, noise, (void *)i);
    pthread_create(&b, 0, adds, 0);
    if (noises > 2)
        chosen = noises;
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(shared[0] == 40 || shared[1] == 40 || shared[2] == 40 || shared[3] == 40);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
}
