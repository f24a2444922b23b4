#include <pthread.h>
#include <string.h>

/* strchr stops at the 'c' and does not look at what is written; strlen does. */
char text[] = "abcdef";
volatile size_t n;

static void *work(void *arg)
{
    n += strchr(text, 'c') - text;
    n += strlen(text);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    text[4] = 'x'; /* BUG */
    pthread_join(t, NULL);
    return 0;
}
