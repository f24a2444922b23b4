/* Right, with more interleavings than anybody can wait for. With an argument: two locks are taken in
 * opposite orders in the end, and there are races to tell. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int wrong, sum, racy[8];

static void *use(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&a);
        sum++;
        pthread_mutex_unlock(&a);
        if (wrong)
            racy[i]++;
    }
    pthread_mutex_lock(wrong && id ? &b : &a);
    pthread_mutex_lock(wrong && id ? &a : &b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(int argc, char **argv)
{
    static int ids[3] = {0, 1, 2};
    pthread_t t[3];
    (void)argv;
    wrong = argc > 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, use, &ids[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
