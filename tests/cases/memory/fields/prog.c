#include <assert.h>
#include <pthread.h>
#include <string.h>

/* Neighbouring bytes of one word are different objects. */
struct {
    char a, b;
    short c;
    int d;
} s;

static void *first(void *arg)
{
    s.a = 1;
    s.d = 2;
    return NULL;
}

static void *second(void *arg)
{
    s.b = 3;
    s.c = 4;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(s.a + s.b + s.c + s.d == 10);
    return 0;
}
