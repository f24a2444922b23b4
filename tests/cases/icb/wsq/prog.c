/* A work-stealing queue (the THE protocol of Cilk): the victim pushes and pops at the tail without a
 * lock, the thief steals at the head; only when both may be after the last item does the victim take
 * the lock. Three mistakes to choose from with -DBUG=n. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif
enum { SIZE = 4, ITEMS = 2, EMPTY = 0 };

static atomic_int head, tail;
static int items[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken[ITEMS + 1];

static void push(int x)
{
    items[tail % SIZE] = x;
    tail++;
}

static int pop(void)
{
    int t = --tail;
    if (head <= t)
        return items[t % SIZE];
#if BUG == 2 /* gives up without asking the thief, who may give up too */
    tail = t + 1;
    return EMPTY;
#endif
    tail = t + 1;
    pthread_mutex_lock(&lock);
    t = --tail;
    int x = head <= t ? items[t % SIZE] : EMPTY;
    if (x == EMPTY)
        tail = t + 1;
    pthread_mutex_unlock(&lock);
    return x;
}

static int steal(void)
{
    int x = EMPTY;
    pthread_mutex_lock(&lock);
#if BUG == 1 /* looks first and takes then */
    if (head < tail)
        x = items[head++ % SIZE];
    pthread_mutex_unlock(&lock);
#else
    int h = head++;
    if (h + 1 <= tail)
        x = items[h % SIZE];
#if BUG == 3 /* puts the head back when the victim may look at it already */
    pthread_mutex_unlock(&lock);
    if (x == EMPTY)
        head--;
#else
    if (x == EMPTY)
        head--;
    pthread_mutex_unlock(&lock);
#endif
#endif
    return x;
}

static void got(int x)
{
    if (x != EMPTY)
        assert(atomic_fetch_add(&taken[x], 1) == 0);
}

static void *victim(void *arg)
{
    for (int x; (x = pop()) != EMPTY;)
        got(x);
    return NULL;
}

static void *thief(void *arg)
{
    got(steal());
    got(steal());
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    for (int x = 1; x <= ITEMS; x++)
        push(x);
    pthread_create(&a, NULL, victim, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int x = 1; x <= ITEMS; x++)
        assert(taken[x] == 1);
    return 0;
}
