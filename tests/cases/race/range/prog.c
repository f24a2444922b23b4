#include <pthread.h>
#include <string.h>

/* One byte in the middle of a large range, across pages. */
static char buffer[20000];

static void *work(void *arg)
{
    buffer[12345] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    memset(buffer, 0, 12345);
    memset(buffer + 12346, 0, 7654);
    memset(buffer, 0, sizeof buffer); /* BUG */
    pthread_join(t, NULL);
    return 0;
}
