/* Transfers between three accounts, one lock for each, taken in order. An account may be overdrawn down to a
 * limit; a transfer that would go beyond it is undone. It is undone without the lock of the other account
 * held any more: money is lost only if a transfer overdraws, and only if another one to that account comes
 * just then. Amounts are inputs.
 *
 *     raddle cc --symbolic -g -o bank bank.c -pthread && raddle run ./bank */
#include <pthread.h>
#include <raddle.h>

#define LIMIT (-50)

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[3] = {{PTHREAD_MUTEX_INITIALIZER, 100},
                 {PTHREAD_MUTEX_INITIALIZER, 100},
                 {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&to->lock);
    int before = to->balance;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_lock(&from->lock);
    int refused = from->balance - amount < LIMIT;
    if (!refused)
        from->balance -= amount;
    pthread_mutex_unlock(&from->lock);
    if (refused) {
        pthread_mutex_lock(&to->lock);
        to->balance = before; /* and what came meanwhile? */
        pthread_mutex_unlock(&to->lock);
    }
}

static int first, second;

static void *one(void *unused)
{
    transfer(&accounts[0], &accounts[1], first);
    return unused;
}

static void *two(void *unused)
{
    transfer(&accounts[2], &accounts[1], second);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    first = raddle_input_int("first", 1, 1000);
    second = raddle_input_int("second", 1, 1000);
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    raddle_assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 300);
    return 0;
}
