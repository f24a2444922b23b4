/* flockfile is a lock: what is written between is together, and what is done under it is no race. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define QUOTED(word) #word
#define TEXT(word) QUOTED(word)

static FILE *f;
static int shared;

static void *put(void *letter)
{
    int c = *(char *)letter;
    flockfile(f);
    shared++;
    putc_unlocked(c, f);
    fputc(c, f);
    funlockfile(f);
    return NULL;
}

static void *one(void *arg)
{
    fputc('c', f);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    char text[6] = "";
    f = tmpfile();
    pthread_create(&a, NULL, put, "a");
    pthread_create(&b, NULL, put, "b");
    pthread_create(&c, NULL, one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    rewind(f);
    fread(text, 1, 5, f);
    assert(strstr(text, "aa") && strstr(text, "bb"));
#ifdef ORDER
    assert(strcmp(text, TEXT(ORDER))); /* BUG */
#endif
    return 0;
}
