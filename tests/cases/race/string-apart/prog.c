#include <pthread.h>
#include <string.h>

/* Searches and comparisons look at no more than they must. */
char text[] = "abcdef";
volatile size_t n;

static void *work(void *arg)
{
    n += (size_t)(strchr(text, 'c') - text);
    n += (size_t)strncmp(text, "abX", 6);
    n += (size_t)memcmp(text, "abX", 3);
    n += strnlen(text, 4);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    text[4] = 'x';
    pthread_join(t, NULL);
    return 0;
}
