/* Priority protocols, ceilings and sharing between processes are accepted and kept in the attributes. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[3];
static int x[3];

static void *work(void *arg)
{
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutex_lock(&m[i]) == 0);
        x[i]++;
        assert(pthread_mutex_unlock(&m[i]) == 0);
    }
    return NULL;
}

int main(void)
{
    static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT};
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_mutexattr_t a;
        int got;
        assert(pthread_mutexattr_init(&a) == 0);
        assert(pthread_mutexattr_setprotocol(&a, protocols[i]) == 0);
        assert(pthread_mutexattr_getprotocol(&a, &got) == 0 && got == protocols[i]);
        if (i == 2)
            assert(pthread_mutexattr_setprioceiling(&a, 10) == 0);
        assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
        assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0);
        assert(pthread_mutex_init(&m[i], &a) == 0);
        assert(pthread_mutexattr_destroy(&a) == 0);
    }
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < 3; i++)
        assert(x[i] == 2 && pthread_mutex_destroy(&m[i]) == 0);
    return 0;
}
