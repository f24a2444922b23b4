/* cc: --symbolic */
/* run: --engine dfs --check overflow */
#include <pthread.h>
#include <raddle.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *amount)
{
    pthread_mutex_lock(&lock);
    total += *(int *)amount; /* CHANGE */
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t t;
    int first = raddle_input_int("first", 0, 2000000000), second = raddle_input_int("second", 0, 2000000000);
    pthread_create(&t, NULL, add, &first);
    add(&second);
    pthread_join(t, NULL);
    return 0;
}
