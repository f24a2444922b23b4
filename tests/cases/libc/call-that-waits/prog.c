#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* A system call that raddle does not know waits for another thread: no bug, and not explored. */
static char name[] = "/tmp/raddle-waits-XXXXXX";
static atomic_int inside;

static void *enter(void *arg)
{
    int file = open(name, O_RDWR);
    assert(flock(file, LOCK_EX) == 0);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    assert(flock(file, LOCK_UN) == 0);
    return NULL;
}

int main(void)
{
    close(mkstemp(name));
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    unlink(name);
    return 0;
}
