/* Many data races: replaying them all takes longer than telling one. */
#include <pthread.h>

static int shared[40];
static volatile unsigned sum;

#define R(k) shared[k]++;
#define TEN(k) R(k) R(k + 1) R(k + 2) R(k + 3) R(k + 4) R(k + 5) R(k + 6) R(k + 7) R(k + 8) R(k + 9)

static void *work(void *arg)
{
    TEN(0)
    TEN(10)
    TEN(20)
    TEN(30)
    return arg;
}

int main(void)
{
    pthread_t t;
    for (unsigned i = 0; i < 30000; i++)
        sum += i;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
