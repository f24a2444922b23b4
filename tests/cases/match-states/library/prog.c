/* strtok keeps a pointer of its own between two calls. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x;

static void *worker(void *arg)
{
    char text[] = "a b c";
    strtok(text, " ");
    atomic_store(&x, 1);
    return strtok(NULL, " ") ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_load(&x);
    pthread_join(t, NULL);
}
