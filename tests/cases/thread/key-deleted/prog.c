/* A key is deleted while a thread that has a value ends: its destructor runs, or does not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int ran, set;

static void destructor(void *value)
{
    ran++;
}

static void *ends(void *unused)
{
    pthread_setspecific(key, &key);
    set = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destructor);
    pthread_create(&t, NULL, ends, NULL);
    while (!set)
        ;
    pthread_key_delete(key);
    pthread_join(t, NULL);
    assert(ran == HOW); /* BUG */
}
