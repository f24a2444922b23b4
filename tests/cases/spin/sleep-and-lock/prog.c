/* The usual polling loop: a mutex around the flag, a sleep, and a count of the attempts. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, attempts;

static int is_set(void)
{
    pthread_mutex_lock(&m);
    int f = flag;
    pthread_mutex_unlock(&m);
    return f;
}

static void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *poller(void *arg)
{
    while (!is_set()) {
        attempts++;
        usleep(100);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, poller, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
