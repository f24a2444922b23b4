#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE (256 << 10)

/* Threads run on the stacks that the program gives them, one of which is used twice. */
static char *stacks[2];
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    char room[1000];
    char *stack = arg;
    memset(room, 1, sizeof room);
    assert(room >= stack && room + sizeof room <= stack + SIZE);
    pthread_mutex_lock(&lock);
    total += room[999];
    pthread_mutex_unlock(&lock);
    return NULL;
}

static pthread_t start(char *stack)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    assert(!pthread_attr_setstack(&a, stack, SIZE));
    assert(!pthread_create(&t, &a, run, stack));
    pthread_attr_destroy(&a);
    return t;
}

int main(void)
{
    stacks[0] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stacks[1] = aligned_alloc(4096, SIZE);
    pthread_t a = start(stacks[0]), b = start(stacks[1]);
    pthread_join(b, NULL);
    b = start(stacks[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 3);
    munmap(stacks[0], SIZE);
    free(stacks[1]);
    return 0;
}
