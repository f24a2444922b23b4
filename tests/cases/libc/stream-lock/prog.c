/* The lock of a stream, held over operations that others wait for. BEFORE: taken when there was one
 * thread only, it is the C library's. It works, and it is said that who gets it first is not
 * explored. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static FILE *f;
static int lines;

static void *work(void *arg)
{
    flockfile(f);
    fputs("one ", f);
    pthread_mutex_lock(&m);
    lines++;
    pthread_mutex_unlock(&m);
    fputs("two\n", f);
    funlockfile(f);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    f = fopen("/dev/null", "w");
#ifdef BEFORE
    flockfile(f);
#endif
    pthread_create(&a, NULL, work, NULL);
#ifdef BEFORE
    pthread_mutex_lock(&m);
    lines--;
    pthread_mutex_unlock(&m);
    funlockfile(f);
    work(NULL);
#endif
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(lines == 2);
    fclose(f);
    return 0;
}
