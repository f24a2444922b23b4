/* Two threads that different ones created wait: which of them a signal wakes is a choice, by who they are. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, woken, tickets;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    while (!tickets)
        pthread_cond_wait(&c, &m);
    tickets--;
    woken = woken * 10 + (arg ? 1 : 2);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *creator(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, arg);
    pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, creator, NULL);
    pthread_create(&b, NULL, creator, &m);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        tickets++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(woken == 12 || woken == 21);
    assert(woken != 21);
    return 0;
}
