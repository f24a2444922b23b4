#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Every execution starts from the same state: globals, static locals, heap, files, directory. */
#include <unistd.h>

int started;
char big[1 << 21];
atomic_int x;

static int calls(void)
{
    static int n;
    return ++n;
}

static void *work(void *arg)
{
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    assert(started++ == 0 && calls() == 1);
    assert(big[1 << 20] == 0);
    big[1 << 20] = 1;
    FILE *f = fopen("/dev/null", "r");
    assert(f && fileno(f) < 20);
    assert(chdir("/") == 0);
    close(0);
    char *p = strtok((char[]){"a b"}, " ");
    assert(p);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 4);
    return 0;
}
