/* An array is sorted while another thread looks at it. */
#include <pthread.h>
#include <stdlib.h>

int array[4] = {4, 3, 2, 1};

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *look(void *arg)
{
    return (void *)(long)array[3]; // RACE
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    qsort(array, 4, sizeof *array, ascending);
    pthread_join(t, NULL);
    return 0;
}
