#include <pthread.h>
#include <string.h>

/* One byte in the middle of a large range, across pages. */
char buffer[20000];

static void *work(void *arg)
{
    buffer[12345] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    volatile size_t all = sizeof buffer, before = 12345;
    pthread_create(&t, NULL, work, NULL);
    memset(buffer, 0, before);
    memset(buffer + before + 1, 0, all - before - 1);
    memset(buffer, 0, all); /* BUG */
    pthread_join(t, NULL);
    return buffer[12345] > 1;
}
