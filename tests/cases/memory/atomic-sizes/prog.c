#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char c;
_Atomic unsigned short s;
_Atomic unsigned int i;
_Atomic unsigned long l;

static void *work(void *arg)
{
    atomic_fetch_add(&c, 200);
    atomic_fetch_sub(&s, 1);
    atomic_fetch_or(&i, 4);
    atomic_fetch_xor(&l, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(c == 144 && s == 65534 && i == 4 && l == 0);
    return 0;
}
