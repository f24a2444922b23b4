/* The working directory belongs to all threads; when it changes is not explored, and said. */
#include <pthread.h>
#include <unistd.h>

static void *moves(void *arg)
{
    chdir("/");
    return NULL;
}

int main(void)
{
    pthread_t t;
    char at[100];
    pthread_create(&t, NULL, moves, NULL);
    getcwd(at, sizeof at);
    pthread_join(t, NULL);
    return 0;
}
