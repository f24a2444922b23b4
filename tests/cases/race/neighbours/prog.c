#include <pthread.h>
#include <string.h>

/* Bytes side by side in one word are different variables, also for ranges and unaligned accesses. */
struct {
    char a, b;
    short c;
    char d[12];
} __attribute__((packed)) s;

static void *work(void *arg)
{
    s.b = 1;
    memset(s.d, 1, 5);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    s.a = 1;
    s.c = 2;
    memset(s.d + 5, 2, 7);
    pthread_join(t, NULL);
    return s.a + s.b + s.c + s.d[0] == 0;
}
