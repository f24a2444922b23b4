/* Two threads write to one file: either can be first. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int fd;

static void *put(void *letter)
{
    write(fd, letter, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char text[3] = "";
    FILE *f = tmpfile();
    fd = fileno(f);
    pthread_create(&a, NULL, put, "a");
    pthread_create(&b, NULL, put, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pread(fd, text, 2, 0);
#ifdef FIRST_A
    assert(text[0] != 'a' || text[1] != 'b'); /* A */
#else
    assert(text[0] != 'b' || text[1] != 'a'); /* B */
#endif
    return 0;
}
