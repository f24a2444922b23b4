#include "account.h"

#include "ledger.h"

void account_open(struct account *a, int balance)
{
    pthread_mutex_init(&a->lock, NULL);
    a->balance = balance;
}

void account_transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    ledger_record(amount);
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static int balance(struct account *a)
{
    pthread_mutex_lock(&a->lock);
    int amount = a->balance;
    pthread_mutex_unlock(&a->lock);
    return amount;
}

int account_total(struct account *a, struct account *b)
{
    return balance(a) + balance(b);
}
