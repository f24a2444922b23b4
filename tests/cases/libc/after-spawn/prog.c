/* A program that gives up where it cannot start another one, and one that waits for what that would say. */
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;
static int ends[2];

static void *listen_to_it(void *arg)
{
    char c;
    return read(ends[0], &c, 1) == 1 ? arg : NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;
    pid_t child;
    char *words[] = {"true", NULL};
    (void)argv;
    if (pipe(ends))
        return 0;
    if (posix_spawnp(&child, "true", NULL, NULL, words, environ) && argc > 1)
        return 1;
    pthread_create(&t, NULL, listen_to_it, NULL);
    pthread_join(t, NULL);
    return 0;
}
