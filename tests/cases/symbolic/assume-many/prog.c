/* Eight threads, each of which assumes something about an input of its own: samples get to where all hold. */
#include <pthread.h>
#include <raddle.h>

enum { THREADS = 8 };
static int n, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    int k = raddle_input_int("k", -1000, 1000);
    raddle_assume(k >= 50 && k <= 60);
    pthread_mutex_lock(&lock);
    if (k == n)
        sum++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[THREADS];
    n = raddle_input_int("n", -1000, 1000);
    raddle_assume(n >= 50 && n <= 60);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    raddle_assert(sum < THREADS); // BUG
    return 0;
}
