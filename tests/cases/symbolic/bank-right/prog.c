/* As bank, looking and withdrawing in one critical section. */
#include <pthread.h>
#include <raddle.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *amount)
{
    pthread_mutex_lock(&lock);
    if (balance >= (long)amount)
        balance -= (int)(long)amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    long x = raddle_input_long("x", 1, 1000), y = raddle_input_long("y", 1, 1000);
    pthread_create(&a, NULL, withdraw, (void *)x);
    pthread_create(&b, NULL, withdraw, (void *)y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    raddle_assert(balance >= 0 && balance <= 100);
    return 0;
}
