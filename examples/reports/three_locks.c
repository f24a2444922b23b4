/* Three accounts, each with a lock; a transfer locks the one it takes from, then the one it gives to. Three
 * transfers in a circle can hold one lock each and wait for the next. */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account holidays = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay_rent(void *unused)
{
    transfer(&savings, &checking, 10);
    return unused;
}

static void *plan_trip(void *unused)
{
    transfer(&checking, &holidays, 20);
    return unused;
}

static void *cancel_trip(void *unused)
{
    transfer(&holidays, &savings, 20);
    return unused;
}

int main(void)
{
    void *(*const jobs[])(void *) = {pay_rent, plan_trip, cancel_trip};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, jobs[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
