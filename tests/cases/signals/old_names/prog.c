/* Under _XOPEN_SOURCE signal() is another function of libc, and with 64-bit offsets mkstemp() is. The
 * handler for crashes must not take the place of the one that raddle needs. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t crashes, calls;
static char pages[1 << 16];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void crashed(int sig)
{
    (void)sig;
    crashes++;
    _exit(3);
}

static void called(int sig)
{
    (void)sig;
    calls++;
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    for (unsigned i = 0; i < sizeof pages; i += 512)
        pages[i]++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    char name[] = "/tmp/raddle-old-names-XXXXXX";
    signal(SIGSEGV, crashed);
    assert(signal(SIGUSR1, called) == SIG_DFL);
    raise(SIGUSR1);
    assert(calls == 1 && signal(SIGUSR1, SIG_IGN) == SIG_DFL); /* it was called once */
    int fd = mkstemp(name);
    assert(fd >= 0 && unlink(name) == 0 && close(fd) == 0);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pages[0] == 2 && crashes == 0);
    return 0;
}
