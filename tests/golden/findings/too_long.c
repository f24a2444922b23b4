/* cc: --symbolic */
/* run: --engine dfs */
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>
static int length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *shorten(void *unused)
{
    pthread_mutex_lock(&lock);
    if (length > 8)
        length = 8;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t t;
    char table[9] = "abcdefgh", *copy = malloc(sizeof table);
    for (unsigned i = 0; i < sizeof table; i++)
        copy[i] = table[i];
    length = raddle_input_int("length", 0, 12);
    pthread_create(&t, NULL, shorten, NULL);
    pthread_mutex_lock(&lock);
    int n = length;
    pthread_mutex_unlock(&lock);
    char last = copy[n];
    pthread_join(t, NULL);
    free(copy);
    return last == 'z';
}
