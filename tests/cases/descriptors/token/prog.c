/* A byte in a pipe as a lock: who waits for it may lose it to another, again and again. */
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *worker(void *arg)
{
    char token;
    for (int i = 0; i < 2; i++) {
        if (read(ends[0], &token, 1) != 1)
            return NULL;
        if (write(ends[1], &token, 1) != 1)
            return NULL;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    if (pipe(ends) || write(ends[1], "x", 1) != 1)
        return 1;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
