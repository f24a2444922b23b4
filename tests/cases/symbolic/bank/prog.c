/* Money is lost only if both can withdraw what they saw, and only for amounts that are too large
 * together. */
#include <pthread.h>
#include <raddle.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *amount)
{
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    if (seen < (long)amount)
        return NULL;
    pthread_mutex_lock(&lock);
    balance -= (int)(long)amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    long x = raddle_input_long("x", 1, 100), y = raddle_input_long("y", 1, 100);
    pthread_create(&a, NULL, withdraw, (void *)x);
    pthread_create(&b, NULL, withdraw, (void *)y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    raddle_assert(balance >= 0); /* BUG */
    return 0;
}
