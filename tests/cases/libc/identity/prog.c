/* A program gives up its rights: users and groups are changed for itself only, and it sees that they
 * are. Those who may not change them are told so. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define NOBODY 65534

static void *work(void *arg)
{
    assert(getuid() == geteuid());
    return arg;
}

static void as_root(void)
{
    uid_t r, e, s;
    assert(setgroups(0, NULL) == 0);
    assert(setegid(7) == 0 && getegid() == 7 && getgid() != 7 && setegid(getgid()) == 0);
    assert(setgid(NOBODY) == 0 && getgid() == NOBODY && getegid() == NOBODY);
    assert(seteuid(5) == 0 && geteuid() == 5 && getuid() == 0);
    assert(setuid(9) == -1 && errno == EPERM);
    assert(seteuid(0) == 0);
    assert(setresuid(-1, -1, 8) == 0 && getresuid(&r, &e, &s) == 0 && r == 0 && e == 0 && s == 8);
    assert(setreuid(NOBODY, NOBODY) == 0 && getresuid(&r, &e, &s) == 0);
    assert(r == NOBODY && e == NOBODY && s == NOBODY);
}

int main(void)
{
    pthread_t t;
    if (getuid() == 0)
        as_root();
    assert(setuid(getuid()) == 0 && setgid(getgid()) == 0 && setreuid(-1, -1) == 0);
    assert(getuid() == 0 || (setuid(0) == -1 && errno == EPERM));
    assert(getuid() == 0 || (setgid(1) == -1 && errno == EPERM));
    assert(getuid() == 0 || (setgroups(0, NULL) == -1 && errno == EPERM));
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return system("true") != -1; /* named: it came so far */
}
