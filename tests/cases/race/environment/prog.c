/* setenv while another thread calls getenv. */
#include <pthread.h>
#include <stdlib.h>

static void *sets(void *arg)
{
    setenv("RADDLE_CASE", "1", 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    char *value = getenv("RADDLE_CASE");
    pthread_join(t, NULL);
    return value && !getenv("RADDLE_CASE");
}
