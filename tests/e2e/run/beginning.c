/* A program whose main writes some MiB (the second argument) before it creates its first thread; what else it
 * does there is the first. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define IS(name) (!strcmp(word, name))
static const char *word;
static unsigned char table[32 << 20];
static unsigned char *heap;
static _Thread_local int own = 5;
static atomic_int x, *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fd = -1;
static FILE *stream;

static void *work(void *arg)
{
    size_t at = (size_t)(long)arg * 4096;
    assert(table[at] == 1 && heap[at] == 3 && own == 5); /* nobody else has changed them */
    table[at] = 7;
    heap[at] = 9;
    own = 6;
    int v = atomic_load(&x);
    if (IS("crash") && v == 2)
        *(volatile char *)16 = 0;
    if (IS("hang") && v == 2)
        for (;;)
            __asm__ volatile("");
    if (IS("assert"))
        assert(v < 2);
    atomic_store(&x, v + 1);
    if (shared)
        atomic_fetch_add(shared, 1);
    if (IS("deadlock") && v == 1)
        pthread_mutex_lock(&m);
    return NULL;
}

/* What copies of the process would have in common. */
static void begin(void)
{
    char c;
    if (IS("shared"))
        shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (IS("open"))
        fd = open("letters", O_RDONLY);
    if (IS("stream"))
        stream = fopen("letters", "r");
    if (IS("write")) {
        fd = open("made", O_CREAT | O_EXCL | O_WRONLY, 0600);
        assert(fd >= 0);
    }
    if (IS("folder"))
        assert(!mkdir("folder", 0700));
    if (IS("stdin"))
        assert(read(0, &c, 1) == 1 && c == 'a');
    if (IS("closed"))
        close(0);
    if (IS("choice"))
        table[9] = (unsigned char)raddle_choose(3);
    if (IS("locks"))
        for (int i = 0; i < 50; i++) {
            pthread_mutex_lock(&m);
            atomic_fetch_add(&x, i == 0);
            atomic_fetch_sub(&x, i == 0);
            pthread_mutex_unlock(&m);
        }
    if (IS("deadlock"))
        pthread_mutex_lock(&m);
}

/* Nobody but this execution has moved on in what it uses. */
static void finish(void)
{
    char c;
    if (shared)
        assert(*shared == 3);
    if (IS("open"))
        assert(read(fd, &c, 1) == 1 && c == 'a');
    if (stream)
        assert(fgetc(stream) == 'a');
    if (IS("stdin"))
        assert(read(0, &c, 1) == 1 && c == 'b');
    if (IS("late"))
        assert(read(0, &c, 1) == 1 && c == 'a');
    if (IS("folder"))
        assert(!rmdir("folder"));
}

int main(int argc, char **argv)
{
    pthread_t t[3];
    word = argc > 1 ? argv[1] : "";
    memset(table, 1, (argc > 2 ? (size_t)atoi(argv[2]) : 1) << 20);
    heap = malloc(2 << 20);
    memset(heap, 3, 2 << 20);
    begin();
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    finish();
    return 0;
}
