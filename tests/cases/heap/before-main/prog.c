#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What a constructor allocated is there again, as it was, in every execution, although the program
 * changes and frees it. */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char *text;

__attribute__((constructor)) static void before_main(void)
{
    text = malloc(100);
    strcpy(text, "as it was");
    free(malloc(5000));
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    text[0]++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(strcmp(text, "as it was") == 0);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(strcmp(text, "cs it was") == 0);
    free(text);
    return 0;
}
