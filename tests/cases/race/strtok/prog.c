/* strtok goes on where the last call ended, whoever made it. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *splits(void *arg)
{
    char text[] = "a,b", *first, *second;
    (void)arg;
    first = strtok(text, ","); /* RACE */
    second = strtok(NULL, ",");
    assert(first == text && second == text + 2); /* BUG */
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, splits, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
