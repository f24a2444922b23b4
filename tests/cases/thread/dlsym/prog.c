/* The dynamic linker is used in threads: it has locks of its own. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *asks(void *arg)
{
    (void)arg;
    assert(dlsym(RTLD_DEFAULT, "puts") && dlsym(RTLD_NEXT, "malloc"));
    assert(!dlsym(RTLD_DEFAULT, "no_such_function") && dlerror());
    done++;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, asks, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(done == 2);
    return 0;
}
