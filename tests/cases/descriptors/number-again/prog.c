/* The number of a closed descriptor is given to the next one. Which of them a third use meets is not
 * explored, and said. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int first[2], second[2];

static void *closes(void *arg)
{
    close(first[1]);
    dup(second[1]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    signal(SIGPIPE, SIG_IGN);
    pipe(first);
    pipe(second);
    pthread_create(&t, NULL, closes, NULL);
    write(first[1], "x", 1);
    pthread_join(t, NULL);
    return 0;
}
