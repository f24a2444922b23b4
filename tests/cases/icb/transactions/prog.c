/* After the transaction manager of PLDI 2007: transactions in flight are kept in a table; one thread
 * creates, commits or deletes a transaction, a timer thread flushes those that have timed out. Locking
 * is fine-grained: each looks at a transaction, lets the lock go, and comes back to act. The mistake
 * is always that the timer does not look again before it acts; -DBUG=n says in which operation it
 * matters. */
#include <assert.h>
#include <pthread.h>

#ifndef BUG
#define BUG 0
#endif

enum state { NONE, CREATING, PENDING, COMMITTING, COMMITTED, ABORTED, DELETING };

static struct transaction {
    enum state state;
    int users; /* who works with it outside of the lock */
    int first_deadline;
} table[1];
static pthread_mutex_t bucket = PTHREAD_MUTEX_INITIALIZER;

#define LOCKED(...)                                                                                \
    do {                                                                                           \
        pthread_mutex_lock(&bucket);                                                               \
        __VA_ARGS__;                                                                               \
        pthread_mutex_unlock(&bucket);                                                             \
    } while (0)

/* ---- the operations ---- */

static void create(struct transaction *t)
{
    LOCKED(t->state = CREATING);
    LOCKED(t->state = PENDING);
}

static void commit(struct transaction *t)
{
    int mine = 0;
    LOCKED(if (t->state == PENDING) { t->state = COMMITTING; mine = 1; });
    if (!mine)
        return;
    LOCKED(assert(t->state == COMMITTING); t->state = COMMITTED);
}

static void delete(struct transaction *t)
{
    int mine = 0;
    LOCKED(if (t->state == PENDING && t->users == 0) { t->state = DELETING; mine = 1; });
    if (!mine)
        return;
    LOCKED(assert(t->users == 0); t->state = NONE);
}

/* ---- the timer ---- */

/* Transactions that are just being created get their first deadline. */
static void set_deadlines(struct transaction *t)
{
    int counted = 0, stored = 0;
    LOCKED(counted = t->state == CREATING);
    LOCKED(if (t->state == CREATING && (BUG == 2 || counted)) { stored++; t->first_deadline = 1; });
    assert(stored <= counted);
}

static void abort_expired(struct transaction *t)
{
    int expired = 0;
    LOCKED(expired = t->state == PENDING);
    if (!expired)
        return;
    LOCKED(if (BUG == 1 ? t->state != COMMITTED : t->state == PENDING) t->state = ABORTED);
}

/* Tells the owner of a transaction that has timed out, without holding the lock. */
static void notify_expired(struct transaction *t)
{
    int expired = 0;
    LOCKED(expired = t->state == PENDING);
    if (!expired)
        return;
    LOCKED(if (BUG == 3 || t->state == PENDING) t->users++; else expired = 0);
    if (expired)
        LOCKED(t->users--);
}

/* ---- the three tests ---- */

static void *operation(void *arg)
{
    struct transaction *t = &table[0];
    TEST == 1 ? commit(t) : TEST == 2 ? create(t) : delete(t);
    return NULL;
}

static void *timer(void *arg)
{
    struct transaction *t = &table[0];
    TEST == 1 ? abort_expired(t) : TEST == 2 ? set_deadlines(t) : notify_expired(t);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    if (TEST != 2)
        create(&table[0]);
    pthread_create(&a, NULL, operation, NULL);
    pthread_create(&b, NULL, timer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
