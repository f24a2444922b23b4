/* What a stream holds depends on who wrote first, and no variable shows it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *writes(void *arg)
{
    (void)arg;
    putc('a', file);
    putc('b', file);
    return NULL;
}

int main(void)
{
    char text[5] = "";
    pthread_t t[2];
    file = tmpfile();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writes, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    rewind(file);
    assert(fread(text, 1, 4, file) == 4);
    assert(text[1] == 'b'); /* BUG */
    return 0;
}
