/* Locks of open files, and copying from file to file behind everybody's back: named. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char name[] = "/tmp/raddle-locks-XXXXXX";

static void *locks(void *arg)
{
    int f = open(name, O_RDWR);
    struct flock l = {.l_type = F_WRLCK, .l_len = 1};
    if (fcntl(f, F_OFD_SETLK, &l) == 0) {
        l.l_type = F_UNLCK;
        assert(fcntl(f, F_OFD_SETLK, &l) == 0);
    }
    close(f);
    return NULL;
}

int main(int argc, char **argv)
{
    int f = mkstemp(name);
    struct flock l = {.l_type = F_WRLCK, .l_len = 1};
    pthread_t t;
    pthread_create(&t, NULL, locks, NULL);
    int got = fcntl(f, F_OFD_SETLK, &l) == 0;
    assert(argc < 2 || got != atoi(argv[1])); /* BUG */
    pthread_join(t, NULL);
    close(f);
    unlink(name);
    return 0;
}
