#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* realloc, qsort, strdup, snprintf, rand, getenv, stdio in threads; all as in a first run. */
#include <time.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

atomic_int order;

static void *work(void *arg)
{
    int *v = malloc(4 * sizeof *v);
    for (int i = 0; i < 4; i++)
        v[i] = 10 - i;
    v = realloc(v, 8 * sizeof *v);
    qsort(v, 4, sizeof *v, compare);
    assert(v[0] == 7 && v[3] == 10);
    char text[20], *copy;
    snprintf(text, sizeof text, "%d-%s", v[1], "x");
    copy = strdup(text);
    assert(!strcmp(copy, "8-x"));
    atomic_fetch_add(&order, 1);
    free(copy);
    free(v);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char *said = getenv("RADDLE_TEST_SET");
    assert(!said);
    setenv("RADDLE_TEST_SET", "1", 1);
    int r = rand();
    assert(time(NULL) > 1000000);
    printf("%d\n", r);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
