/* An update that is lost, of something that is not 1, 2, 4, 8 or 16 bytes large. */
#include <assert.h>
#include <pthread.h>

#ifdef VECTOR
typedef long type __attribute__((vector_size(32)));
static type x = {1, 1, 1, 1};
#define VALUE x[0]
#else
static long double x = 1;
#define VALUE x
#endif

static void *worker(void *arg)
{
    x = x * 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = x * 3;
    pthread_join(t, NULL);
    assert(VALUE == 6); /* BUG */
}
