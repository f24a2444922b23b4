/* A file is renamed while another thread looks for it: under neither name, both orders of looking. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char from[64] = "/tmp/raddle-from-XXXXXX", to[80];

static void *move(void *arg)
{
    assert(rename(from, to) == 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    close(mkstemp(from));
    snprintf(to, sizeof to, "%s.new", from);
    pthread_create(&t, NULL, move, NULL);
#ifdef MISSED
    int new = access(to, F_OK), old = access(from, F_OK);
    assert(!(new != 0 && old != 0)); /* BUG */
#else
    int old = access(from, F_OK), new = access(to, F_OK);
    assert(old == 0 || new == 0);
#endif
    pthread_join(t, NULL);
    return 0;
}
