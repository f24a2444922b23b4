/* A question about global states: each account has its own lock, so nothing here races, and both
 * threads keep the sum. But can the auditor be about to print while money is on its way? It can:
 *
 *     raddle run --engine context --property 'audit:property.c:31 && from + to != 100' ./property */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t from_lock = PTHREAD_MUTEX_INITIALIZER, to_lock = PTHREAD_MUTEX_INITIALIZER;
static int from = 100, to;

static void *transfer(void *arg)
{
    pthread_mutex_lock(&from_lock);
    from -= 30;
    pthread_mutex_unlock(&from_lock);
    pthread_mutex_lock(&to_lock);
    to += 30;
    pthread_mutex_unlock(&to_lock);
    return arg;
}

static void *audit(void *arg)
{
    int sum;
    pthread_mutex_lock(&from_lock);
    sum = from;
    pthread_mutex_unlock(&from_lock);
    pthread_mutex_lock(&to_lock);
    sum += to;
    /* the sum is about to be told */
    pthread_mutex_unlock(&to_lock);
    printf("%d\n", sum);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, audit, NULL);
    pthread_exit(NULL);
}
