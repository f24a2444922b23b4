/* Conversions write what they convert and no more: bytes beside it belong to another thread. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    short number, beside;
    char word[4], behind[4];
    int unread;
} s;

static void *others(void *arg)
{
    s.beside = 1;
    s.behind[0] = 2;
    s.unread = 3;
    return arg;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *sort(void *arg)
{
    qsort(arg, 2, sizeof(int), ascending);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    int array[4] = {2, 1, 4, 3}, ignored = 0;
    pthread_create(&t, NULL, others, NULL);
    pthread_create(&u, NULL, sort, array);
    qsort(array + 2, 2, sizeof(int), ascending);
    int n = sscanf("5 abc ?", "%hd %[a-z] %d", &s.number, s.word, &s.unread);
    ignored = sscanf("%", "%%") + sscanf("x", "%*c");
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(array[0] == 1 && array[3] == 4);
    assert(n == 2 && s.number == 5 && s.beside == 1 && s.unread == 3);
    return ignored;
}
