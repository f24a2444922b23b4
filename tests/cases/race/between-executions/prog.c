// What one execution released must not order anything in the next one: with the first choice both
// threads take both locks in turn, with the second each takes one of its own, and they race for x.
#include <pthread.h>
#include <raddle.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x;
static int own;

static void *thread(void *arg)
{
    long me = (long)arg;
    if (own) {
        pthread_mutex_lock(&m[me]);
        x = 1; // BUG
        pthread_mutex_unlock(&m[me]);
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m[i % 2]);
        pthread_mutex_unlock(&m[i % 2]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    own = raddle_choose(2);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return x > 1;
}
