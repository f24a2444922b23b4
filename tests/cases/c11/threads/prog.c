/* <threads.h> throughout. */
#include <assert.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int ready, inits;

static void init(void)
{
    inits++;
}

static int work(void *arg)
{
    call_once(&once, init);
    tss_set(key, arg);
    mtx_lock(&m);
    ready++;
    cnd_signal(&c);
    mtx_unlock(&m);
    assert(tss_get(key) == arg);
    if (arg)
        thrd_exit(-5);
    return 4;
}

int main(void)
{
    thrd_t t[2];
    int r[2];
    assert(mtx_init(&m, mtx_timed) == thrd_success && cnd_init(&c) == thrd_success);
    assert(tss_create(&key, NULL) == thrd_success);
    for (intptr_t i = 0; i < 2; i++)
        assert(thrd_create(&t[i], work, (void *)i) == thrd_success);
    mtx_lock(&m);
    while (ready < 2)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    for (int i = 0; i < 2; i++)
        thrd_join(t[i], &r[i]);
    assert(r[0] == 4 && r[1] == -5 && inits == 1);
    assert(mtx_trylock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy);
    mtx_unlock(&m);
    thrd_yield();
    thrd_sleep(&(struct timespec){.tv_nsec = 100}, NULL);
    mtx_destroy(&m);
    cnd_destroy(&c);
    tss_delete(key);
    return 0;
}
