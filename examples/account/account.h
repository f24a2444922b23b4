/* Two-party money transfers between accounts that threads share. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

void account_open(struct account *a, int balance);
void account_transfer(struct account *from, struct account *to, int amount);

/* The sum of both balances. Takes the locks one after the other, which is the mistake that
 * test_audit finds: a transfer fits in between. */
int account_total(struct account *a, struct account *b);

#endif
