#include <pthread.h>

static struct account {
    int balance;
    pthread_mutex_t lock;
} accounts[2] = {{100, PTHREAD_MUTEX_INITIALIZER}, {100, PTHREAD_MUTEX_INITIALIZER}};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
    transfer(&accounts[0], &accounts[1], 10);
    return arg;
}

static void *back(void *arg)
{
    transfer(&accounts[1], &accounts[0], 20);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
