/* A handler that is registered while another thread runs those of exit: it runs, or comes too late. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int ran;

static void late(void)
{
    ran++;
}

static void early(void)
{
    assert(ran == HOW); /* BUG */
}

static void *registers(void *unused)
{
    atexit(late);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(early);
    pthread_create(&t, NULL, registers, NULL);
    exit(0);
}
